import { type Call, nameOf, type Schema, type Sdk } from './calls.ts';

/** The schema for checking a value before it is sent. */
function checkedSchema(schema: Schema, models: Sdk['models']): object {
  const { $ref, description: _, default: _default, wire: _wire, pattern, ...others } = schema;
  if ($ref) return checkedSchema(models[nameOf($ref)] ?? {}, models);
  return {
    ...others,
    // Formats have their own patterns.
    ...(pattern && !others.format ? { pattern } : {}),
    ...(others.anyOf ? { anyOf: others.anyOf.map((option) => checkedSchema(option, models)) } : {}),
    ...(others.items ? { items: checkedSchema(others.items, models) } : {}),
    ...(others.properties
      ? {
          properties: Object.fromEntries(
            Object.entries(others.properties).map(([name, field]) => [
              name,
              checkedSchema(field, models),
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
export function responseShape(schema: Schema): object {
  const { $ref, type, format, anyOf, items, prefixItems, properties, required } = schema;
  const wireName = schema.wire ? { wire: schema.wire } : {};
  if ($ref) return { $ref: nameOf($ref), ...wireName };
  return {
    ...wireName,
    ...(type ? { type } : {}),
    ...(format === 'date-time' ? { format } : {}),
    ...(anyOf ? { anyOf: anyOf.map(responseShape) } : {}),
    ...(prefixItems ? { prefixItems: prefixItems.map(responseShape) } : {}),
    ...(items && !prefixItems ? { items: responseShape(items) } : {}),
    ...(properties
      ? {
          properties: Object.fromEntries(
            Object.entries(properties).map(([name, property]) => [name, responseShape(property)]),
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
        schema: checkedSchema(schema, models),
      },
    ]),
  );
