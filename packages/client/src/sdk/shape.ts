import { ArgumentError, MalformedResponseError } from '../errors.ts';
import { folderPath, identifier, list, moment, refuse } from './check.ts';

/** The parts of JSON Schema that the API description uses. */
export interface Schema {
  $ref?: string;
  type?: string;
  format?: string;
  enum?: readonly string[];
  anyOf?: readonly Schema[];
  items?: Schema;
  prefixItems?: readonly Schema[];
  properties?: Readonly<Record<string, Schema>>;
  required?: readonly string[];
  additionalProperties?: unknown;
  pattern?: RegExp;
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  maxItems?: number;
  minimum?: number;
  maximum?: number;
  /** The name of a property in the API, if it differs. */
  wire?: string;
}

/** The named shapes of responses. */
export type Shapes = Readonly<Record<string, Schema>>;

/** A call of the API: the place of each value, and the shape of the response. */
export interface Spec<T> {
  id: string;
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  path: `/${string}`;
  kind: 'json' | 'text' | 'file';
  /** If set, the call is retried only if the server cannot have processed it. */
  notRepeatable?: true;
  /** `whole` is a body that is not an object. */
  fields: Readonly<
    Record<
      string,
      {
        place: 'path' | 'query' | 'body' | 'whole';
        /** The name in the API, if it differs. */
        wire?: string;
        required?: boolean;
        schema: Schema;
      }
    >
  >;
  answer?: Schema;
  /** Never set: the type of the answer. */
  result?: T;
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const within = (value: number, min = -Infinity, max = Infinity): boolean =>
  value >= min && value <= max;

function checkText(schema: Schema, value: string, name: string): string {
  const { enum: options, pattern, minLength, maxLength } = schema;
  // As on the server.
  const text = value.trim();
  if (options && !options.includes(text))
    return refuse(`${name} must be one of ${options.join(', ')}.`, name);
  if (!within([...text].length, minLength, maxLength)) {
    return refuse(`${name} needs ${minLength ?? 0} to ${maxLength} characters.`, name);
  }
  return !pattern || pattern.test(text)
    ? text
    : refuse(`${name} cannot be ${JSON.stringify(text)}.`, name);
}

function checkList(schema: Schema, value: unknown, name: string): unknown[] {
  const { items = {}, minItems, maxItems } = schema;
  const values = list(value as Iterable<unknown>, name);
  return within(values.length, minItems, maxItems)
    ? values.map((value) => checkInput(items, value, name))
    : refuse(`${name} needs ${minItems ?? 0} to ${maxItems} entries.`, name);
}

function checkObject(schema: Schema, value: unknown, name: string): object {
  if (!isObject(value)) return refuse(`${name} must be an object.`, name);
  const { properties = {}, required = [] } = schema;
  const missing = required.find((key) => value[key] === undefined);
  if (missing !== undefined) return refuse(`${name}.${missing} is missing.`, name);
  return Object.fromEntries(
    Object.entries(value).map(([key, property]) => [
      key,
      properties[key] && property !== undefined
        ? checkInput(properties[key], property, `${name}.${key}`)
        : property,
    ]),
  );
}

function checkUnion(options: readonly Schema[], value: unknown, name: string): unknown {
  let failure: unknown;
  for (const option of options) {
    try {
      return checkInput(option, value, name);
    } catch (error) {
      if (!(error instanceof ArgumentError)) throw error;
      failure ??= error;
    }
  }
  throw failure;
}

/** Checks a value and returns it in the form that is sent. Throws an ArgumentError. */
export function checkInput(schema: Schema, value: unknown, name: string): unknown {
  const { type, format, anyOf, minimum, maximum } = schema;
  if (anyOf) return checkUnion(anyOf, value, name);
  if (format === 'uuid') return identifier(value, name);
  if (format === 'folder-path') return folderPath(value);
  if (value instanceof Date) return moment(value, name);
  switch (type) {
    case 'string': {
      const text = typeof value === 'boolean' ? String(value) : value;
      return typeof text === 'string'
        ? checkText(schema, text, name)
        : refuse(`${name} must be text.`, name);
    }
    case 'integer':
    case 'number': {
      const isNumber = type === 'integer' ? Number.isInteger(value) : Number.isFinite(value);
      return isNumber && within(value as number, minimum, maximum)
        ? value
        : refuse(`${name} must be a number from ${minimum} to ${maximum}.`, name);
    }
    case 'boolean':
      return typeof value === 'boolean' ? value : refuse(`${name} is true or false.`, name);
    case 'null':
      return value === null ? null : refuse(`${name} is null.`, name);
    case 'array':
      return checkList(schema, value, name);
    default:
      return checkObject(schema, value, name);
  }
}

type JsonObject = Record<string, unknown>;

const PLACES = ['page', 'slide', 'sheet', 'row', 'line'] as const;

/** A location as text, such as 'page 3' or '1:01'. */
function locationText(location: JsonObject): string {
  const { path, startMs } = location;
  let place = PLACES.flatMap((name) =>
    location[name] === undefined ? [] : [`${name} ${String(location[name])}`],
  ).join(', ');
  if (typeof startMs === 'number') {
    const seconds = Math.floor(startMs / 1000);
    place = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
  }
  return [path, place].filter(Boolean).join(', ');
}

const withText = (answer: JsonObject): JsonObject => ({
  ...answer,
  text: (answer['answers'] as string[]).join('\n\n'),
});

/** Fields that this package derives. */
const DERIVED: Readonly<Record<string, (object: JsonObject) => JsonObject>> = {
  // Not enumerable, so it does not appear when the location is printed, compared or sent.
  Location: (location) =>
    Object.defineProperty(location, 'toString', { value: () => locationText(location) }),
  Answer: withText,
  HistoryEntry: withText,
  File: (file) => ({ ...file, settled: file['stage'] === 'ready' || file['stage'] === 'failed' }),
};

/** Checks a value of a response. Times become Dates. Throws a MalformedResponseError. */
export type Reader = (schema: Schema, value: unknown, name?: string) => unknown;

export function createReader(shapes: Shapes): Reader {
  const fail = (name: string, expected: string): never => {
    throw new MalformedResponseError(
      `The response does not match the API: ${name} should be ${expected}.`,
    );
  };

  const readObject = (schema: Schema, value: unknown, name: string): unknown => {
    if (!isObject(value)) return fail(name, 'an object');
    const { properties = {}, required = [] } = schema;
    const unknown = { ...value };
    const known: Record<string, unknown> = {};
    for (const [key, inner] of Object.entries(properties)) {
      const { wire = key } = inner;
      delete unknown[wire];
      if (value[wire] !== undefined || required.includes(key)) {
        known[key] = read(inner, value[wire], `${name}.${wire}`);
      }
    }
    // A new field of the API must not replace a renamed one.
    for (const key of Object.keys(known)) delete unknown[key];
    return { ...known, ...unknown };
  };

  const readList = (schema: Schema, value: unknown, name: string): unknown[] => {
    const { items = {}, prefixItems } = schema;
    if (!Array.isArray(value)) return fail(name, 'a list');
    if (prefixItems && value.length !== prefixItems.length) {
      return fail(name, `a list of ${prefixItems.length}`);
    }
    return value.map((item: unknown, i) => read(prefixItems?.[i] ?? items, item, `${name}[${i}]`));
  };

  function read(schema: Schema, value: unknown, name = 'data'): unknown {
    const { $ref, type, format, anyOf } = schema;
    if ($ref) {
      const object = read(shapes[$ref] ?? {}, value, name) as JsonObject;
      return DERIVED[$ref]?.(object) ?? object;
    }
    if (anyOf) {
      if (value === null && anyOf.some((option) => option.type === 'null')) return null;
      const [only = {}, ...others] = anyOf.filter((option) => option.type !== 'null');
      return others.length === 0 ? read(only, value, name) : value;
    }
    switch (type) {
      case 'string': {
        if (typeof value !== 'string') return fail(name, 'a string');
        if (format !== 'date-time') return value;
        const time = new Date(value);
        return Number.isNaN(time.getTime()) ? fail(name, 'a time') : time;
      }
      case 'integer':
      case 'number':
        return typeof value === 'number' ? value : fail(name, 'a number');
      case 'boolean':
        return typeof value === 'boolean' ? value : fail(name, 'true or false');
      case 'array':
        return readList(schema, value, name);
      case 'object':
        return readObject(schema, value, name);
      default:
        return value;
    }
  }
  return read;
}
