import {
  buildDescribedOpenApi,
  exampleCode,
  FIELD_DESCRIPTION,
  type RouteDefinition,
  type RouteExample,
  routes,
} from '@engram/contract';

/** The subset of JSON Schema that the contract uses. */
interface Schema {
  type?: string | string[];
  format?: string;
  const?: unknown;
  enum?: unknown[];
  anyOf?: Schema[];
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: Schema | boolean;
  description?: string;
  [FIELD_DESCRIPTION]?: string;
}

interface Operation {
  parameters: { name: string; in: 'path' | 'query'; required: boolean; schema: Schema }[];
  requestBody?: { content: Record<string, { schema: Schema }> };
  responses: Record<string, { description: string; content?: Record<string, { schema?: Schema }> }>;
}

/** A parameter, or a field of a body or an answer. */
export interface Field {
  /** The full path of the field, such as `citations[].quote`. */
  name: string;
  type: string;
  required: boolean;
  description: string;
}

/** The sections of the documentation, each with the features whose calls it contains. */
const SECTIONS: readonly { id: string; features: readonly string[] }[] = [
  { id: 'authentication', features: ['auth', 'apiKeys'] },
  { id: 'artifacts', features: ['artifacts', 'devices'] },
  { id: 'keywords', features: ['keywords'] },
  { id: 'search', features: ['search', 'suggestions'] },
  { id: 'search-history', features: ['history'] },
  { id: 'user-profile', features: ['profile'] },
  { id: 'recommendations', features: ['recommendations'] },
];

/** The order of a feature's calls: reading first, deleting last. */
const METHODS = ['GET', 'POST', 'PUT', 'DELETE'];

const FORMATS: Record<string, string> = {
  uuid: 'UUID',
  'date-time': 'ISO 8601 date',
  binary: 'file',
};

const isNull = ({ type }: Schema): boolean => type === 'null';

function typeOf(schema: Schema): string {
  const { type, format = '', anyOf, items, properties } = schema;
  if (schema.enum) return schema.enum.map(String).join(' | ');
  if (schema.const !== undefined) return String(schema.const);
  if (anyOf) {
    const types = new Set(anyOf.filter((option) => !isNull(option)).map(typeOf));
    return [...types, ...(anyOf.some(isNull) ? ['null'] : [])].join(' | ');
  }
  if (items) return `array of ${typeOf(items)}`;
  if (properties || schema.additionalProperties) return 'object';
  const name = Array.isArray(type) ? type.join(' | ') : (type ?? 'any');
  return FORMATS[format] ?? name;
}

function descriptionOf(schema: Schema, field: string): string {
  const text = schema[FIELD_DESCRIPTION] ?? schema.description;
  if (text === undefined) throw new Error(`The contract lacks a description of ${field}.`);
  return text;
}

/** All fields of a shape, with nested fields after their parents. */
function fieldsOf(schema: Schema, place: string): Field[] {
  const found = new Map<string, Field>();
  const walk = (schema: Schema, path: string): void => {
    for (const option of schema.anyOf ?? []) walk(option, path);
    if (schema.items) walk(schema.items, path && `${path}[]`);
    for (const [field, inner] of Object.entries(schema.properties ?? {})) {
      const name = path ? `${path}.${field}` : field;
      if (!found.has(name)) {
        found.set(name, {
          name,
          type: typeOf(inner),
          required: schema.required?.includes(field) ?? false,
          description: descriptionOf(inner, `${place}.${name}`),
        });
      }
      walk(inner, name);
    }
  };
  walk(schema, '');
  return [...found.values()];
}

function accessOf({ auth, apiKey }: RouteDefinition): string {
  if (auth === 'public') return 'nothing; it is open to all.';
  return apiKey ? 'an API key or a bearer token.' : 'a bearer token.';
}

function answerOf(route: RouteDefinition, data: Schema | undefined): string {
  if (route.kind === 'file')
    return 'The bytes of the file, or the range of them that was asked for.';
  if (route.kind === 'text') return 'The text, as text/plain.';
  return data ? typeOf(data) : 'null';
}

function callOf(route: RouteDefinition, example: RouteExample, operation: Operation) {
  const place = (name: 'path' | 'query') =>
    operation.parameters
      .filter((parameter) => parameter.in === name)
      .map((parameter): Field => ({
        name: parameter.name,
        type: typeOf(parameter.schema),
        required: parameter.required,
        description: descriptionOf(parameter.schema, `${route.id} ${parameter.name}`),
      }));
  const [[mediaType = '', body] = []] = Object.entries(operation.requestBody?.content ?? {});
  const success = operation.responses['200']?.content?.['application/json']?.schema;
  const data = success?.properties?.['data'];
  return {
    id: route.id,
    method: route.method,
    path: `/v1${route.path}`,
    summary: route.summary,
    access: accessOf(route),
    params: place('path'),
    query: place('query'),
    body: body
      ? {
          mediaType,
          type: typeOf(body.schema),
          fields: fieldsOf(body.schema, `${route.id} body`),
        }
      : null,
    answer: {
      type: answerOf(route, data),
      message: success ? (example.message ?? route.message ?? 'OK') : null,
      pages: route.list === true,
      streams: route.events ? Object.keys(route.events) : [],
      fields: data ? fieldsOf(data, `${route.id} data`) : [],
    },
    errors: Object.entries(operation.responses)
      .filter(([status]) => Number(status) >= 400)
      .map(([status, { description }]) => ({ status: Number(status), reason: description })),
    code: exampleCode(route, example),
  };
}

/** The operations of the API with the named shapes in place of the references to them. */
function operations(version: string): Record<string, Record<string, Operation>> {
  const { paths, components } = buildDescribedOpenApi(routes, version) as {
    paths: Record<string, Record<string, Operation>>;
    components: { schemas: Record<string, Schema> };
  };
  const resolve = <T>(value: T): T =>
    JSON.parse(JSON.stringify(value), (_, one: unknown): unknown => {
      const { $ref, ...field } = (one ?? {}) as { $ref?: string };
      const name = $ref?.slice($ref.lastIndexOf('/') + 1) ?? '';
      return name in components.schemas ? { ...resolve(components.schemas[name]), ...field } : one;
    }) as T;
  return resolve(paths);
}

/** The documented calls by section; calls whose answers have the same fields refer to the first. */
export function apiReference(version: string) {
  const paths = operations(version);
  const answered = new Map<string, string>();
  const documented = routes.flatMap((route) => {
    const { example } = route;
    const operation = paths[route.path]?.[route.method.toLowerCase()];
    if (!example || !operation) return [];
    const call = callOf(route, example, operation);
    const key = JSON.stringify(call.answer.fields);
    const first = call.answer.fields.length > 3 ? answered.get(key) : undefined;
    answered.set(key, first ?? route.id);
    const answer = first
      ? { ...call.answer, fields: [], sameAs: first }
      : { ...call.answer, sameAs: null };
    return [{ ...call, answer }];
  });
  return SECTIONS.map(({ id, features }) => ({
    id,
    calls: features.flatMap((feature) =>
      documented
        .filter((call) => call.id.startsWith(`${feature}.`))
        .toSorted((one, other) => METHODS.indexOf(one.method) - METHODS.indexOf(other.method)),
    ),
  }));
}
