import { createAdminService } from '../features/admin/admin.service.ts';
import type { Audit } from '../features/admin/audit.ts';
import type { ApiKeysService } from '../features/api-keys/api-keys.service.ts';
import type { AuthService } from '../features/auth/auth.service.ts';
import type { ConnectionsService } from '../features/connections/connections.service.ts';
import type { HistoryRepository } from '../features/history/history.repository.ts';
import { createAccountDeletion } from '../features/profile/account-deletion.ts';
import { createProfileService } from '../features/profile/profile.service.ts';
import type { SubscriptionService } from '../features/subscription/subscription.service.ts';
import type { Core } from './core.ts';
import type { Payments } from './payments.ts';
import type { Reading } from './reading.ts';

interface Parts {
  reading: Reading;
  auth: AuthService;
  apiKeys: ApiKeysService;
  connections: ConnectionsService;
  subscription: SubscriptionService;
  payments: Pick<Payments, 'leave'>;
  audit: Audit;
  history: HistoryRepository;
  /** Makes whoever remembers something of a person forget it. */
  forget: (userId: string) => void;
}

/** Photos that one person may send: one in ten seconds in the long run. */
const PHOTO_RATE = { perSecond: 0.1, burst: 10 };

/** What people, and admins, do with accounts that are there. */
export function createAccounts({ storage, limits, log }: Core, parts: Parts) {
  const { reading, auth, apiKeys, connections, subscription, payments, audit, forget } = parts;
  const { database, sets } = storage;

  return {
    profile: createProfileService({
      accounts: auth.accounts,
      drawPhoto: reading.drawPhoto,
      limit: limits.limitOf('photos', PHOTO_RATE),
    }),
    admin: createAdminService({
      database,
      audit,
      people: auth.accounts.people,
      standings: subscription.standings,
      fileTotals: sets.totalsOf,
    }),
    accountDeletion: createAccountDeletion({
      database,
      jobs: storage.jobs,
      files: storage.files,
      index: storage.index,
      deletedAccounts: storage.deletedAccounts,
      log,
      async closeAccount(tx, account) {
        await apiKeys.revokeAll(tx, account.userId);
        await connections.endAllOf(tx, account.userId);
        await payments.leave(tx, account.userId);
        await auth.accounts.close(tx, account);
      },
      deleteFiles: sets.deleteSome,
      deleteQuestions: parts.history.deleteSome,
      endSubscription: subscription.end,
      deleteAccount: auth.accounts.delete,
      cancelReadings: reading.ingestion.cancelReadings,
      forget,
    }),
  };
}
