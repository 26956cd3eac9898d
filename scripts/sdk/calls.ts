import type { SdkMethod } from '@engram/contract';

/** The parts of JSON Schema that the contract uses. */
export interface Schema {
  $ref?: string;
  type?: string;
  format?: string;
  description?: string;
  default?: unknown;
  const?: unknown;
  enum?: string[];
  anyOf?: Schema[];
  oneOf?: Schema[];
  items?: Schema | false;
  prefixItems?: Schema[];
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: Schema | boolean;
  pattern?: string;
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  maxItems?: number;
  minimum?: number;
  maximum?: number;
  /** The names of properties in the SDKs, by their names in the API. */
  'x-sdk-names'?: Record<string, string>;
  /** The name of a property in the API, if it differs. */
  wire?: string;
}

type Content = Record<string, { schema?: Schema }>;

interface Operation {
  operationId: string;
  summary: string;
  parameters: {
    name: string;
    in: 'path' | 'query';
    required: boolean;
    schema: Schema;
    description?: string;
  }[];
  requestBody?: { content: Content };
  responses: Record<string, { content?: Content }>;
  'x-sdk'?: Record<string, SdkMethod>;
  'x-sdk-names'?: Record<string, string>;
  'x-not-repeatable'?: true;
}

export interface OpenApi {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema> };
}

/** A parameter of a call. `whole` is a body that is not an object, such as a list of IDs. */
export interface Field {
  name: string;
  /** Its name in the API. */
  wire: string;
  place: 'path' | 'query' | 'body' | 'whole';
  required: boolean;
  schema: Schema;
  description?: string;
}

export type Kind = 'json' | 'list' | 'text' | 'file';

/** A method of an SDK. */
export interface Method {
  /** Such as `files`; empty for methods of the client itself. */
  group: string;
  name: string;
  args: Field[];
  options: Field[];
  fixed: Record<string, unknown>;
  handWritten: boolean;
}

/** A call that API keys may make. */
export interface Call {
  /** The operation without its feature, such as `getArtifact`. */
  name: string;
  id: string;
  method: string;
  path: string;
  summary: string;
  kind: Kind;
  fields: Field[];
  /** The shape of `data`, or of one row of a list. Null if the response has no data. */
  answer: Schema | null;
  /** The shapes of the events of a streamed answer. */
  events: Schema[];
  notRepeatable: boolean;
  methods: Method[];
}

/** The calls and named shapes of the SDKs. */
export interface Sdk {
  calls: Call[];
  models: Record<string, Schema>;
}

export const pascal = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}`;

/** Whether a schema is a boolean in a query string. */
export const isFlag = ({ enum: values }: Schema): boolean => values?.join() === 'true,false';

/** The generated methods with their calls, by group. */
export const generatedMethods = (calls: readonly Call[]): Map<string, [Call, Method][]> =>
  Map.groupBy(
    calls.flatMap((call) =>
      call.methods
        .filter(({ handWritten }) => !handWritten)
        .map((method): [Call, Method] => [call, method]),
    ),
    ([, { group }]) => group,
  );

export const nameOf = (ref: string): string => ref.slice(ref.lastIndexOf('/') + 1);

/** Replaces lists of types in schemas by `anyOf`. */
const withoutTypeLists = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value), (_, value: unknown): unknown => {
    const { type, ...others } = (value ?? {}) as { type?: unknown };
    if (!Array.isArray(type)) return value;
    const anyOf = type.map((name: unknown) => ({ type: name }));
    return { ...others, anyOf };
  });

/** The schemas that a schema contains. */
const partsOf = ({ anyOf, items, prefixItems, properties, additionalProperties }: Schema) => [
  ...(anyOf ?? []),
  ...(items ? [items] : []),
  ...(prefixItems ?? []),
  ...Object.values(properties ?? {}),
  ...(typeof additionalProperties === 'object' ? [additionalProperties] : []),
];

/** Merges a union of objects into one object. Fields that not all have are optional. */
function mergeUnion(schema: Schema): Schema {
  const { anyOf, ...others } = schema;
  if (!anyOf?.every(({ properties }) => properties)) return schema;
  const required = (anyOf[0]?.required ?? []).filter((name) =>
    anyOf.every((option) => option.required?.includes(name)),
  );
  const properties = Object.assign(
    {},
    ...anyOf.map((option) => option.properties),
  ) as Schema['properties'];
  return { ...others, type: 'object', properties, required } as Schema;
}

/** A schema with the SDKs' property names. */
function renameProperties(schema: Schema): Schema {
  const { 'x-sdk-names': names, properties, required, ...others } = schema;
  if (!names || !properties) return schema;
  const nameFor = (wire: string): string => names[wire] ?? wire;
  return {
    ...others,
    properties: Object.fromEntries(
      Object.entries(properties).map(([wire, value]) => [
        nameFor(wire),
        wire in names ? { ...value, wire } : value,
      ]),
    ),
    ...(required ? { required: required.map(nameFor) } : {}),
  };
}

function fieldsOf({ parameters, requestBody, 'x-sdk-names': names = {} }: Operation): Field[] {
  const fields: Field[] = parameters.map(({ name, in: place, required, schema }) => ({
    name: names[name] ?? name,
    wire: name,
    place,
    required,
    schema,
    ...(schema.description ? { description: schema.description } : {}),
  }));
  const body = requestBody?.content['application/json']?.schema;
  if (!body) return fields;
  if (!body.properties)
    return [...fields, { name: 'ids', wire: 'ids', place: 'whole', required: true, schema: body }];
  for (const [wire, schema] of Object.entries(body.properties)) {
    const required = body.required?.includes(wire) ?? false;
    const { description } = schema;
    const name = names[wire] ?? wire;
    const described = description ? { description } : {};
    fields.push({ name, wire, place: 'body', required, schema, ...described });
  }
  return fields;
}

function answerOf({ responses }: Operation): { kind: Kind; answer: Schema | null } {
  const content = responses['200']?.content ?? {};
  if ('text/plain' in content) return { kind: 'text', answer: null };
  if ('*/*' in content) return { kind: 'file', answer: null };
  const { properties = {} } = content['application/json']?.schema ?? {};
  const data = properties['data'] ?? {};
  const isList = 'nextCursor' in properties;
  if (isList) return { kind: 'list', answer: data.items || null };
  return { kind: 'json', answer: data.type === 'null' ? null : data };
}

const eventsOf = ({ responses }: Operation): Schema[] => {
  const { items } = responses['200']?.content?.['text/event-stream']?.schema ?? {};
  const kinds = (items && items.oneOf) || [];
  return kinds.flatMap(({ properties }) => properties?.['data'] ?? []);
};

function methodOf(
  operation: Operation,
  name: string,
  { args = [], fixed = {}, defaults = {}, options, handWritten }: SdkMethod,
): Method {
  const fields = fieldsOf(operation);
  const { kind } = answerOf(operation);
  const find = (fieldName: string): Field => {
    const match = fields.find((field) => field.name === fieldName);
    if (!match) throw new Error(`${operation.operationId}: ${name} names no field ${fieldName}.`);
    return match;
  };
  const positional = new Map<string, boolean>();
  for (const { name: field, place } of fields) if (place === 'path') positional.set(field, true);
  for (const arg of args) positional.set(arg.replace('?', ''), !arg.endsWith('?'));
  const isOption = (field: Field): boolean =>
    !(field.name in fixed) &&
    !positional.has(field.name) &&
    !(kind === 'list' && field.name === 'cursor');
  const [method = '', group = ''] = name.split('.').toReversed();
  return {
    group,
    name: method,
    args: [...positional]
      .filter(([field]) => !(field in fixed))
      .map(([name, required]) => ({ ...find(name), required })),
    options: options ? options.map(find) : fields.filter(isOption),
    fixed: { ...fixed, ...defaults, ...(kind === 'list' ? { pageSize: 100 } : {}) },
    handWritten: handWritten ?? false,
  };
}

/** The calls of the SDKs and the named shapes that they use, from the API description. */
export function sdkOf(document: OpenApi): Sdk {
  const { paths, components } = withoutTypeLists(document) as OpenApi;
  const calls = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, operation]): Call[] => {
      const sdk = operation['x-sdk'];
      if (!sdk) return [];
      return [
        {
          name: operation.operationId.split('.')[1] ?? operation.operationId,
          id: operation.operationId,
          method: method.toUpperCase(),
          path,
          summary: operation.summary,
          ...answerOf(operation),
          fields: fieldsOf(operation),
          events: eventsOf(operation),
          notRepeatable: operation['x-not-repeatable'] ?? false,
          methods: Object.entries(sdk).map(([name, sdkMethod]) =>
            methodOf(operation, name, sdkMethod),
          ),
        },
      ];
    }),
  );
  const models: Record<string, Schema> = {};
  const collectModels = (schema: Schema): void => {
    const name = schema.$ref && nameOf(schema.$ref);
    if (name && !(name in models)) {
      models[name] = renameProperties(mergeUnion(components.schemas[name] ?? {}));
      collectModels(models[name]);
    }
    for (const part of partsOf(schema)) collectModels(part);
  };
  for (const { answer, fields, events } of calls) {
    if (answer) collectModels(answer);
    events.forEach(collectModels);
    for (const { schema } of fields) collectModels(schema);
  }
  return { calls, models };
}
