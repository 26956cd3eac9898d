/** The fields of the sandbox's checkout. */
export type CardField = 'cardNumber' | 'expiry' | 'cvc' | 'name' | 'billingAddress';
/** A card as it is typed. The expiry is MM/YY. */
export type Card = Record<CardField, string>;
/** What is wrong with fields, each as a sentence. */
export type CardErrors = Partial<Card>;

const digitsOf = (text: string, max: number): string => text.replaceAll(/\D/gu, '').slice(0, max);

/** Up to nineteen digits in groups of four. */
export const formatCardNumber = (typed: string): string =>
  digitsOf(typed, 19).replaceAll(/(\d{4})(?=\d)/gu, '$1 ');

/** MM/YY as it is typed; a first digit above 1 gets its zero. */
export function formatExpiry(typed: string): string {
  const digits = digitsOf(/^[2-9]/u.test(typed) ? `0${typed}` : typed, 4);
  return digits.length > 2 ? `${digits.slice(0, 2)}/${digits.slice(2)}` : digits;
}

export const formatCvc = (typed: string): string => digitsOf(typed, 4);

/** An expiry far enough ahead for a test card, also if the server's clock is ahead. */
export const testExpiry = (now: Date): string =>
  `12/${String((now.getUTCFullYear() + 8) % 100).padStart(2, '0')}`;

function expiryError(expiry: string, now: Date): string | null {
  if (!/^(?:0[1-9]|1[0-2])\/\d{2}$/u.test(expiry)) {
    return 'Enter the month and year, such as 12/28.';
  }
  const [month = 0, year = 0] = expiry.split('/').map(Number);
  return Date.UTC(2000 + year, month, 1) <= now.getTime() ? 'This date has passed.' : null;
}

/** Checks a card before it is sent. */
export function validateCard(card: Card, now: Date): CardErrors {
  const expiry = expiryError(card.expiry, now);
  return {
    ...(digitsOf(card.cardNumber, 19).length < 12 && { cardNumber: 'Enter the whole number.' }),
    ...(expiry && { expiry }),
    ...(card.cvc.length < 3 && { cvc: 'Enter 3 or 4 digits.' }),
    ...(card.name.trim() === '' && { name: 'Enter the name on the card.' }),
    ...(card.billingAddress.trim() === '' && { billingAddress: 'Enter the billing address.' }),
  };
}
