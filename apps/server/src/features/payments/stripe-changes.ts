import type { Stripe } from 'stripe';
import { amountsOf } from './proration.ts';
import type { PaymentProvider, SoldPlan } from './provider.ts';
import { isDeclined } from './stripe-client.ts';
import { comingPhaseOf, scheduleOf } from './stripe-states.ts';

export interface StripeChangesDependencies {
  stripe: Stripe;
  /** Options that make a call one of its own. */
  anew: (use: string) => Stripe.RequestOptions;
  /** Stripe's price of a plan; throws `PriceMismatch` where it is not sold as it is shown. */
  priceOf: (plan: SoldPlan) => Promise<Stripe.Price>;
}

type Item = Stripe.SubscriptionItem;

const idOf = (price: string | { id: string } | undefined): string | undefined =>
  typeof price === 'string' ? price : price?.id;

const sumOf = (lines: readonly Stripe.InvoiceLineItem[]): number =>
  lines.reduce((sum, { amount }) => sum + amount, 0);

/**
 * Changes of subscriptions at Stripe. What begins at once is an update that is invoiced at once; what
 * begins at the end of a period is a schedule's second phase.
 */
export function createStripeChanges({ stripe, anew, priceOf }: StripeChangesDependencies) {
  const read = async (id: string) => {
    const subscription = await stripe.subscriptions.retrieve(id, { expand: ['schedule'] });
    const [item] = subscription.items.data;
    if (!item) throw new Error('A subscription at Stripe has no item.');
    return { subscription, item, schedule: scheduleOf(subscription) };
  };

  const update = (id: string, use: string, changes: Stripe.SubscriptionUpdateParams) =>
    stripe.subscriptions.update(id, changes, anew(use));

  const release = (schedule: Stripe.SubscriptionSchedule) =>
    stripe.subscriptionSchedules.release(schedule.id, {}, anew('release'));

  /** Sets what a schedule does at the end of the period that is paid for. */
  const reschedule = (
    schedule: Stripe.SubscriptionSchedule,
    item: Item,
    endBehavior: 'release' | 'cancel',
    following: Stripe.SubscriptionScheduleUpdateParams.Phase[] = [],
  ) => {
    const running = {
      items: [{ price: item.price.id, quantity: 1 }],
      // What has begun keeps its beginning, as Stripe demands.
      start_date: schedule.current_phase?.start_date ?? item.current_period_start,
      end_date: item.current_period_end,
    };
    return stripe.subscriptionSchedules.update(
      schedule.id,
      {
        end_behavior: endBehavior,
        proration_behavior: 'none',
        phases: [running, ...following],
      },
      anew('schedule'),
    );
  };

  /** Has a price follow at the end of the period that is paid for. */
  const follow = async (id: string, price: Stripe.Price): Promise<void> => {
    const { item, schedule: known } = await read(id);
    const schedule =
      known ??
      (await stripe.subscriptionSchedules.create({ from_subscription: id }, anew('follow')));
    const { interval = 'month', interval_count: count = 1 } = price.recurring ?? {};
    await reschedule(schedule, item, 'release', [
      {
        items: [{ price: price.id, quantity: 1 }],
        duration: { interval, interval_count: count },
        billing_cycle_anchor: 'phase_start',
        proration_behavior: 'none',
      },
    ]);
  };

  const prorationDate = (item: Item, asOf: Date): number =>
    Math.max(item.current_period_start, Math.floor(asOf.getTime() / 1000));

  const changes: Pick<PaymentProvider, 'quote' | 'changePlan' | 'resume' | 'cancel'> = {
    async quote(id, plan, asOf) {
      const price = await priceOf(plan);
      const { subscription, item } = await read(id);
      const ends = subscription.cancel_at_period_end;
      const invoice = await stripe.invoices.createPreview({
        subscription: id,
        subscription_details: {
          items: [{ id: item.id, price: price.id }],
          proration_behavior: 'always_invoice',
          proration_date: prorationDate(item, asOf),
          ...(ends ? { cancel_at_period_end: false } : {}),
        },
      });
      const lines = invoice.lines.data;
      const credit = Math.max(0, -invoice.starting_balance);
      const charged = sumOf(lines.filter(({ amount }) => amount > 0));
      const left = -sumOf(lines.filter(({ amount }) => amount < 0));
      return { ...amountsOf(charged, left + credit), due: invoice.amount_due };
    },

    async changePlan(id, { plan, begins, asOf, card }) {
      const price = await priceOf(plan);
      const { subscription, item, schedule } = await read(id);
      const ends = subscription.cancel_at_period_end;
      const goesOn = {
        ...(ends ? { cancel_at_period_end: false } : {}),
        ...(card === null ? {} : { default_payment_method: card }),
      };
      if (begins === 'at the end') {
        if (ends || card !== null) await update(id, 'go-on', goesOn);
        return follow(id, price);
      }
      const coming = idOf(comingPhaseOf(schedule)?.items[0]?.price);
      if (schedule) await release(schedule);
      if (item.price.id === price.id) return;
      try {
        await update(id, 'change', {
          ...goesOn,
          items: [{ id: item.id, price: price.id }],
          proration_behavior: 'always_invoice',
          proration_date: prorationDate(item, asOf),
          payment_behavior: 'error_if_incomplete',
        });
      } catch (error) {
        // Nothing has changed, so that what was to follow still does.
        if (isDeclined(error) && coming) {
          await follow(id, await stripe.prices.retrieve(coming));
        }
        throw error;
      }
    },

    async resume(id, card) {
      const { schedule } = await read(id);
      // With the schedule goes what it would do, ending the subscription included.
      if (schedule) await release(schedule);
      await update(id, 'resume', {
        cancel_at_period_end: false,
        ...(card === null ? {} : { default_payment_method: card }),
      });
    },

    async cancel(id) {
      const { item, schedule } = await read(id);
      // Of a subscription that has a schedule only the schedule can say when it ends.
      if (schedule) await reschedule(schedule, item, 'cancel');
      else await update(id, 'cancel', { cancel_at_period_end: true });
    },
  };
  return changes;
}
