import {
  deleteProfileImage,
  getProfile,
  updateProfile,
  uploadProfileImage,
} from '@engram/contract';
import type { Mount } from '../../platform/http/mount.ts';
import { readPhotoForm } from './photo-form.ts';
import type { ProfileService } from './profile.service.ts';

export function mountProfileRoutes(mount: Mount, service: ProfileService): void {
  mount(getProfile, async ({ caller }) => ({ data: await service.get(caller.userId) }));

  mount(updateProfile, async ({ caller, body }) => ({ data: await service.update(caller, body) }));

  mount(uploadProfileImage, async ({ caller, request }) =>
    service.setPhoto(caller.userId, () => readPhotoForm(request)),
  );

  mount(deleteProfileImage, async ({ caller }) => ({
    data: await service.removePhoto(caller.userId),
  }));
}
