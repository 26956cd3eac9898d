import type { FastifyBaseLogger } from 'fastify';
import type { Intake } from './intake.ts';
import type { PaymentsRepository } from './payments.repository.ts';
import type { CheckoutRow } from './payments.tables.ts';
import { ProviderDown } from './provider.ts';

export interface ReconciliationDependencies {
  repository: Pick<PaymentsRepository, 'openBefore' | 'deleteEventsBefore'>;
  intake: Pick<Intake, 'take'>;
  log: Pick<FastifyBaseLogger, 'error' | 'warn'>;
  now: () => Date;
  /** Asks how a checkout stands, and takes in what was bought by it. */
  settle: (row: CheckoutRow) => Promise<unknown>;
  /** Subscriptions at Stripe whose period has ended, and of which it has not told since. */
  unheardOf: (at: Date, limit: number) => Promise<string[]>;
}

/** How long the event of a checkout is waited for, in milliseconds. */
const EVENT_GRACE_MS = 10 * 60_000;

/** How long an event is known by, in milliseconds: Stripe sends one again for three days at most. */
const EVENTS_KEPT_MS = 30 * 24 * 3_600_000;

/** How many of a kind are asked for in one go. */
const AT_ONCE = 50;

/** Looks after what the provider was to tell and has not. */
export function createReconciliation(deps: ReconciliationDependencies) {
  const { repository, intake, log, now, settle, unheardOf } = deps;
  /** Where the last run ended: checkouts that stay open do not keep others from being asked for. */
  let after = '';

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
    const before = new Date(at.getTime() - EVENT_GRACE_MS);
    const open = await repository.openBefore(before, after, AT_ONCE);
    after = open.length < AT_ONCE ? '' : (open.at(-1)?.id ?? '');
    for (const row of open) {
      if (stopped.aborted) return true;
      if (!(await attempt(() => settle(row)))) return false;
    }
    for (const id of await unheardOf(at, AT_ONCE)) {
      if (stopped.aborted) return true;
      if (!(await attempt(() => intake.take('stripe', id)))) return false;
    }
    return true;
  };

  return {
    /**
     * Asks for open checkouts whose event has not come, and for periods that ended without a word.
     * It may be stopped between two of them, and goes on with the next run.
     */
    async run(stopped: AbortSignal): Promise<void> {
      if (!(await everything(stopped)))
        log.warn('payments are looked after once Stripe can be reached');
      await repository.deleteEventsBefore(new Date(now().getTime() - EVENTS_KEPT_MS));
    },
  };
}
