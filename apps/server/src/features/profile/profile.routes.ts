import { getProfile, updateProfile } from '@engram/contract';
import type { Mount } from '../../platform/http/mount.ts';
import type { ProfileService } from './profile.service.ts';

/** Binds the calls on the caller's own profile. */
export function mountProfileRoutes(mount: Mount, service: ProfileService): void {
  mount(getProfile, async ({ caller }) => ({ data: await service.get(caller.userId) }));

  mount(updateProfile, async ({ caller }) => ({ data: await service.acceptTerms(caller.userId) }));
}
