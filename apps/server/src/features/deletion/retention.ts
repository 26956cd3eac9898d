import type { FastifyBaseLogger } from 'fastify';
import type { OverdrawnPlans } from '../subscription/overdrawn-plans.ts';
import type { ArtifactDeletion } from './artifact-deletion.ts';

/** Users in one page. */
const USERS_PER_PAGE = 500;
/** Files deleted before the plan is looked up again. */
const BATCH = 100;

/**
 * Deletes files above the free storage after a cancelled plan: two warnings, and a week after the end
 * the newest files until the rest fits. Each run starts over, so it can be interrupted at any time.
 */
export function createRetention(
  overdrawn: OverdrawnPlans,
  { deleteForPlan, newestBeyond }: Pick<ArtifactDeletion, 'deleteForPlan' | 'newestBeyond'>,
  log: Pick<FastifyBaseLogger, 'info' | 'warn'>,
) {
  const deleteNewest = async (userId: string): Promise<void> => {
    let total = 0;
    for (;;) {
      const plan = await overdrawn.find(userId);
      if (plan?.step !== 'deletion') break;
      const files = await newestBeyond(userId, plan.free);
      const deleted = await deleteForPlan(
        userId,
        files.slice(0, BATCH).map(({ id }) => id),
      );
      total += deleted.length;
      if (deleted.length === 0) break;
    }
    log.info({ userId, deleted: total }, 'files above the free storage were deleted');
  };

  const apply = async (userId: string): Promise<void> => {
    const plan = await overdrawn.find(userId);
    if (!plan?.step) return;
    if (plan.step === 'deletion') return deleteNewest(userId);
    const files = await newestBeyond(userId, plan.free);
    const warning = plan.step === 'first warning' ? 'first' : 'second';
    if (files.length > 0) await overdrawn.warn(userId, plan, warning, files);
  };

  return {
    /** Does what is due for all users. After an error the user's turn comes again in the next run. */
    async run(signal: AbortSignal): Promise<void> {
      if (!overdrawn.isOn()) return;
      let after: string | undefined;
      do {
        const users = await overdrawn.endedPlans(USERS_PER_PAGE, after);
        for (const userId of users) {
          if (signal.aborted) return;
          await apply(userId).catch((error: unknown) => {
            log.warn(
              { err: error, userId },
              'files above the free storage are checked again later',
            );
          });
        }
        after = users.length === USERS_PER_PAGE ? users.at(-1) : undefined;
      } while (after !== undefined);
    },
  };
}
