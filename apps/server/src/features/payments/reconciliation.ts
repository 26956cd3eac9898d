import { lte } from 'drizzle-orm';
import { type CheckoutRow, paymentEvents } from './payments.tables.ts';
import type { PaymentsContext } from './payments-context.ts';
import type { PlanChanges } from './plan-changes.ts';
import type { PlanLock } from './plan-lock.ts';
import { ProviderDown } from './provider.ts';
import type { SubscriptionSync } from './subscription-sync.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

/** How long events are remembered, in milliseconds: Stripe repeats one for up to three days. */
const EVENT_RETENTION_MS = 30 * DAY_MS;

const CHECKOUT_RETENTION_MS = 30 * DAY_MS;

const [MIN_POLL_INTERVAL_MS, MAX_POLL_INTERVAL_MS] = [5 * MINUTE_MS, DAY_MS / 4];

const READ_AT_ONCE = 50;

export const firstPollAt = (createdAt: Date): Date =>
  new Date(createdAt.getTime() + 10 * MINUTE_MS);

/** The next poll of a checkout: the older it is, the later. */
function nextPollAt({ createdAt }: CheckoutRow, at: Date): Date {
  const age = at.getTime() - createdAt.getTime();
  const interval = Math.min(MAX_POLL_INTERVAL_MS, Math.max(MIN_POLL_INTERVAL_MS, age / 4));
  return new Date(at.getTime() + interval);
}

export function createReconciliation(
  { core, subscription, repository, current }: PaymentsContext,
  sync: SubscriptionSync,
  lock: PlanLock,
  changes: PlanChanges,
) {
  const { log, now } = core;

  /** @throws ProviderDown, because the rest would fail too. Other errors are logged. */
  const attempt = async (work: () => Promise<unknown>): Promise<void> => {
    try {
      await work();
    } catch (error) {
      if (error instanceof ProviderDown) throw error;
      log.error({ err: error }, 'a payment could not be reconciled');
    }
  };

  const reconcile = async (signal: AbortSignal): Promise<void> => {
    const at = now();
    await attempt(lock.finishInterrupted);
    for (const row of await repository.duePolls(at, READ_AT_ONCE)) {
      if (signal.aborted) return;
      await attempt(() => changes.settle(row));
      await repository.setNextPoll(row.id, nextPollAt(row, at));
    }
    if (!current) return;
    for (const id of await subscription.outdated(current.name, at, READ_AT_ONCE)) {
      if (signal.aborted) return;
      await attempt(() => sync.sync(current.name, id));
    }
  };

  /** Reads what no event has reported, and deletes old rows. An interrupted run goes on with the next. */
  return async (signal = new AbortController().signal): Promise<void> => {
    await reconcile(signal).catch((error: unknown) => {
      if (!(error instanceof ProviderDown)) throw error;
      log.warn('payments are reconciled when Stripe can be reached');
    });
    const at = now().getTime();
    const eventsUntil = new Date(at - EVENT_RETENTION_MS);
    await core.storage.database.db
      .delete(paymentEvents)
      .where(lte(paymentEvents.receivedAt, eventsUntil));
    await repository.deleteEndedBefore(new Date(at - CHECKOUT_RETENTION_MS));
  };
}
