import { AsyncLocalStorage } from 'node:async_hooks';
import type { Span } from '@opentelemetry/api';

export interface Work {
  /** Fields for the log: `reqId`, or `jobId` and `queue`. */
  names: Readonly<Record<string, string>>;
  /** Whether it has ended. Tasks that it started may still run. */
  isOver: boolean;
}

interface Frame {
  work: Work;
  span: Span | null;
}

const current = new AsyncLocalStorage<Frame>();

const frame = (): Frame | undefined => {
  const stored = current.getStore();
  return stored?.work.isOver === false ? stored : undefined;
};

export const runFor = <T>(work: Work, span: Span | null, run: () => T): T =>
  current.run({ work, span }, run);

export const currentWork = (): Work | undefined => frame()?.work;

export const currentSpan = (): Span | null => frame()?.span ?? null;

/** The log fields of the current work. */
export function namesOfWork(): Readonly<Record<string, string>> {
  const { work, span } = frame() ?? {};
  if (!work) return {};
  return span ? { ...work.names, traceId: span.spanContext().traceId } : work.names;
}
