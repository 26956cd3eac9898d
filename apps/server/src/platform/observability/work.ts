import { AsyncLocalStorage } from 'node:async_hooks';
import type { Span } from '@opentelemetry/api';

/** What code works for: a request, or a job of the background. */
export interface Work {
  /** What the log says of it: the id of a request as `reqId`, or `jobId` with its `queue`. */
  names: Readonly<Record<string, string>>;
  /** What was begun for it may outlive it, and serve others: it is no more this one's. */
  over: boolean;
}

interface Frame {
  work: Work;
  /** The part of the work that goes on, where it is traced. */
  span: Span | null;
}

const current = new AsyncLocalStorage<Frame>();

const frame = (): Frame | undefined => {
  const found = current.getStore();
  return found?.work.over === false ? found : undefined;
};

/** Runs something for a work, and for a part of it where it is traced. */
export const runFor = <T>(work: Work, span: Span | null, run: () => T): T =>
  current.run({ work, span }, run);

/** The work that the running code does; undefined where it works for none. */
export const currentWork = (): Work | undefined => frame()?.work;

/** The part of it that goes on; null where nothing is traced. */
export const currentSpan = (): Span | null => frame()?.span ?? null;

/** What a line of the log says of the work that it is written for. */
export function namesOfWork(): Readonly<Record<string, string>> {
  const { work, span } = frame() ?? {};
  if (!work) return {};
  return span ? { ...work.names, traceId: span.spanContext().traceId } : work.names;
}
