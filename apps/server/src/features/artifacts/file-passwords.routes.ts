import { deleteFilePassword, listFilePasswords, unlockArtifact } from '@engram/contract';
import { disconnectSignal } from '../../platform/http/event-stream.ts';
import type { Mount } from '../../platform/http/mount.ts';
import type { FilePasswordsService } from './file-passwords.service.ts';

export function mountFilePasswordsRoutes(mount: Mount, service: FilePasswordsService): void {
  mount(unlockArtifact, async ({ caller, params, body, reply }) => ({
    data: await service.unlock(caller.userId, params.artifactId, body, disconnectSignal(reply)),
  }));

  mount(listFilePasswords, async ({ caller }) => ({ data: await service.list(caller.userId) }));

  mount(deleteFilePassword, async ({ caller, params }) => {
    await service.remove(caller.userId, params.id);
    return { data: null };
  });
}
