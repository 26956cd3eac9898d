import { z } from 'zod';

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

/** Who may call: anyone, a signed-in user, or a user with the ADMIN role. */
type Auth = 'public' | 'user' | 'admin';

/**
 * How a call responds:
 * - `json`   `{message, data}`
 * - `upload` takes multipart/form-data, answers `{message, data}`
 * - `file`   answers a file's bytes, with ranges
 * - `events` answers `{message, data}`, or server-sent events when the caller accepts `text/event-stream`
 * - `text`   answers text, see `mediaType`
 */
export type Kind = 'json' | 'upload' | 'file' | 'events' | 'text';

/**
 * How an SDK method takes its arguments: the path parameters, then `args`. All other fields are
 * options.
 */
export interface SdkMethod {
  /** Positional arguments after the path parameters. `?` marks an optional one. */
  args?: readonly string[];
  /** Fields that the method sets, such as the verb of a bulk change. */
  fixed?: Readonly<Record<string, string>>;
  /** Default values, if they differ from the server's. */
  defaults?: Readonly<Record<string, boolean | number>>;
  /** The options, if not all other fields. */
  options?: readonly string[];
  /** True if the SDKs implement the method by hand. */
  handWritten?: true;
}

/**
 * An example for the documentation. `$NAME` in a value is a variable of the reader, such as a file
 * id.
 */
export interface RouteExample {
  params?: Readonly<Record<string, string>>;
  query?: Readonly<Record<string, string>>;
  /** JSON. */
  body?: unknown;
  /** multipart/form-data. Files are parts named `files`, or by `filePart`. */
  form?: {
    fields: Readonly<Record<string, string>>;
    file?: { name: string; content: string };
  };
  /** The message of the response, if it differs from the route's. */
  message?: string;
}

export interface RouteDefinition {
  id: string;
  method: Method;
  /** Below `/v1`, parameters as `{name}`. */
  path: `/${string}`;
  summary: string;
  auth: Auth;
  /** True if API keys may also make the call. */
  apiKey?: true;
  /**
   * The SDK methods of the call by name, such as `files.get`. Every route for API keys has one,
   * unless another route does the same.
   */
  sdk?: Readonly<Record<string, SdkMethod>>;
  /** The names of fields in the SDKs, if they differ from those of the API. */
  sdkNames?: Readonly<Record<string, string>>;
  /**
   * True if a call reads although its method is not GET, so that read-only API keys may make it.
   * Asking a question counts as reading.
   */
  reads?: true;
  /**
   * True if the call needs an authentication in the last FRESH_MINUTES. Otherwise it fails with 403
   * `fresh_code_needed` until a new code is entered.
   */
  fresh?: true;
  /**
   * True for calls of load balancers and monitors: no rate limit applies, and background work does
   * not yield.
   */
  probe?: true;
  /**
   * True for an `events` route that reports the progress of other work: no user waits for its end, so
   * background work does not yield to it.
   */
  progress?: true;
  kind: Kind;
  /** The example in the documentation. Routes without one are not in it. */
  example?: RouteExample;
  params?: z.ZodObject;
  query?: z.ZodObject;
  /** The JSON body, or the fields of an `upload` that are not files. */
  body?: z.ZodType;
  /** `data` of the response. */
  data?: z.ZodType;
  /**
   * The name of the part, if a call takes one file as multipart/form-data but is not an `upload`.
   */
  filePart?: string;
  /** For `events`: the JSON of each event by its name. */
  events?: Record<string, z.ZodType>;
  /** The success message, `OK` by default. */
  message?: string;
  /** The media type of a `text` route, text/plain by default. */
  mediaType?: string;
  /**
   * True if the call is not idempotent: clients retry it only if the server cannot have processed
   * it.
   */
  notRepeatable?: true;
  /** True for lists: the response also has `nextCursor` and `total`. */
  list?: true;
  /** Error statuses and their reasons, except 400, 401 and 429. */
  errors?: Partial<
    Record<401 | 402 | 403 | 404 | 409 | 410 | 413 | 415 | 416 | 422 | 503 | 507, string>
  >;
}

/** The caller and kind of a route that does not define them. */
interface Defaults {
  auth: 'user';
  kind: 'json';
}

type Definition = Omit<RouteDefinition, 'id' | 'method' | 'path' | keyof Defaults> &
  Partial<Pick<RouteDefinition, keyof Defaults>>;

/** Defines a route by its method and path. Keeps its literal types, which client and server use. */
export function defineRoute<const R extends Definition>(
  call: `${Method} /${string}`,
  route: R,
): R & Omit<Defaults, keyof R> & Pick<RouteDefinition, 'id' | 'method' | 'path'> {
  const [method, path] = call.split(' ') as [Method, `/${string}`];
  return { id: '', auth: 'user', kind: 'json', ...route, method, path };
}

/** The file behind a signed link, which opens it without a token. */
export const signedFile = {
  auth: 'public',
  kind: 'file',
  params: z.object({ token: z.string().max(500) }),
} as const;

/** Whether a read-only API key may make a call. */
export const isReading = ({ method, reads }: Pick<RouteDefinition, 'method' | 'reads'>): boolean =>
  method === 'GET' || reads === true;

/** The fields of a route that clients need at run time. */
type Address = 'id' | 'method' | 'path' | 'kind' | 'filePart';

/** A route as a client sees it, with or without its schemas. */
export type Callable = Pick<RouteDefinition, Address> & Partial<RouteDefinition>;

/** A call that takes one file. */
export type OneFileRoute = Callable & Required<Pick<RouteDefinition, 'filePart'>>;

type SchemaOf<R, K extends keyof RouteDefinition> = K extends keyof R
  ? Extract<R[K], z.ZodType>
  : never;
type Parsed<R, K extends keyof RouteDefinition> = [SchemaOf<R, K>] extends [never]
  ? undefined
  : z.output<SchemaOf<R, K>>;
type Unparsed<R, K extends keyof RouteDefinition> = [SchemaOf<R, K>] extends [never]
  ? undefined
  : z.input<SchemaOf<R, K>>;

export type ParamsOf<R> = Parsed<R, 'params'>;
export type QueryOf<R> = Parsed<R, 'query'>;
export type BodyOf<R> = Parsed<R, 'body'>;
/** `data` before it is checked by the contract. */
export type DataIn<R> = Unparsed<R, 'data'>;
/** `data` as the client gets it. */
export type DataOf<R> = Parsed<R, 'data'>;

type Field<Name extends string, T> = T extends undefined
  ? object
  : object extends T
    ? { [K in Name]?: T }
    : { [K in Name]: T };

/** The input of a call. */
export type InputOf<R> = Field<'params', Unparsed<R, 'params'>> &
  Field<'query', Unparsed<R, 'query'>> &
  Field<'body', Unparsed<R, 'body'>>;

/** Every JSON response. */
export interface Envelope<T> {
  message: string;
  data: T;
  nextCursor?: string | null;
  total?: number;
}
