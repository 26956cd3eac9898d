import { Readable } from 'node:stream';
import { deleteAccount, deleteAccountByPut } from '@engram/contract';
import type { FastifyReply } from 'fastify';
import type { Core } from '../../composition/core.ts';
import type { Mount } from '../../platform/http/mount.ts';
import type { ScheduledTask } from '../../platform/jobs/scheduled-tasks.ts';
import { type AccountServices, createAccountDeletion } from './account-deletion.ts';
import type { ArtifactDeletion } from './artifact-deletion.ts';
import { createRetention } from './retention.ts';

const HOUR_MS = 3_600_000;

const CONCURRENT_PURGES = 4;

interface Services extends AccountServices {
  /** Deletes the cookie of the session. */
  clearSession: (reply: FastifyReply) => void;
}

/** Deletes artifacts and accounts, and erases their bytes from the disk. */
export function createDeletion(core: Core, artifacts: ArtifactDeletion, services: Services) {
  const { index, database } = core.storage;
  const accounts = createAccountDeletion(core, services);
  const retention = createRetention(services.subscription.overdrawn, artifacts, core.log);
  // Deleting a row only marks its space as free.
  const erasure = {
    /** The index also does this seconds after a deletion, unless the server stops first. */
    async purgeIndexes(signal?: AbortSignal): Promise<void> {
      const users = Readable.from(await index.users());
      // The consistency check reports an index that cannot be opened.
      const purge = (userId: string) => index.purge(userId).catch(() => undefined);
      await users.forEach(purge, { concurrency: CONCURRENT_PURGES, ...(signal && { signal }) });
    },
    /** Rewrites changed tables and the log of the embedded database. */
    scrubDatabase: database.maintain,
  };
  const tasks: ScheduledTask[] = [
    { name: 'settle', everyMs: HOUR_MS, atStart: true, run: artifacts.deleteAllReplaced },
    { name: 'retain', everyMs: HOUR_MS, atStart: true, run: retention.run },
    { name: 'purge', everyMs: HOUR_MS, atStart: true, run: erasure.purgeIndexes },
    { name: 'maintain', everyMs: HOUR_MS, run: erasure.scrubDatabase },
  ];

  return {
    retention,
    erasure,
    tasks,
    /** Mounts the routes that delete an account. Those for artifacts are in the artifacts feature. */
    routes(mount: Mount): void {
      for (const route of [deleteAccount, deleteAccountByPut]) {
        mount(route, async ({ caller, body, ip, reply }) => {
          const { userId, device } = caller;
          await core.securityEvents.log({ kind: 'deletion_asked', userId, ip, device });
          await accounts.delete(caller, body.email);
          await core.securityEvents.log({ kind: 'deletion_done', userId, ip, device });
          services.clearSession(reply);
          return { data: null };
        });
      }
    },
  };
}
