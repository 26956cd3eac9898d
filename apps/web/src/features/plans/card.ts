/** A card as it is typed into the sandbox's checkout. */
export interface Card {
  cardNumber: string;
  /** MM/YY. */
  expiry: string;
  cvc: string;
  name: string;
  billingAddress: string;
}

export const emptyCard: Card = {
  cardNumber: '',
  expiry: '',
  cvc: '',
  name: '',
  billingAddress: '',
};

/** The cards that the sandbox knows. */
export const testCards: readonly { cardNumber: string; outcome: string }[] = [
  { cardNumber: '4242 4242 4242 4242', outcome: 'is paid' },
  { cardNumber: '4000 0000 0000 0002', outcome: 'is declined' },
];

const digitsOf = (text: string, most: number): string => text.replaceAll(/\D/gu, '').slice(0, most);

/** Digits in groups of four, nineteen at most. */
export const formatCardNumber = (typed: string): string =>
  digitsOf(typed, 19).replaceAll(/(\d{4})(?=\d)/gu, '$1 ');

/** MM/YY while it is typed. A month that can only have one digit gets its zero. */
export function formatExpiry(typed: string): string {
  const digits = digitsOf(/^[2-9]/u.test(typed) ? `0${typed}` : typed, 4);
  return digits.length > 2 ? `${digits.slice(0, 2)}/${digits.slice(2)}` : digits;
}

export const formatCvc = (typed: string): string => digitsOf(typed, 4);

/** A date that a test card may well be valid until, also on a server whose clock is ahead. */
export const testExpiry = (now: Date): string =>
  `12/${String((now.getUTCFullYear() + 8) % 100).padStart(2, '0')}`;

const isPast = (expiry: string, now: Date): boolean => {
  const [month = 0, year = 0] = expiry.split('/').map(Number);
  return Date.UTC(2000 + year, month, 1) <= now.getTime();
};

const refuseExpiry = (expiry: string, now: Date): string | null => {
  if (!/^(?:0[1-9]|1[0-2])\/\d{2}$/u.test(expiry))
    return 'Enter the month and year, such as 12/28.';
  return isPast(expiry, now) ? 'This date has passed.' : null;
};

/** What is wrong with a card, by field. */
export type CardProblems = Partial<Record<keyof Card, string>>;

/** What is wrong with a card before it is sent; nothing when it can be sent. */
export function refuseCard(card: Card, now: Date): CardProblems {
  const expiry = refuseExpiry(card.expiry, now);
  return {
    ...(digitsOf(card.cardNumber, 19).length < 12 && { cardNumber: 'Enter the whole number.' }),
    ...(expiry && { expiry }),
    ...(card.cvc.length < 3 && { cvc: 'Enter 3 or 4 digits.' }),
    ...(card.name.trim() === '' && { name: 'Enter the name on the card.' }),
    ...(card.billingAddress.trim() === '' && { billingAddress: 'Enter the billing address.' }),
  };
}
