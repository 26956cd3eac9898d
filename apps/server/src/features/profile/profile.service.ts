import type { BodyOf, Profile, updateProfile } from '@engram/contract';
import type { Caller } from '../../platform/http/mount.ts';
import { tooManyRequests } from '../../platform/http/errors.ts';
import type { AuthService } from '../auth/auth.service.ts';
import type { UserRow } from '../auth/auth.tables.ts';
import { accountGone, notAPhoto, otherEmail } from './profile.errors.ts';
import { cleanProfile } from './profile-text.ts';

export interface ProfileDependencies {
  accounts: Pick<AuthService['accounts'], 'find' | 'update'>;
  /**
   * A picture that somebody sent as a small square JPEG; null where it is none, or none that can
   * be drawn within bounds.
   */
  drawPhoto: (userId: string, picture: Uint8Array) => Promise<Buffer | null>;
  /** Seconds until the person may send a photo; 0 when they may now. */
  limit: (userId: string) => Promise<number>;
}

const asText = (photo: Buffer): string => photo.toString('base64');

function present(account: UserRow | undefined): Profile {
  if (!account) throw accountGone();
  return {
    id: account.id,
    email: account.email,
    name: account.name,
    altEmail: account.altEmail,
    phone: account.phone,
    role: account.role,
    country: account.country,
    profileImage: account.profileImage && asText(account.profileImage),
    ip: account.ip,
    device: account.device,
    location: account.location,
    createdDate: account.createdAt.toISOString(),
    isAgreedTerms: account.agreedTermsAt !== null,
    deviceTimeZone: account.deviceTimeZone,
  };
}

/** What people see and change of their own account. */
export function createProfileService({ accounts, drawPhoto, limit }: ProfileDependencies) {
  return {
    /** @throws HttpError 404 when the account is gone. */
    get: async (userId: string): Promise<Profile> => present(await accounts.find(userId)),

    /**
     * Changes what the body names, and keeps that the terms were accepted.
     * @throws HttpError 403 for another address than the caller's, 404 when the account is gone.
     */
    async update(
      caller: Pick<Caller, 'userId' | 'email'>,
      { email, isAgreedTerms, ...written }: BodyOf<typeof updateProfile>,
    ): Promise<Profile> {
      if (email !== undefined && email.toLowerCase() !== caller.email.toLowerCase()) {
        throw otherEmail();
      }
      const changes = { ...cleanProfile(written), acceptTerms: isAgreedTerms };
      return present(await accounts.update(caller.userId, changes));
    },

    /**
     * Puts a photo in the place of the last one; answers it in base64. Nothing is read of somebody
     * who sends too many.
     * @throws HttpError 404 when the account is gone, 415 when the picture cannot be drawn, 429.
     */
    async setPhoto(userId: string, read: () => Promise<Uint8Array>): Promise<string> {
      const wait = await limit(userId);
      if (wait > 0) throw tooManyRequests('Too many photos. Please wait a moment.', wait);
      const profileImage = await drawPhoto(userId, await read());
      if (!profileImage) throw notAPhoto();
      present(await accounts.update(userId, { profileImage }));
      return asText(profileImage);
    },

    /** @throws HttpError 404 when the account is gone. */
    removePhoto: async (userId: string): Promise<Profile> =>
      present(await accounts.update(userId, { profileImage: null })),
  };
}

export type ProfileService = ReturnType<typeof createProfileService>;
