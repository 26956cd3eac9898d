import type { FastifyBaseLogger } from 'fastify';
import type { Intake } from './intake.ts';
import { nextLook } from './looks.ts';
import type { PaymentsRepository } from './payments.repository.ts';
import type { CheckoutRow } from './payments.tables.ts';
import { ProviderDown, type ProviderName } from './provider.ts';

export interface ReconciliationDependencies {
  repository: Pick<
    PaymentsRepository,
    'toLookAt' | 'lookAgainAt' | 'deleteEventsBefore' | 'deleteEndedBefore'
  >;
  intake: Pick<Intake, 'take'>;
  /** Finishes what calls that were cut off have left. */
  finishLeft: () => Promise<void>;
  log: Pick<FastifyBaseLogger, 'error' | 'warn'>;
  now: () => Date;
  /** Asks how a checkout stands, and takes in what was bought by it. */
  settle: (row: CheckoutRow) => Promise<unknown>;
  /** Subscriptions whose period has ended, and of which nothing was told since. */
  unheardOf: (
    at: Date,
    limit: number,
  ) => Promise<{ provider: ProviderName; subscription: string }[]>;
}

/** How long an event is known by, in milliseconds: Stripe sends one again for three days at most. */
const EVENTS_KEPT_MS = 30 * 24 * 3_600_000;

/** How long a checkout that has ended can be looked up, in milliseconds. */
const CHECKOUTS_KEPT_MS = 30 * 24 * 3_600_000;

/** How many of a kind are asked for in one go. */
const AT_ONCE = 50;

/** Looks after what the provider was to tell and has not. */
export function createReconciliation(deps: ReconciliationDependencies) {
  const { repository, intake, finishLeft, log, now, settle, unheardOf } = deps;
  /** False where the provider is down: the rest would only wait for it too. */
  const attempt = async (work: () => Promise<unknown>): Promise<boolean> => {
    try {
      await work();
      return true;
    } catch (error) {
      if (error instanceof ProviderDown) return false;
      log.error({ err: error }, 'a payment could not be looked after');
      return true;
    }
  };

  const everything = async (stopped: AbortSignal): Promise<boolean> => {
    const at = now();
    if (!(await attempt(finishLeft))) return false;
    for (const row of await repository.toLookAt(at, AT_ONCE)) {
      if (stopped.aborted) return true;
      if (!(await attempt(() => settle(row)))) return false;
      await repository.lookAgainAt(row.id, nextLook(row, at));
    }
    for (const { provider, subscription } of await unheardOf(at, AT_ONCE)) {
      if (stopped.aborted) return true;
      if (!(await attempt(() => intake.take(provider, subscription)))) return false;
    }
    return true;
  };

  return {
    /**
     * Asks for open checkouts whose event has not come, and for periods that ended without a word;
     * deletes what nobody asks for any more. It may be stopped between two of them, and goes on with
     * the next run.
     */
    async run(stopped: AbortSignal): Promise<void> {
      if (!(await everything(stopped)))
        log.warn('payments are looked after once Stripe can be reached');
      const at = now().getTime();
      await repository.deleteEventsBefore(new Date(at - EVENTS_KEPT_MS));
      await repository.deleteEndedBefore(new Date(at - CHECKOUTS_KEPT_MS));
    },
  };
}
