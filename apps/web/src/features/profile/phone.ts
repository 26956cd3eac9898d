const PHONE_DIGITS = 10;

/** A number of ten digits as (xxx) xxx-xxxx; any other, and one with a country's code, as it was typed. */
export function formatPhone(typed: string): string {
  const digits = typed.replaceAll(/\D/gu, '');
  if (typed.includes('+') || digits.length !== PHONE_DIGITS) return typed;
  return `(${digits.slice(0, 3)}) ${digits.slice(3, 6)}-${digits.slice(6)}`;
}
