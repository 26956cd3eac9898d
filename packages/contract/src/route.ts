import type { z } from 'zod';

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

/** Who may call: anybody, a signed-in person, or a signed-in person with the ADMIN role. */
export type Auth = 'public' | 'user' | 'admin';

/**
 * How a call answers:
 * - `json`   `{message, data}`
 * - `upload` takes multipart/form-data, answers `{message, data}`
 * - `file`   answers a file's bytes, with ranges
 * - `events` answers `{message, data}`, or server-sent events when the caller accepts `text/event-stream`
 * - `text`   answers text, see `mediaType`
 */
export type Kind = 'json' | 'upload' | 'file' | 'events' | 'text';

/**
 * How an SDK method takes what a call needs. The path parameters come first, then `args`. All other
 * fields of the query or the body are options.
 */
export interface SdkMethod {
  /** Fields that are positional arguments, after the path parameters; `?` marks one that may be missing. */
  args?: readonly string[];
  /** Fields that the method sets itself, such as the verb of a bulk call. */
  fixed?: Readonly<Record<string, string>>;
  /** Values of fields that the caller leaves out, where they differ from those of the server. */
  defaults?: Readonly<Record<string, boolean | number>>;
  /** The fields that are options, where it is not all the others. */
  options?: readonly string[];
  /** True where each SDK writes the method by hand, over the generated call and its types. */
  handWritten?: true;
}

/**
 * One call of a route as the documentation shows it. `$NAME` in a value is a variable of the reader,
 * such as the id of one of their files.
 */
export interface RouteExample {
  params?: Readonly<Record<string, string>>;
  query?: Readonly<Record<string, string>>;
  /** JSON. */
  body?: unknown;
  /** multipart/form-data; files are parts named `files`, unless the route names another. */
  form?: {
    fields: Readonly<Record<string, string>>;
    file?: { name: string; content: string };
  };
  /** The message of the answer, where it is not the route's own. */
  message?: string;
}

export interface RouteDefinition {
  /** Unique, `<feature>.<verbNoun>`; the OpenAPI operationId. */
  id: string;
  method: Method;
  /** Below `/v1`, parameters as `{name}`. */
  path: `/${string}`;
  summary: string;
  auth: Auth;
  /** True where a developer's API key opens the call too. */
  apiKey?: true;
  /**
   * The methods of the SDKs that make the call, by name, such as `files.get`. Every route that an API
   * key opens has at least one, unless another route does the same.
   */
  sdk?: Readonly<Record<string, SdkMethod>>;
  /** The names of fields in the SDKs, if they differ from those of the API. */
  sdkNames?: Readonly<Record<string, string>>;
  /**
   * True where a call changes nothing although its method is not GET: an API key that only reads opens
   * it. Asking a question counts as reading, though it stands in the history afterwards.
   */
  reads?: true;
  /**
   * True where the person must have proved who they are in the last FRESH_MINUTES: a session whose
   * proof is older is answered with 403 `fresh_code_needed`, and a code makes it fresh again.
   */
  fresh?: true;
  /**
   * True where machines ask that watch the server: the call counts for no limit, and no work in the
   * background steps back for it.
   */
  probe?: true;
  /**
   * True for an `events` route that reports the progress of other work: no user waits for its end, so
   * background work does not yield to it.
   */
  progress?: true;
  kind: Kind;
  /** How the documentation shows the call; routes without an example are not in it. */
  example?: RouteExample;
  params?: z.ZodObject;
  query?: z.ZodObject;
  /** JSON body; for `upload` the multipart fields that are not files. */
  body?: z.ZodType;
  /** What stands under `data` in the answer. */
  data?: z.ZodType;
  /** Where a call takes one file as multipart/form-data and answers otherwise than an upload: the part's name. */
  filePart?: string;
  /** For `events`: each event's name and the shape of its JSON. */
  events?: Record<string, z.ZodType>;
  /** The documented success message; `OK` where the specification names none. */
  message?: string;
  /** Media type of a `text` route's answer; text/plain where it is not said. */
  mediaType?: string;
  /**
   * True where a second call would not do the same as the first, so that clients send it again only
   * if the server cannot have acted on it.
   */
  notRepeatable?: true;
  /** True for lists: the answer carries `nextCursor` and `total` beside `data`. */
  list?: true;
  /** Statuses beyond 400, 429 and, where sign-in is needed, 401 that a caller should expect, each with its reason. */
  errors?: Partial<Record<401 | 402 | 403 | 404 | 409 | 410 | 413 | 415 | 416 | 503 | 507, string>>;
}

/** Defines a route by its method and path. Keeps its literal types, which client and server use. */
export function defineRoute<const R extends Omit<RouteDefinition, 'method' | 'path'>>(
  call: `${Method} /${string}`,
  route: R,
): R & Pick<RouteDefinition, 'method' | 'path'> {
  const [method, path] = call.split(' ') as [Method, `/${string}`];
  return { ...route, method, path };
}

/** What most routes have in common: a signed-in user calls them, and they answer JSON. */
export const userCall = { auth: 'user', kind: 'json' } as const;

/** A call for users that an API key opens too. */
export const keyCall = { ...userCall, apiKey: true } as const;

/** Whether an API key that only reads opens a call. */
export const isReading = ({ method, reads }: Pick<RouteDefinition, 'method' | 'reads'>): boolean =>
  method === 'GET' || reads === true;

/** What a caller needs of a route at run time. */
type Address = 'id' | 'method' | 'path' | 'kind' | 'filePart';

/** A route as a caller sees it: its schemas say what goes in and out, and need not be there. */
export type Callable = Pick<RouteDefinition, Address> & Partial<RouteDefinition>;

/** A call that takes one file. */
export type FileTaking = Callable & Required<Pick<RouteDefinition, 'filePart'>>;

type SchemaOf<R, K extends keyof RouteDefinition> = K extends keyof R
  ? Extract<R[K], z.ZodType>
  : never;
type Parsed<R, K extends keyof RouteDefinition> = [SchemaOf<R, K>] extends [never]
  ? undefined
  : z.output<SchemaOf<R, K>>;
type Given<R, K extends keyof RouteDefinition> = [SchemaOf<R, K>] extends [never]
  ? undefined
  : z.input<SchemaOf<R, K>>;

export type ParamsOf<R> = Parsed<R, 'params'>;
export type QueryOf<R> = Parsed<R, 'query'>;
export type BodyOf<R> = Parsed<R, 'body'>;
/** What the server may hand in as `data` before it is checked against the contract. */
export type DataIn<R> = Given<R, 'data'>;
/** What the client gets as `data`. */
export type DataOf<R> = Parsed<R, 'data'>;

type Field<Name extends string, T> = T extends undefined
  ? object
  : object extends T
    ? { [K in Name]?: T }
    : { [K in Name]: T };

/** What a caller hands in for a route. */
export type InputOf<R> = Field<'params', Given<R, 'params'>> &
  Field<'query', Given<R, 'query'>> &
  Field<'body', Given<R, 'body'>>;

/** What every JSON answer looks like. */
export interface Envelope<T> {
  message: string;
  data: T;
  nextCursor?: string | null;
  total?: number;
}

/** What every error looks like; `message` is a sentence for a person, `code` is stable. */
export interface ErrorBody {
  message: string;
  code: string;
}
