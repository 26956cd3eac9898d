import type { FastifyBaseLogger } from 'fastify';
import type { OverdrawnPlans } from '../subscription/overdrawn-plans.ts';
import type { ArtifactDeletion } from './artifact-deletion.ts';

const USERS_PER_PAGE = 500;
const BATCH = 100;

/**
 * Deletes the newest files above the free storage a week after a plan ended, after two warnings. Each run
 * starts over, so it can be interrupted at any time.
 */
export function createRetention(
  overdrawn: OverdrawnPlans,
  { deleteForPlan, newestBeyond }: Pick<ArtifactDeletion, 'deleteForPlan' | 'newestBeyond'>,
  log: Pick<FastifyBaseLogger, 'info' | 'warn'>,
) {
  const apply = async (userId: string): Promise<void> => {
    let total = 0;
    for (;;) {
      const plan = await overdrawn.find(userId);
      if (!plan?.step) break;
      const files = await newestBeyond(userId, plan.free);
      if (plan.step !== 'deletion') {
        const warning = plan.step === 'first warning' ? 'first' : 'second';
        if (files.length > 0) await overdrawn.warn(userId, plan, warning, files);
        break;
      }
      const newest = files.slice(0, BATCH).map(({ id }) => id);
      const deleted = await deleteForPlan(userId, newest);
      total += deleted.length;
      if (deleted.length === 0) break;
    }
    if (total > 0) {
      log.info({ userId, deleted: total }, 'files above the free storage were deleted');
    }
  };

  return {
    /** Warns users and deletes files as due. After an error, the next run checks the user again. */
    async run(signal: AbortSignal): Promise<void> {
      if (!overdrawn.isOn()) return;
      let after: string | undefined;
      do {
        const users = await overdrawn.endedPlans(USERS_PER_PAGE, after);
        for (const userId of users) {
          if (signal.aborted) return;
          await apply(userId).catch((err: unknown) => {
            log.warn({ err, userId }, 'files above the free storage will be checked again');
          });
        }
        after = users.length === USERS_PER_PAGE ? users.at(-1) : undefined;
      } while (after !== undefined);
    },
  };
}
