import { asc } from 'drizzle-orm';
import type { Config } from '../../config.ts';
import type { Core } from '../../composition/core.ts';
import type { Executor } from '../../platform/database/database.ts';
import { FREE_PLAN, isFree, type Plan, SEED_PLANS } from './plans.ts';
import { plans as table, type SubscriptionRow } from './subscription.tables.ts';

/** How long the plans are cached, in milliseconds. */
const CACHE_MS = 5000;

const planOf = (row: typeof table.$inferSelect): Plan => {
  const { queriesDay, queriesWeek, queriesMonth, position: _, ...plan } = row;
  return { ...plan, queries: { day: queriesDay, week: queriesWeek, month: queriesMonth } };
};

function plansOf(all: readonly Plan[], payments: Config['payments']) {
  const names = new Map(all.map((plan) => [plan.name, plan]));
  const paid = all.filter((plan) => !isFree(plan));
  const prices = new Map(paid.map((plan) => [plan.priceId, plan]));
  const free = names.get(FREE_PLAN.name) ?? FREE_PLAN;
  return {
    free,
    /** The plan of a name, or the free one if it is unknown. */
    named: (name: string): Plan => names.get(name) ?? free,
    /** The paid plan of a price, also if it is no longer sold. */
    priced: (priceId: string): Plan | undefined => prices.get(priceId),
    /** The free plan, then those that are sold. */
    offered: [free, ...paid.filter(({ active }) => active)] as readonly Plan[],
    /** Also those that are no longer sold. */
    all,
    /** Whether a plan from this provider counts on this server. */
    counts: ({ provider }: Pick<SubscriptionRow, 'provider'>): boolean =>
      provider !== 'sandbox' || payments === 'sandbox',
  };
}

export type Plans = ReturnType<typeof plansOf>;

const readRows = (executor: Executor): Promise<(typeof table.$inferSelect)[]> =>
  executor.select().from(table).orderBy(asc(table.position), asc(table.name));

async function seed(executor: Executor): Promise<void> {
  const rows = SEED_PLANS.map(({ queries, ...plan }, position) => ({
    ...plan,
    queriesDay: queries.day,
    queriesWeek: queries.week,
    queriesMonth: queries.month,
    position,
  }));
  await executor.insert(table).values(rows).onConflictDoNothing();
}

/**
 * Reads the plans from the database, at most once in a few seconds, because each question needs them.
 * What was bought in the sandbox counts only if the sandbox is the current provider.
 */
export function createPlanCatalog({ storage, config, now }: Core) {
  let cached: { at: number; plans: Plans } | undefined;

  /** @param executor The transaction of the caller, in which it must not wait for a connection. */
  return async (executor: Executor = storage.database.db): Promise<Plans> => {
    const at = now().getTime();
    // The clock may have been set back.
    if (cached && Math.abs(at - cached.at) < CACHE_MS) return cached.plans;
    let rows = await readRows(executor);
    if (rows.length === 0) {
      await seed(executor);
      rows = await readRows(executor);
    }
    cached = { at, plans: plansOf(rows.map(planOf), config.payments) };
    return cached.plans;
  };
}
