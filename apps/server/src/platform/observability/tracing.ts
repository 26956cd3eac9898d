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

/** Records the time that parts of requests and jobs take. */
export interface Tracing {
  begin(root: Root): Trace | null;
  /** Records a part of the current work. Outside of a request or a job nothing is recorded. */
  part<T>(name: string, attributes: Attributes, work: () => Promise<T>): Promise<T>;
  readonly on: boolean;
  close(): Promise<void>;
}

export const noTracing: Tracing = {
  on: false,
  begin: () => null,
  part: (_name, _attributes, work) => work(),
  close: async () => undefined,
};

type Methods<T> = {
  [K in keyof T]: T[K] extends (...given: never[]) => Promise<unknown> ? K : never;
}[keyof T];

/** Records each call of some functions of an object, such as 'index.search' for the system 'index'. */
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
