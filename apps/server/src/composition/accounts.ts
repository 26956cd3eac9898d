import type { FastifyBaseLogger } from 'fastify';
import { createAdminService } from '../features/admin/admin.service.ts';
import type { Audit } from '../features/admin/audit.ts';
import type { ApiKeysService } from '../features/api-keys/api-keys.service.ts';
import type { AuthService } from '../features/auth/auth.service.ts';
import type { ConnectionsService } from '../features/connections/connections.service.ts';
import type { HistoryRepository } from '../features/history/history.repository.ts';
import { createAccountDeletion } from '../features/profile/account-deletion.ts';
import { createProfileService } from '../features/profile/profile.service.ts';
import type { SubscriptionService } from '../features/subscription/subscription.service.ts';
import type { Payments } from './payments.ts';
import type { LimitOf } from '../platform/limits/limit.ts';
import type { createReading } from './reading.ts';
import type { Storage } from './storage.ts';

export interface AccountsDependencies {
  storage: Storage;
  reading: ReturnType<typeof createReading>;
  auth: AuthService;
  apiKeys: Pick<ApiKeysService, 'revokeAll'>;
  connections: Pick<ConnectionsService, 'endAllOf'>;
  subscription: Pick<SubscriptionService, 'end' | 'standings'>;
  payments: Pick<Payments, 'leave'>;
  audit: Audit;
  history: Pick<HistoryRepository, 'deleteSome'>;
  log: FastifyBaseLogger;
  limitOf: LimitOf;
  /** Makes whoever remembers something of a person forget it. */
  forget: (userId: string) => void;
}

/** Photos that one person may send: one in ten seconds in the long run. */
const PHOTO_RATE = { perSecond: 0.1, burst: 10 };

/** What people, and admins, do with accounts that are there. */
export function createAccounts(deps: AccountsDependencies) {
  const {
    storage,
    reading,
    auth,
    apiKeys,
    connections,
    subscription,
    payments,
    audit,
    log,
    forget,
  } = deps;
  const { database, sets } = storage;

  return {
    profile: createProfileService({
      accounts: auth.accounts,
      drawPhoto: reading.drawPhoto,
      limit: deps.limitOf('photos', PHOTO_RATE),
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
      deleteQuestions: deps.history.deleteSome,
      endSubscription: subscription.end,
      deleteAccount: auth.accounts.delete,
      cancelReadings: reading.ingestion.cancelReadings,
      forget,
    }),
  };
}
