import { z } from 'zod';
import { API_KEY_HEADER, FRESH_CODE_NEEDED, FRESH_MINUTES } from './limits.ts';
import { isReading, type RouteDefinition } from './route.ts';

type Json = Record<string, unknown>;

/** Where {@link buildDescribedOpenApi} puts the description of a field. */
export const FIELD_DESCRIPTION = 'x-field-description';

/**
 * A schema as JSON, and the schemas with an id that it refers to. Objects allow other fields, which
 * later versions of the server may add.
 */
function convert(
  schema: z.ZodType,
  io: 'input' | 'output',
): { schema: Json; named: Record<string, Json> } {
  const converted = z.toJSONSchema(z.object({ schema }), {
    io,
    unrepresentable: 'any',
    override: ({ jsonSchema }) => {
      if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
      if (jsonSchema.id !== undefined || jsonSchema.description === undefined) return;
      jsonSchema[FIELD_DESCRIPTION] = jsonSchema.description;
      delete jsonSchema.description;
    },
  });
  const text = JSON.stringify(converted).replaceAll('"#/$defs/', '"#/components/schemas/');
  const { properties, $defs = {} } = JSON.parse(text) as {
    properties: { schema: Json };
    $defs?: Record<string, Json>;
  };
  for (const named of Object.values($defs)) delete named['id'];
  return { schema: properties.schema, named: $defs };
}

const schemaOf = (schema: z.ZodType, io: 'input' | 'output'): Json => convert(schema, io).schema;

/** The schemas with an id that the routes use, by id. */
function namedSchemas(routes: readonly RouteDefinition[]): Json {
  const bodies = routes
    .flatMap(({ query, body }) => [query, body].filter((schema) => schema !== undefined))
    .map((schema) => convert(schema, 'input'));
  const answers = routes
    .flatMap(({ data, events = {} }) => [...(data ? [data] : []), ...Object.values(events)])
    .map((schema) => convert(schema, 'output'));
  const named = [...bodies, ...answers].flatMap((converted) => Object.entries(converted.named));
  return Object.fromEntries([...new Map(named)].toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

const parametersOf = (schema: z.ZodObject | undefined, place: 'path' | 'query'): Json[] =>
  Object.entries(schema?.shape ?? {}).map(([name, field]) => ({
    name,
    in: place,
    required: place === 'path' || !z.safeParse(field as z.ZodType, undefined).success,
    schema: schemaOf(field as z.ZodType, 'input'),
  }));

const binary: Json = { type: 'string', format: 'binary' };

const form = (schema: Json): Json => ({
  required: true,
  content: { 'multipart/form-data': { schema } },
});

function requestBody(route: RouteDefinition): Json | undefined {
  const { filePart } = route;
  if (filePart !== undefined) {
    const properties = { [filePart]: { ...binary, [FIELD_DESCRIPTION]: 'The file.' } };
    return form({ type: 'object', required: [filePart], properties });
  }
  if (!route.body && route.kind !== 'upload') return undefined;
  const schema = route.body ? schemaOf(route.body, 'input') : { type: 'object' };
  if (route.kind !== 'upload')
    return { required: true, content: { 'application/json': { schema } } };
  const files = {
    type: 'array',
    items: binary,
    [FIELD_DESCRIPTION]: 'The files, one part each.',
  };
  return form({ ...schema, properties: { files, ...(schema['properties'] as Json | undefined) } });
}

function envelope(route: RouteDefinition): Json {
  const properties: Json = {
    message: { type: 'string', examples: [route.message ?? 'OK'] },
    data: route.data ? schemaOf(route.data, 'output') : {},
  };
  if (route.list) {
    properties['nextCursor'] = { type: ['string', 'null'] };
    properties['total'] = { type: 'integer' };
  }
  return { type: 'object', required: ['message', 'data'], properties };
}

function success(route: RouteDefinition): Json {
  if (route.kind === 'text')
    return { '200': { description: 'Text', content: { [route.mediaType ?? 'text/plain']: {} } } };
  if (route.kind === 'file') {
    const content = { '*/*': { schema: { type: 'string', format: 'binary' } } };
    return {
      '200': { description: 'The whole file', content },
      '206': { description: 'The requested range', content },
    };
  }
  const content: Json = { 'application/json': { schema: envelope(route) } };
  if (route.events) {
    const events = Object.entries(route.events).map(([event, data]) => ({
      type: 'object',
      properties: { event: { const: event }, data: schemaOf(data, 'output') },
    }));
    content['text/event-stream'] = { schema: { type: 'array', items: { oneOf: events } } };
  }
  return { '200': { description: route.message ?? 'OK', content } };
}

function failures(route: RouteDefinition): Json {
  const refused = [
    route.auth === 'admin' ? 'Only for admins.' : '',
    route.errors?.[403] ?? '',
    route.auth === 'public' || route.apiKey ? '' : 'API keys cannot make this call.',
    route.apiKey && !isReading(route) ? 'Read-only API keys cannot make this call.' : '',
    route.fresh
      ? `With the code ${FRESH_CODE_NEEDED}: the sign-in is older than ${FRESH_MINUTES} minutes, and POST /auth/confirm comes first.`
      : '',
  ].filter(Boolean);
  const statuses: Record<string, string> = {
    ...(route.probe ? {} : { '400': 'The request is not valid.' }),
    ...(route.auth === 'public'
      ? {}
      : { '401': `No valid token${route.apiKey ? ' or API key' : ''}.` }),
    ...route.errors,
    ...(refused.length > 0 ? { '403': refused.join(' ') } : {}),
    ...(route.probe ? {} : { '429': 'Too many calls. Retry-After gives the seconds to wait.' }),
  };
  return Object.fromEntries(
    Object.entries(statuses).map(([status, description]) => [
      status,
      {
        description,
        content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
      },
    ]),
  );
}

function operation(route: RouteDefinition): Json {
  const security = [
    { token: [] as string[] },
    ...(route.apiKey ? [{ apiKey: [] as string[] }] : []),
  ];
  const body = requestBody(route);
  return {
    operationId: route.id,
    tags: [route.id.split('.')[0]],
    summary: route.summary,
    ...(route.sdk ? { 'x-sdk': route.sdk } : {}),
    ...(route.sdkNames ? { 'x-sdk-names': route.sdkNames } : {}),
    ...(route.notRepeatable ? { 'x-not-repeatable': true } : {}),
    ...(route.auth === 'public' ? { security: [] } : { security }),
    parameters: [...parametersOf(route.params, 'path'), ...parametersOf(route.query, 'query')],
    ...(body ? { requestBody: body } : {}),
    responses: { ...success(route), ...failures(route) },
  };
}

/** The routes as an OpenAPI 3.1 document, in their order. */
export function buildOpenApi(routes: readonly RouteDefinition[], version: string): Json {
  const text = JSON.stringify(buildDescribedOpenApi(routes, version), (key, value: unknown) =>
    key === FIELD_DESCRIPTION ? undefined : value,
  );
  return JSON.parse(text) as Json;
}

/** The same document with a description of each field, for the documentation. */
export function buildDescribedOpenApi(routes: readonly RouteDefinition[], version: string): Json {
  const paths: Record<string, Json> = {};
  for (const route of routes) {
    (paths[route.path] ??= {})[route.method.toLowerCase()] = operation(route);
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Engram',
      version,
      description:
        'Every JSON response is {message, data}. Every error is {message, code}, and its message can be shown to users. Every response has an X-Request-Id, which the log of the server contains. It is that of the request if it has up to 64 letters, digits, dots, hyphens and underscores.',
    },
    servers: [{ url: '/v1' }],
    paths,
    components: {
      securitySchemes: {
        token: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' },
        apiKey: {
          type: 'apiKey',
          in: 'header',
          name: API_KEY_HEADER,
          description:
            'A key that a user made for a program. It is accepted by the calls that list it here and by public ones. Other calls answer with 403. A request with both a key and a token is refused with 400.',
        },
      },
      schemas: {
        ...namedSchemas(routes),
        Error: {
          type: 'object',
          required: ['message', 'code'],
          properties: { message: { type: 'string' }, code: { type: 'string' } },
        },
      },
    },
  };
}
