import type { Attributes, Span } from '@opentelemetry/api';
import type { IncomingHttpHeaders } from 'node:http';

export interface Root {
  name: string;
  kind: 'server' | 'consumer';
  attributes: Attributes;
  /** The headers of a request, which may name its trace. */
  headers?: IncomingHttpHeaders;
}

interface Trace {
  span: Span;
  end(attributes: Attributes, failed: boolean): void;
}

/** Records the duration of parts of requests and jobs. */
export interface Tracing {
  begin(root: Root): Trace | null;
  /** Records a part of the current request or job, if there is one. */
  part<T>(name: string, attributes: Attributes, task: () => Promise<T>): Promise<T>;
  readonly on: boolean;
  close(): Promise<void>;
}

export const noTracing: Tracing = {
  on: false,
  begin: () => null,
  part: (_name, _attributes, task) => task(),
  close: async () => undefined,
};

type Methods<T> = {
  [K in keyof T]: T[K] extends (...args: never[]) => Promise<unknown> ? K : never;
}[keyof T];

/** Records each call of the given methods, such as 'index.search' for the system 'index'. */
export function traced<T extends object>(
  tracing: Tracing,
  system: string,
  target: T,
  methods: readonly (Methods<T> & string)[],
): T {
  if (!tracing.on) return target;
  const tracedMethods = methods.map((method) => {
    const call = target[method] as (...args: unknown[]) => Promise<unknown>;
    const part = (...args: unknown[]) =>
      tracing.part(`${system}.${method}`, {}, () => call(...args));
    return [method, part];
  });
  return { ...target, ...Object.fromEntries(tracedMethods) } as T;
}
