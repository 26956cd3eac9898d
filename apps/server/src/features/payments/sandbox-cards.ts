import { badCard } from './payments.errors.ts';

export interface Card {
  cardNumber: string;
  /** MM/YY. */
  expiry: string;
  cvc: string;
}

/** What the sandbox does with its cards. */
const OUTCOMES: Record<string, 'paid' | 'unpaid'> = {
  '4242424242424242': 'paid',
  '4000000000000002': 'unpaid',
};

/** The moment from which on a card does not work, or null for what is no month. */
function endOf(expiry: string): Date | null {
  const [, month, year] = /^(0[1-9]|1[0-2])\s*\/\s*(\d{2})$/u.exec(expiry) ?? [];
  // The month after the one on the card, as months count from 0.
  return month && year ? new Date(Date.UTC(2000 + Number(year), Number(month))) : null;
}

/**
 * Whether a test card pays or is declined. Nothing of it is kept.
 * @throws HttpError 400 for a card that is not one of the sandbox's, or is not filled in properly.
 */
export function outcomeOf({ cardNumber, expiry, cvc }: Card, at: Date): 'paid' | 'unpaid' {
  const outcome = OUTCOMES[cardNumber.replaceAll(/[\s-]/gu, '')];
  if (!outcome) {
    throw badCard(
      'The sandbox takes no real cards. Please pay with 4242 4242 4242 4242, or with 4000 0000 0000 0002 to see a payment declined.',
    );
  }
  const end = endOf(expiry);
  if (!end) throw badCard('Please enter when the card expires as MM/YY, such as 12/34.');
  if (end <= at)
    throw badCard('The card has expired. Please enter a month to come, such as 12/34.');
  if (!/^\d{3,4}$/u.test(cvc)) {
    throw badCard('Please enter the security code of the card, three or four digits.');
  }
  return outcome;
}
