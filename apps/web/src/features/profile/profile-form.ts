import type { BodyOf, Profile, updateProfile } from '@engram/contract';
import { PHONE_ERROR, PHONE_PATTERN, refuseEmail } from '@engram/contract/browser';

/** The fields that the user can edit; an empty string is an empty field. */
export type Details = Record<'name' | 'altEmail' | 'phone', string>;

export const detailsOf = ({ name, altEmail, phone }: Profile): Details => ({
  name: name ?? '',
  altEmail: altEmail ?? '',
  phone: phone ?? '',
});

/** The fields that differ from the profile; null if none does. */
export function changesTo(profile: Profile, details: Details): BodyOf<typeof updateProfile> | null {
  const before = detailsOf(profile);
  const change: BodyOf<typeof updateProfile> = {};
  for (const field of ['name', 'altEmail', 'phone'] as const) {
    const value = details[field].trim();
    if (value !== before[field]) change[field] = value || null;
  }
  return Object.keys(change).length > 0 ? change : null;
}

/** Why fields are not valid, each as a sentence. */
export function validateDetails({ altEmail, phone }: Details): Partial<Details> {
  const emailError = altEmail.trim() === '' ? null : refuseEmail(altEmail);
  const isPhoneValid = phone.trim() === '' || PHONE_PATTERN.test(phone.trim());
  return {
    ...(emailError && { altEmail: emailError }),
    ...(!isPhoneValid && { phone: PHONE_ERROR }),
  };
}

/** Formats ten digits as (xxx) xxx-xxxx. Other numbers stay as they were typed. */
export function formatPhone(typed: string): string {
  const digits = typed.replaceAll(/\D/gu, '');
  if (typed.includes('+') || digits.length !== 10) return typed;
  return `(${digits.slice(0, 3)}) ${digits.slice(3, 6)}-${digits.slice(6)}`;
}
