import { MalformedResponseError } from '../errors.ts';

/** Checks a value that came over the wire, and answers it by the names of this library. */
export interface Reader<T> {
  (value: unknown, name?: string): T;
  /** Each field's name on the wire and what reads it, where this reads an object, or several. */
  fields?: ReadonlyMap<string, Reader<unknown>>;
}

/** What a field is called on the wire, and what reads it. */
type Field<T> = readonly [name: string, reader: Reader<T>];

function refuse(name: string, wanted: string): never {
  throw new MalformedResponseError(
    `The answer is not as the API describes it: ${name} should be ${wanted}.`,
  );
}

/** A text. */
export const text: Reader<string> = (value, name = 'data') =>
  typeof value === 'string' ? value : refuse(name, 'a text');

/** A number. */
export const number: Reader<number> = (value, name = 'data') =>
  typeof value === 'number' ? value : refuse(name, 'a number');

/** Two numbers. */
export const pair: Reader<[number, number]> = (value, name = 'data') =>
  Array.isArray(value) && value.length === 2
    ? [number(value[0], `${name}[0]`), number(value[1], `${name}[1]`)]
    : refuse(name, 'two numbers');

/** True or false. */
export const flag: Reader<boolean> = (value, name = 'data') =>
  typeof value === 'boolean' ? value : refuse(name, 'true or false');

/** A moment. */
export const date: Reader<Date> = (value, name = 'data') => {
  const moment = new Date(text(value, name));
  return Number.isNaN(moment.getTime()) ? refuse(name, 'a moment') : moment;
};

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** An object of numbers. */
export const numbers: Reader<Record<string, number>> = (value, name = 'data') => {
  if (!isObject(value)) return refuse(name, 'an object');
  return Object.fromEntries(
    Object.entries(value).map(([key, one]) => [key, number(one, `${name}.${key}`)]),
  );
};

const like = <T>(reader: Reader<T>, inner: Reader<unknown>): Reader<T> =>
  Object.assign(reader, inner.fields ? { fields: inner.fields } : {});

/** What may be null. */
export const nullable = <T>(reader: Reader<T>): Reader<T | null> =>
  like((value, name) => (value === null ? null : reader(value, name)), reader);

/** What may be missing. */
export const optional = <T>(reader: Reader<T>): Reader<T | undefined> =>
  like((value, name) => (value === undefined ? undefined : reader(value, name)), reader);

/** Several. */
export const list = <T>(reader: Reader<T>): Reader<T[]> =>
  like((value, name = 'data') => {
    if (!Array.isArray(value)) return refuse(name, 'a list');
    return value.map((one: unknown, at) => reader(one, `${name}[${at}]`));
  }, reader);

/** An object whose fields have other names on the wire; what is not known is kept as it is. */
export function record<T extends object>(fields: {
  [K in keyof T]-?: Field<T[K]>;
}): Reader<T> {
  const known = Object.entries<Field<unknown>>(fields as Record<string, Field<unknown>>);
  const wired = new Map(known.map(([, field]) => field));
  const read = (value: unknown, name = 'data'): T => {
    if (!isObject(value)) return refuse(name, 'an object');
    const unknown = Object.entries(value).filter(([key]) => !wired.has(key));
    const read = known.flatMap(([own, [wire, reader]]) => {
      const found = reader(value[wire], `${name}.${wire}`);
      return found === undefined ? [] : [[own, found] as const];
    });
    return Object.fromEntries<unknown>([...unknown, ...read]) as T;
  };
  return Object.assign(read, { fields: wired });
}

/** An object made from what was read. */
export const derive = <T extends object, U extends object>(
  reader: Reader<T>,
  make: (read: T) => U,
): Reader<U> => like((value, name) => make(reader(value, name)), reader);
