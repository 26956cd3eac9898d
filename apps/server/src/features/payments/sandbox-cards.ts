import { HttpError } from '../../platform/http/errors.ts';

export interface Card {
  cardNumber: string;
  /** MM/YY. */
  expiry: string;
  cvc: string;
}

const OUTCOMES: Record<string, 'paid' | 'unpaid'> = {
  '4242424242424242': 'paid',
  '4000000000000002': 'unpaid',
};

function endOf(expiry: string): Date | null {
  const [, month, year] = /^(0[1-9]|1[0-2])\s*\/\s*(\d{2})$/u.exec(expiry) ?? [];
  // The first day of the next month, because months count from 0.
  return month && year ? new Date(Date.UTC(2000 + Number(year), Number(month))) : null;
}

const badCard = (message: string): HttpError => new HttpError(400, 'bad_card', message);

/** Whether a test card pays or is declined. @throws HttpError 400 for an invalid card. */
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
