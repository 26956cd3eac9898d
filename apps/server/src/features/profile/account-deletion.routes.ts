import { deleteAccount, deleteAccountByPut } from '@engram/contract';
import type { FastifyReply } from 'fastify';
import type { Mount } from '../../platform/http/mount.ts';
import type { AccountDeletion } from './account-deletion.ts';

/** Binds both readings of the call that deletes the caller's account. */
export function mountAccountDeletionRoutes(
  mount: Mount,
  deletion: AccountDeletion,
  { clearSession }: { clearSession: (reply: FastifyReply) => void },
): void {
  for (const route of [deleteAccount, deleteAccountByPut]) {
    mount(route, async ({ caller, body, reply }) => {
      await deletion.delete(caller, body.email);
      clearSession(reply);
      return { data: null };
    });
  }
}
