import type { FastifyBaseLogger } from 'fastify';
import type { Config } from '../../config.ts';
import { createPlanCatalog } from './plan-catalog.ts';
import { retentionLetter } from './plan-letters.ts';
import { createPlanMails, type PlanMailsDependencies } from './plan-mails.ts';
import { deletionDate, stepAt, type Warnings, warningsAmong } from './retention-schedule.ts';
import { hasRunOut } from './standing.ts';
import { storageOf } from './plans.ts';
import { createSubscriptionRepository } from './subscription.repository.ts';

export interface RetentionDependencies extends PlanMailsDependencies {
  /** Whether limits are enforced, or only shown. */
  limits: 'enforce' | 'off';
  /** Who takes the money. */
  payments: Config['payments'];
  /** Address under which people reach the server, where it is set. */
  publicUrl: string | undefined;
  log: Pick<FastifyBaseLogger, 'info' | 'warn'>;
  /** Bytes that a person's files take. */
  storedBytes: (userId: string) => Promise<number>;
  /** The newest files that would have to go for the rest to take so many bytes, newest first. */
  newestBeyond: (
    userId: string,
    bytes: number,
  ) => Promise<{ id: string; fileName: string; size: number }[]>;
  /** Deletes a person's files; answers those that were there. */
  deleteFiles: (userId: string, ids: readonly string[]) => Promise<string[]>;
}

/** Somebody whose files are above the free storage since a plan ended. */
interface Overdrawn {
  userId: string;
  plan: string;
  endsAt: Date;
  stored: number;
  /** Bytes that the free plan stores. */
  free: number;
  warnings: Warnings;
}

/** People in one page of those whose plan has ended. */
const PEOPLE_PER_PAGE = 500;
/** Files that go before everything is asked for anew. */
const FILES_AT_ONCE = 100;

/**
 * What becomes of files that are above the free storage after a cancelled plan: two warnings, and a
 * week after the end the newest go until the rest fits. Each run looks at everything anew, so it may
 * be cut short and run again at any time.
 */
export function createRetention(deps: RetentionDependencies) {
  const { database, now, log } = deps;
  const repository = createSubscriptionRepository(database);
  const readPlans = createPlanCatalog(deps);
  const mails = createPlanMails(deps);

  /** Whether files may go at all: what was only printed in a log has warned nobody. */
  const isOn = (): boolean => deps.limits === 'enforce' && mails.areSent();

  const look = async (userId: string): Promise<Overdrawn | null> => {
    const row = await repository.find(userId);
    const at = now();
    if (!row?.endsAt || !hasRunOut(row, at)) return null;
    const free = storageOf((await readPlans()).free);
    const stored = await deps.storedBytes(userId);
    if (stored <= free) return null;
    const { plan, endsAt } = row;
    const sent = await mails.about(userId, endsAt.toISOString());
    return { userId, plan, endsAt, stored, free, warnings: warningsAmong(sent, at) };
  };

  const warn = async (found: Overdrawn, warning: 'first' | 'second'): Promise<void> => {
    const { userId, plan, endsAt, stored, free, warnings } = found;
    const at = now();
    const told = warning === 'first' ? { first: at } : { ...warnings, second: at };
    const files = await deps.newestBeyond(userId, free);
    if (files.length === 0) return;
    const kind = warning === 'first' ? 'retention:1' : 'retention:2';
    const deletedOn = deletionDate(endsAt, told, at);
    const notice = { warning, plan, endedAt: endsAt, stored, free, files, deletedOn };
    await mails.send(userId, [{ kind, about: endsAt.toISOString() }], (email) =>
      retentionLetter(email, notice, deps.publicUrl),
    );
  };

  const deleteNewest = async (userId: string): Promise<void> => {
    let deleted = 0;
    for (;;) {
      const found = await look(userId);
      if (!found || stepAt(found.endsAt, found.warnings, now()) !== 'deletion') break;
      const files = await deps.newestBeyond(userId, found.free);
      const ids = files.slice(0, FILES_AT_ONCE).map(({ id }) => id);
      const gone = await deps.deleteFiles(userId, ids);
      deleted += gone.length;
      if (gone.length === 0) break;
    }
    log.info({ userId, deleted }, 'files above the free storage were deleted after a plan ended');
  };

  const visit = async (userId: string): Promise<void> => {
    const found = await look(userId);
    if (!found) return;
    const step = stepAt(found.endsAt, found.warnings, now());
    if (step === 'first warning') await warn(found, 'first');
    else if (step === 'second warning') await warn(found, 'second');
    else if (step === 'deletion') await deleteNewest(userId);
  };

  return {
    /** Does what is due for everybody; a failure with one person is tried again in the next run. */
    async run(signal: AbortSignal): Promise<void> {
      if (!isOn()) return;
      let after: string | undefined;
      do {
        const people = await repository.runOut(now(), PEOPLE_PER_PAGE, after);
        for (const userId of people) {
          if (signal.aborted) return;
          await visit(userId).catch((error: unknown) => {
            log.warn(
              { err: error, userId },
              'files above the free storage are looked at again later',
            );
          });
        }
        after = people.length === PEOPLE_PER_PAGE ? people.at(-1) : undefined;
      } while (after !== undefined);
    },
  };
}
