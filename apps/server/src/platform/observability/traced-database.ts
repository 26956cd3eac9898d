import type { Pool, PoolClient } from 'pg';
import type { Tracing } from './tracing.ts';

/** The maximum length of a statement in a span. */
const MAX_LENGTH = 1000;

type Query = (...args: unknown[]) => unknown;

const textOf = (query: unknown): string =>
  typeof query === 'string' ? query : String((query as { text?: unknown } | null)?.text ?? '');

/** The text of a statement contains no user data, because values are parameters. */
function describe(statement: string): { name: string; attributes: Record<string, string> } {
  const operation = /[a-z]+/iu.exec(statement)?.[0]?.toUpperCase() ?? 'STATEMENT';
  return {
    name: `database ${operation}`,
    attributes: {
      'db.system.name': 'postgresql',
      'db.operation.name': operation,
      'db.query.text': statement.slice(0, MAX_LENGTH),
    },
  };
}

/** Whether the call returns a promise. The pool itself passes a callback, and a stream has `submit`. */
const isAwaited = (args: unknown[]): boolean =>
  typeof args.at(-1) !== 'function' &&
  typeof (args[0] as { submit?: unknown } | null)?.submit !== 'function';

function traceQueries(target: { query: unknown }, tracing: Tracing): void {
  const query = target.query as Query;
  target.query = (...args: unknown[]): unknown => {
    if (!isAwaited(args)) return query.apply(target, args);
    const { name, attributes } = describe(textOf(args[0]));
    return tracing.part(name, attributes, () => query.apply(target, args) as Promise<unknown>);
  };
}

/** Records a span for each statement, including the wait for a connection. */
export function traceDatabase(pool: Pool, tracing: Tracing): void {
  if (!tracing.on) return;
  const tracedClients = new WeakSet<PoolClient>();
  traceQueries(pool, tracing);
  pool.on('acquire', (client: PoolClient) => {
    if (tracedClients.has(client)) return;
    tracedClients.add(client);
    traceQueries(client, tracing);
  });
}
