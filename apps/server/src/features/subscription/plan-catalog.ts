import { asc } from 'drizzle-orm';
import type { Config } from '../../config.ts';
import type { Database, Executor } from '../../platform/database/database.ts';
import { FREE_PLAN, isFree, type Plan, SEED_PLANS } from './plans.ts';
import { plans as table, type SubscriptionRow } from './subscription.tables.ts';

/** The plans as they are now. */
export interface Plans {
  free: Plan;
  /** The plan of a name; one that is not known gives what the free one gives. */
  named: (name: string) => Plan;
  /** The paid plan of a price, sold or not any more; undefined where there is none. */
  priced: (priceId: string) => Plan | undefined;
  /** The free plan, then those that are sold. */
  offered: readonly Plan[];
  /** Those that are not sold any more among them. */
  all: readonly Plan[];
  /** Whether what was bought from a provider gives anything on this server. */
  counts: (bought: Pick<SubscriptionRow, 'provider'>) => boolean;
}

export interface PlanCatalogDependencies {
  database: Pick<Database, 'db'>;
  now: () => Date;
  /** Who takes the money. What was bought in the sandbox counts only where it is the sandbox. */
  payments: Config['payments'];
}

/** How long plans that were read stand for those in the database, in milliseconds. */
const KEPT_MS = 5000;

const planOf = (row: typeof table.$inferSelect): Plan => {
  const { queriesDay, queriesWeek, queriesMonth, position: _, ...plan } = row;
  return { ...plan, queries: { day: queriesDay, week: queriesWeek, month: queriesMonth } };
};

function plansOf(all: readonly Plan[], payments: Config['payments']): Plans {
  const names = new Map(all.map((plan) => [plan.name, plan]));
  const paid = all.filter((plan) => !isFree(plan));
  const prices = new Map(paid.map((plan) => [plan.priceId, plan]));
  const free = names.get(FREE_PLAN.name) ?? FREE_PLAN;
  return {
    free,
    named: (name) => names.get(name) ?? free,
    priced: (priceId) => prices.get(priceId),
    offered: [free, ...paid.filter(({ active }) => active)],
    all,
    counts: ({ provider }) => provider !== 'sandbox' || payments === 'sandbox',
  };
}

const readRows = (executor: Executor): Promise<(typeof table.$inferSelect)[]> =>
  executor.select().from(table).orderBy(asc(table.position), asc(table.name));

async function fill(executor: Executor): Promise<void> {
  const seed = SEED_PLANS.map(({ queries, ...plan }, position) => ({
    ...plan,
    queriesDay: queries.day,
    queriesWeek: queries.week,
    queriesMonth: queries.month,
    position,
  }));
  await executor.insert(table).values(seed).onConflictDoNothing();
}

/**
 * The plans that can be had. They stand in the database, and a row that is changed there counts
 * within seconds: every question asks for its plan, which is not worth a statement of its own.
 */
export function createPlanCatalog({ database: { db }, now, payments }: PlanCatalogDependencies) {
  let kept: { at: number; plans: Plans } | undefined;

  /**
   * The plans, as they were read within the last seconds. A transaction hands itself in: there it
   * must not wait for another connection.
   */
  return async (executor: Executor = db): Promise<Plans> => {
    const at = now().getTime();
    // A clock that was set back says nothing about how old they are.
    if (kept && Math.abs(at - kept.at) < KEPT_MS) return kept.plans;
    let rows = await readRows(executor);
    if (rows.length === 0) {
      await fill(executor);
      rows = await readRows(executor);
    }
    const plans = plansOf(
      rows.map((row) => planOf(row)),
      payments,
    );
    kept = { at, plans };
    return plans;
  };
}
