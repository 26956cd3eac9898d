import type { Core } from '../../composition/core.ts';
import type { Mount } from '../../platform/http/mount.ts';
import type { RegularTask } from '../../platform/jobs/regular.ts';
import { type AccountServices, createAccountDeletion } from './account-deletion.ts';
import type { ArtifactDeletion } from './artifact-deletion.ts';
import { type AccountDeletionParts, mountAccountDeletion } from './deletion.routes.ts';
import { createErasure } from './erasure.ts';
import { createRetention } from './retention.ts';

const HOUR_MS = 3_600_000;

/**
 * Everything that is deleted, and when:
 *
 * - artifacts, at the request of the user (`artifact-deletion.ts`), when a new version is ready, and
 *   above the free storage after a plan ended (`retention.ts`),
 * - accounts (`account-deletion.ts`),
 * - the bytes that both leave on the disk (`erasure.ts`).
 */
export function createDeletion(
  core: Core,
  artifacts: ArtifactDeletion,
  services: AccountServices & AccountDeletionParts,
) {
  const accounts = createAccountDeletion(core, services);
  const retention = createRetention(services.subscription.overdrawn, artifacts, core.log);
  const erasure = createErasure(core);
  const tasks: RegularTask[] = [
    { name: 'settle', everyMs: HOUR_MS, atStart: true, run: artifacts.deleteAllReplaced },
    { name: 'retain', everyMs: HOUR_MS, atStart: true, run: retention.run },
    { name: 'purge', everyMs: HOUR_MS, atStart: true, run: erasure.purgeIndexes },
    { name: 'maintain', everyMs: HOUR_MS, run: erasure.scrubDatabase },
  ];

  return {
    retention,
    erasure,
    tasks,
    /** Defines the queues. */
    async define(): Promise<void> {
      await artifacts.define();
      await accounts.define();
    },
    /** Mounts the calls that delete an account. Those for artifacts are in the artifacts feature. */
    routes: (mount: Mount): void => mountAccountDeletion(mount, accounts, services),
  };
}
