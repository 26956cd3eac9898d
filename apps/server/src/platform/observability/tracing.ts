import type { Attributes, Span } from '@opentelemetry/api';
import type { IncomingHttpHeaders } from 'node:http';

/** The beginning of a trace: what came from outside, or a job. */
export interface Root {
  name: string;
  kind: 'server' | 'consumer';
  attributes: Attributes;
  /** The headers of a request, which may name the trace that it is a part of. */
  headers?: IncomingHttpHeaders;
}

/** A trace that goes on. */
export interface Trace {
  span: Span;
  /** Ends it, with what is known by then. */
  end(attributes: Attributes, failed: boolean): void;
}

/** Records what requests and jobs spend their time on. */
export interface Tracing {
  /** Begins a trace; null where nothing is traced. */
  begin(root: Root): Trace | null;
  /** Does a part of the running work. Outside of a request or a job nothing is recorded. */
  part<T>(name: string, attributes: Attributes, work: () => Promise<T>): Promise<T>;
  /** Whether parts are worth being marked. */
  readonly on: boolean;
  /** Sends what was recorded last. */
  close(): Promise<void>;
}

/** What records nothing, and costs nothing. */
export const noTracing: Tracing = {
  on: false,
  begin: () => null,
  part: (_name, _attributes, work) => work(),
  close: async () => undefined,
};

type Methods<T> = {
  [K in keyof T]: T[K] extends (...given: never[]) => Promise<unknown> ? K : never;
}[keyof T];

/**
 * The same object of functions, each call of some of them a part of the work that it is made for.
 * @param system what the parts are named by, such as 'index' for `index.search`
 */
export function traced<T extends object>(
  tracing: Tracing,
  system: string,
  target: T,
  methods: readonly (Methods<T> & string)[],
): T {
  if (!tracing.on) return target;
  const marked = methods.map((method) => {
    const call = target[method] as (...given: unknown[]) => Promise<unknown>;
    const part = (...given: unknown[]) =>
      tracing.part(`${system}.${method}`, {}, () => call(...given));
    return [method, part];
  });
  return { ...target, ...Object.fromEntries(marked) } as T;
}
