import type { Pool, PoolClient } from 'pg';
import type { Tracing } from './tracing.ts';

/** Maximum length of a statement in a span, in characters. */
const LONGEST = 1000;

type Query = (...given: unknown[]) => unknown;

const textOf = (given: unknown): string =>
  typeof given === 'string' ? given : String((given as { text?: unknown } | null)?.text ?? '');

/** Values are parameters, so the text of a statement contains no user data. */
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

/** Whether a promise is returned: the pool itself passes a callback, and a stream has `submit`. */
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

/** Records a span for each statement, including the wait for a connection. */
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
