import type { BodyOf, updateProfile } from '@engram/contract';

type Written = Omit<BodyOf<typeof updateProfile>, 'email' | 'isAgreedTerms'>;

/** Marks that turn the direction of the text behind them: a name could pass for another one. */
const TURNS = /[\u202a-\u202e\u2066-\u2069]/gu;

const asLine = (text: string): string =>
  text
    .replaceAll(/[\t\n\r\u0085\u2028\u2029]+/gu, ' ')
    .replaceAll(/\p{Cc}/gu, '')
    .replaceAll(TURNS, '')
    .trim();

/** Undefined stays as it is, and text of nothing that can be seen clears a field. */
const line = (text: string | null | undefined): string | null | undefined =>
  text === undefined || text === null ? text : asLine(text) || null;

/** A number of 10 digits as it is written in North America; others may be of anywhere. */
function phoneNumber(text: string | null | undefined): string | null | undefined {
  const digits = text?.replaceAll(/\D/gu, '') ?? '';
  if (digits.length !== 10 || text?.startsWith('+')) return text;
  return `(${digits.slice(0, 3)}) ${digits.slice(3, 6)}-${digits.slice(6)}`;
}

/** What somebody wrote of themselves, as it is kept: one line each, without anything unseen. */
export function cleanProfile({ name, altEmail, phone, deviceTimeZone }: Written): Written {
  return { name: line(name), altEmail, phone: phoneNumber(line(phone)), deviceTimeZone };
}
