import { deleteAccount, deleteAccountByPut } from '@engram/contract';
import type { FastifyReply } from 'fastify';
import type { Mount } from '../../platform/http/mount.ts';
import type { SecurityEvents } from '../security-events/security-events.service.ts';
import type { AccountDeletion } from './account-deletion.ts';

/** Binds both readings of the call that deletes the caller's account. */
export function mountAccountDeletionRoutes(
  mount: Mount,
  deletion: AccountDeletion,
  events: Pick<SecurityEvents, 'log'>,
  { clearSession }: { clearSession: (reply: FastifyReply) => void },
): void {
  for (const route of [deleteAccount, deleteAccountByPut]) {
    mount(route, async ({ caller, body, ip, reply }) => {
      const { userId, device } = caller;
      await events.log({ kind: 'deletion_asked', userId, ip, device });
      await deletion.delete(caller, body.email);
      await events.log({ kind: 'deletion_done', userId, ip, device });
      clearSession(reply);
      return { data: null };
    });
  }
}
