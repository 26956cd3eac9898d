import { type Call, nameOf, type Schema, type Sdk } from './calls.ts';

/** The schema for checking a value before it is sent. */
function checked(schema: Schema, models: Sdk['models']): object {
  const { $ref, description: _, default: _default, wire: _wire, pattern, ...others } = schema;
  if ($ref) return checked(models[nameOf($ref)] ?? {}, models);
  return {
    ...others,
    // Formats have their own patterns.
    ...(pattern && !others.format ? { pattern } : {}),
    ...(others.anyOf ? { anyOf: others.anyOf.map((option) => checked(option, models)) } : {}),
    ...(others.items ? { items: checked(others.items, models) } : {}),
    ...(others.properties
      ? {
          properties: Object.fromEntries(
            Object.entries(others.properties).map(([name, field]) => [
              name,
              checked(field, models),
            ]),
          ),
          required: (others.required ?? []).filter(
            (name) => others.properties?.[name]?.default === undefined,
          ),
        }
      : {}),
  };
}

/** The schema for checking a response: its types only, because newer servers know more values. */
export function answeredShape(schema: Schema): object {
  const { $ref, type, format, anyOf, items, prefixItems, properties, required } = schema;
  const wireName = schema.wire ? { wire: schema.wire } : {};
  if ($ref) return { $ref: nameOf($ref), ...wireName };
  return {
    ...wireName,
    ...(type ? { type } : {}),
    ...(format === 'date-time' ? { format } : {}),
    ...(anyOf ? { anyOf: anyOf.map(answeredShape) } : {}),
    ...(prefixItems ? { prefixItems: prefixItems.map(answeredShape) } : {}),
    ...(items && !prefixItems ? { items: answeredShape(items) } : {}),
    ...(properties
      ? {
          properties: Object.fromEntries(
            Object.entries(properties).map(([name, property]) => [name, answeredShape(property)]),
          ),
          required,
        }
      : {}),
  };
}

/** The parameters of a call: the place and schema of each. */
export const checkedFields = (call: Call, models: Sdk['models']): object =>
  Object.fromEntries(
    call.fields.map(({ name, wire, place, required, schema }) => [
      name,
      {
        place,
        ...(wire === name ? {} : { wire }),
        ...(required ? { required } : {}),
        schema: checked(schema, models),
      },
    ]),
  );
