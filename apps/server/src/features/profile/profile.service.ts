import type { Profile } from '@engram/contract';
import { accountGone } from './profile.errors.ts';

/** An account as the profile shows it; the e-mail is the account's name and never changes. */
export interface Account {
  id: string;
  email: string;
  name: string | null;
  altEmail: string | null;
  phone: string | null;
  role: 'USER' | 'ADMIN';
  country: string | null;
  /** The bytes of a JPEG. */
  profileImage: Buffer | null;
  ip: string | null;
  device: string | null;
  location: string | null;
  agreedTermsAt: Date | null;
  createdAt: Date;
  deviceTimeZone: boolean;
}

export interface ProfileDependencies {
  /** Undefined stands for an account that does not exist. */
  accounts: {
    find: (userId: string) => Promise<Account | undefined>;
    acceptTerms: (userId: string) => Promise<Account | undefined>;
  };
}

function present(account: Account | undefined): Profile {
  if (!account) throw accountGone();
  return {
    id: account.id,
    email: account.email,
    name: account.name,
    altEmail: account.altEmail,
    phone: account.phone,
    role: account.role,
    country: account.country,
    profileImage: account.profileImage?.toString('base64') ?? null,
    ip: account.ip,
    device: account.device,
    location: account.location,
    createdDate: account.createdAt.toISOString(),
    isAgreedTerms: account.agreedTermsAt !== null,
    deviceTimeZone: account.deviceTimeZone,
  };
}

/** What people see and change of their own account. */
export function createProfileService({ accounts }: ProfileDependencies) {
  return {
    /** @throws HttpError 404 when the account is gone. */
    get: async (userId: string): Promise<Profile> => present(await accounts.find(userId)),

    /**
     * Keeps that the terms were accepted; accepting them again changes nothing.
     * @throws HttpError 404 when the account is gone.
     */
    acceptTerms: async (userId: string): Promise<Profile> =>
      present(await accounts.acceptTerms(userId)),
  };
}

export type ProfileService = ReturnType<typeof createProfileService>;
