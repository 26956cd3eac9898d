import { randomUUID } from 'node:crypto';
import { planBusy } from './payments.errors.ts';
import type { PaymentsRepository } from './payments.repository.ts';
import type { PlanWork } from './payments.tables.ts';
import { ProviderDown } from './provider.ts';

/**
 * How long a lock is held at most, in seconds: longer than the calls of a provider may take. The lock
 * of a server that was killed expires then.
 */
const LOCK_SECONDS = 180;

export interface PlanLockDependencies {
  repository: Pick<PaymentsRepository, 'lockPlan' | 'saveWork' | 'unlock' | 'releaseLocks'>;
  /** Finishes the work of a lock whose holder was cut off. */
  finish: (work: PlanWork) => Promise<void>;
}

export type WithPlanLock = ReturnType<typeof createPlanLock>;

/** Stores what is about to be done at the provider. After a kill it is finished later. */
export type Note = (work: PlanWork) => Promise<void>;

/**
 * One purchase, change or end of a user's plan at a time, so that each starts from the result of the
 * one before. Calls on one server wait for each other. A call is refused while another server on the
 * same database holds the lock. No transaction is open while a provider is asked.
 */
export function createPlanLock({ repository, finish }: PlanLockDependencies) {
  /** The end of each user's last work on this server. */
  const ends = new Map<string, Promise<unknown>>();

  const hold = async <T>(userId: string, work: (note: Note) => Promise<T>): Promise<T> => {
    const holder = randomUUID();
    const locked = await repository.lockPlan(userId, holder, LOCK_SECONDS);
    if (!locked) throw planBusy();
    let noted = locked.work;
    try {
      if (noted) await finish(noted);
      noted = null;
      const result = await work(async (about) => {
        noted = about.nextPriceId === null ? null : about;
        await repository.saveWork(userId, holder, about);
      });
      noted = null;
      return result;
    } catch (error) {
      if (!(error instanceof ProviderDown)) noted = null;
      throw error;
    } finally {
      // Work that could not be finished is left to the next holder.
      await (noted ? repository.releaseLocks(holder) : repository.unlock(userId, holder));
    }
  };

  /** @throws HttpError 409 while another server holds the lock. */
  return <T>(userId: string, work: (note: Note) => Promise<T>): Promise<T> => {
    const before = ends.get(userId) ?? Promise.resolve();
    const running = before.then(() => hold(userId, work));
    const end = running
      .catch(() => undefined)
      .finally(() => {
        if (ends.get(userId) === end) ends.delete(userId);
      });
    ends.set(userId, end);
    return running;
  };
}
