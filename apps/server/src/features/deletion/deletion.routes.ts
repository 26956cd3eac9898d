import { deleteAccount, deleteAccountByPut } from '@engram/contract';
import type { FastifyReply } from 'fastify';
import type { Mount } from '../../platform/http/mount.ts';
import type { SecurityEvents } from '../security-events/security-events.service.ts';
import type { AccountDeletion } from './account-deletion.ts';

export interface AccountDeletionParts {
  securityEvents: Pick<SecurityEvents, 'log'>;
  /** Deletes the cookie of the session. */
  clearSession: (reply: FastifyReply) => void;
}

/** Mounts both forms of the call that deletes the caller's account. */
export function mountAccountDeletion(
  mount: Mount,
  accounts: AccountDeletion,
  { securityEvents, clearSession }: AccountDeletionParts,
): void {
  for (const route of [deleteAccount, deleteAccountByPut]) {
    mount(route, async ({ caller, body, ip, reply }) => {
      const { userId, device } = caller;
      await securityEvents.log({ kind: 'deletion_asked', userId, ip, device });
      await accounts.delete(caller, body.email);
      await securityEvents.log({ kind: 'deletion_done', userId, ip, device });
      clearSession(reply);
      return { data: null };
    });
  }
}
