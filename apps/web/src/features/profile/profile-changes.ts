import type { BodyOf, Profile, updateProfile } from '@engram/contract';
import { PHONE_ERROR, PHONE_PATTERN, refuseEmail } from '@engram/contract/browser';

/** What people fill in about themselves; an empty field says nothing. */
export interface Details {
  name: string;
  altEmail: string;
  phone: string;
}

export type Change = BodyOf<typeof updateProfile>;

export const detailsOf = ({ name, altEmail, phone }: Profile): Details => ({
  name: name ?? '',
  altEmail: altEmail ?? '',
  phone: phone ?? '',
});

/** What differs from the profile; null where nothing does. */
export function changesTo(profile: Profile, details: Details): Change | null {
  const before = detailsOf(profile);
  const change: Change = {};
  for (const field of ['name', 'altEmail', 'phone'] as const) {
    const value = details[field].trim();
    if (value !== before[field]) change[field] = value || null;
  }
  return Object.keys(change).length > 0 ? change : null;
}

/** Why fields would be refused, each as a sentence. */
export function refuseDetails({
  altEmail,
  phone,
}: Details): Partial<Record<keyof Details, string>> {
  const refused: Partial<Record<keyof Details, string>> = {};
  const wrongEmail = altEmail.trim() === '' ? null : refuseEmail(altEmail);
  if (wrongEmail) refused.altEmail = wrongEmail;
  if (phone.trim() !== '' && !PHONE_PATTERN.test(phone.trim())) refused.phone = PHONE_ERROR;
  return refused;
}
