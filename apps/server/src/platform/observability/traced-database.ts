import type { Pool, PoolClient } from 'pg';
import type { Tracing } from './tracing.ts';

/** Longest statement that a span has, in characters. */
const LONGEST = 1000;

type Query = (...given: unknown[]) => unknown;

const textOf = (given: unknown): string =>
  typeof given === 'string' ? given : String((given as { text?: unknown } | null)?.text ?? '');

/** Statements take what people say as parameters: their text is the program's own. */
function describe(statement: string): { name: string; attributes: Record<string, string> } {
  const operation = /[a-z]+/iu.exec(statement)?.[0]?.toUpperCase() ?? 'STATEMENT';
  return {
    name: `database ${operation}`,
    attributes: {
      'db.system.name': 'postgresql',
      'db.operation.name': operation,
      'db.query.text': statement.slice(0, LONGEST),
    },
  };
}

/** Whether an answer is awaited: what has a callback is the pool's own, what is submitted a stream. */
const isAwaited = (given: unknown[]): boolean =>
  typeof given.at(-1) !== 'function' &&
  typeof (given[0] as { submit?: unknown } | null)?.submit !== 'function';

function mark(target: { query: unknown }, tracing: Tracing): void {
  const query = target.query as Query;
  target.query = (...given: unknown[]): unknown => {
    if (!isAwaited(given)) return query.apply(target, given);
    const { name, attributes } = describe(textOf(given[0]));
    return tracing.part(name, attributes, () => query.apply(target, given) as Promise<unknown>);
  };
}

/**
 * Makes each statement a part of the work that it is sent for, with the wait for a connection where
 * it has none yet. Does nothing where nothing is traced.
 */
export function traceDatabase(pool: Pool, tracing: Tracing): void {
  if (!tracing.on) return;
  const marked = new WeakSet<PoolClient>();
  mark(pool, tracing);
  pool.on('acquire', (client: PoolClient) => {
    if (marked.has(client)) return;
    marked.add(client);
    mark(client, tracing);
  });
}
