import type { Core } from '../../composition/core.ts';
import type { Transaction } from '../../platform/database/database.ts';
import type { Caller } from '../../platform/http/mount.ts';
import { HttpError } from '../../platform/http/errors.ts';
import type { ApiKeysService } from '../api-keys/api-keys.service.ts';
import type { AuthService } from '../auth/auth.service.ts';
import type { ConnectionsService } from '../connections/connections.service.ts';
import type { HistoryRepository } from '../history/history.repository.ts';
import type { MailboxService } from '../mailbox/mailbox.service.ts';
import type { PasskeysService } from '../passkeys/passkeys.service.ts';
import type { SubscriptionService } from '../subscription/subscription.service.ts';
import type { WebhooksService } from '../webhooks/webhooks.service.ts';
import { createDeletionRepository } from './deletion.repository.ts';

function notOwnAccount(): HttpError {
  const message = 'This is not the address of your account. You can only delete your own.';
  return new HttpError(403, 'not_own_account', message);
}

type Owner = Pick<Caller, 'userId' | 'email'>;

interface RemovalJob {
  userId: string;
}

const QUEUE = 'remove-account';

/** Rows deleted in one statement: few, so that other statements can run in between. */
const BATCH = 100;

export interface AccountServices {
  auth: AuthService;
  passkeys: Pick<PasskeysService, 'removeAll'>;
  apiKeys: ApiKeysService;
  connections: ConnectionsService;
  payments: { clearAccount: (tx: Transaction, userId: string) => Promise<void> };
  subscription: SubscriptionService;
  history: HistoryRepository;
  webhooks: Pick<WebhooksService, 'removeAll' | 'cancelDeliveries'>;
  mailbox: Pick<MailboxService, 'removeAll' | 'cancelChecks'>;
  caches: readonly { forget: (userId: string) => void }[];
}

export function createAccountDeletion({ storage, log }: Core, services: AccountServices) {
  const { database, jobs, files, index, extractionQueue, deletedAccounts } = storage;
  const { auth, passkeys, apiKeys, connections, payments, subscription, history } = services;
  const { webhooks, mailbox } = services;
  const repository = createDeletionRepository(database);
  const runningRemovals = new Map<string, Promise<void>>();

  const deleteArtifacts = async (userId: string): Promise<void> => {
    for (let deleted = BATCH; deleted === BATCH;) {
      const revisions = await repository.deleteSome(userId, BATCH);
      await extractionQueue.cancel(revisions).catch((error: unknown) => {
        log.warn({ err: error }, 'jobs for the files of a deleted account were not cancelled');
      });
      deleted = revisions.length;
    }
  };

  /** Ends all access, in the transaction that closes the account. */
  const deleteAccess = async (tx: Transaction, owner: Owner): Promise<void> => {
    const { userId } = owner;
    await deletedAccounts.add(tx, userId);
    await passkeys.removeAll(tx, userId);
    await apiKeys.revokeAll(tx, userId);
    await connections.endAll(userId, tx);
    await payments.clearAccount(tx, userId);
    // Sign-in codes, sessions and the address.
    await auth.accounts.close(tx, owner);
    await webhooks.removeAll(tx, userId);
    await mailbox.removeAll(tx, userId);
  };

  const deleteAllRows = async (userId: string): Promise<void> => {
    await webhooks.cancelDeliveries(userId);
    await mailbox.cancelChecks(userId);
    await deleteArtifacts(userId);
    await history.deleteAll(userId);
    await database.transaction(async (tx) => {
      // A question also locks the plan before the account.
      await subscription.end(tx, userId);
      // Foreign keys delete the rows of all other tables.
      await auth.accounts.delete(tx, userId);
    });
  };

  /** Deletes the rows of a closed account. The request and the job share one run. */
  const deleteRows = (userId: string): Promise<void> => {
    const running =
      runningRemovals.get(userId) ??
      deleteAllRows(userId).finally(() => runningRemovals.delete(userId));
    runningRemovals.set(userId, running);
    return running;
  };

  jobs.define<RemovalJob>(QUEUE, {
    async handler({ data: { userId } }) {
      await deleteRows(userId);
      await index.removeUser(userId);
      await files.removePrefix(userId);
      for (const { forget } of services.caches) forget(userId);
    },
    concurrency: 1,
    timeoutSeconds: 300,
    retryLimit: 30,
    retryDelaySeconds: 5,
    onFailed: async ({ userId }, error) => {
      log.error({ err: error, userId }, 'data of a deleted account was not removed');
    },
  });

  return {
    /**
     * Deletes the caller's account: access and rows before it returns, and files, index entries and rows
     * that could not be deleted in a job.
     * @throws HttpError 403 if the address is not the caller's
     */
    async delete(caller: Owner, email: string): Promise<void> {
      if (email.toLowerCase() !== caller.email.toLowerCase()) throw notOwnAccount();
      const { userId } = caller;
      await database.transaction(async (tx) => {
        await deleteAccess(tx, caller);
        await jobs.enqueue<RemovalJob>(QUEUE, { userId }, { key: userId, tx });
      });
      await deleteRows(userId).catch((error: unknown) => {
        log.warn({ err: error }, 'a job will delete the rows of a deleted account');
      });
    },
  };
}
