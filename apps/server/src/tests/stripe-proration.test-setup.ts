import {
  type FakeItem,
  type FakePreview,
  type FakePrice,
  invalid,
} from './stripe-objects.test-setup.ts';

/** A line of an invoice, in cents. */
export interface Line {
  price: string;
  amount: number;
}

export const keepsPeriod = ({ price: { recurring } }: FakeItem, to: FakePrice): boolean =>
  to.recurring.interval === recurring.interval &&
  to.recurring.interval_count === recurring.interval_count;

/** The cost of changing to another price at a time in seconds, as Stripe prorates it. */
export function linesOfChange(item: FakeItem, to: FakePrice, now: number, at = now): Line[] {
  if (at < item.current_period_start || at > now + 60) {
    throw invalid('The proration date is not within the current period.', 'proration_date');
  }
  const period = item.current_period_end - item.current_period_start;
  const share = (item.current_period_end - at) / period;
  const price = keepsPeriod(item, to) ? Math.round(to.unit_amount * share) : to.unit_amount;
  return [
    { price: item.price.id, amount: -Math.round(item.price.unit_amount * share) },
    { price: to.id, amount: price },
  ];
}

/** The invoice with these lines. */
export function previewOf(lines: readonly Line[], balance: number): FakePreview {
  const total = lines.reduce((sum, { amount }) => sum + amount, 0);
  const data = lines.map(({ price, amount }) => ({
    amount,
    pricing: { price_details: { price } },
  }));
  return {
    object: 'invoice',
    amount_due: Math.max(0, total + balance),
    starting_balance: balance,
    ending_balance: null,
    lines: { object: 'list', data },
  };
}
