import type { Stripe } from 'stripe';
import { amountsOf, type PaymentProvider, type SoldPlan } from './provider.ts';
import { nextPhaseOf, idOf, isDeclined, scheduleOf } from './stripe-objects.ts';

const sumOf = (lines: readonly Stripe.InvoiceLineItem[]): number =>
  lines.reduce((sum, { amount }) => sum + amount, 0);

/**
 * Changes of subscriptions. A plan that begins now is an update with an immediate invoice. A plan that
 * begins at the end of the period is the second phase of a schedule.
 */
export function createStripeChanges(
  stripe: Stripe,
  priceOf: (plan: SoldPlan) => Promise<Stripe.Price>,
) {
  const read = async (id: string) => {
    const subscription = await stripe.subscriptions.retrieve(id, { expand: ['schedule'] });
    const [item] = subscription.items.data;
    if (!item) throw new Error('A subscription at Stripe has no item.');
    return { subscription, item, schedule: scheduleOf(subscription) };
  };

  const reschedule = (
    schedule: Stripe.SubscriptionSchedule,
    item: Stripe.SubscriptionItem,
    endBehavior: 'release' | 'cancel',
    nextPhases: Stripe.SubscriptionScheduleUpdateParams.Phase[] = [],
  ) => {
    const currentPhase = {
      items: [{ price: item.price.id, quantity: 1 }],
      // Stripe rejects a new start date for a phase that has begun.
      start_date: schedule.current_phase?.start_date ?? item.current_period_start,
      end_date: item.current_period_end,
    };
    return stripe.subscriptionSchedules.update(schedule.id, {
      end_behavior: endBehavior,
      proration_behavior: 'none',
      phases: [currentPhase, ...nextPhases],
    });
  };

  const scheduleNext = async (id: string, price: Stripe.Price): Promise<void> => {
    const { item, schedule: existing } = await read(id);
    const schedule =
      existing ?? (await stripe.subscriptionSchedules.create({ from_subscription: id }));
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

  const prorationDate = (item: Stripe.SubscriptionItem, asOf: Date): number =>
    Math.max(item.current_period_start, Math.floor(asOf.getTime() / 1000));

  const changes: Pick<PaymentProvider, 'quote' | 'changePlan' | 'resume' | 'cancel'> = {
    async quote(id, plan, asOf) {
      const price = await priceOf(plan);
      const { subscription, item } = await read(id);
      const isEnding = subscription.cancel_at_period_end;
      const invoice = await stripe.invoices.createPreview({
        subscription: id,
        subscription_details: {
          items: [{ id: item.id, price: price.id }],
          proration_behavior: 'always_invoice',
          proration_date: prorationDate(item, asOf),
          ...(isEnding ? { cancel_at_period_end: false } : {}),
        },
      });
      const lines = invoice.lines.data;
      const credit = Math.max(0, -invoice.starting_balance);
      const charged = sumOf(lines.filter(({ amount }) => amount > 0));
      const unused = -sumOf(lines.filter(({ amount }) => amount < 0));
      return { ...amountsOf(charged, unused + credit), due: invoice.amount_due };
    },

    async changePlan(id, { plan, begins, asOf, card }) {
      const price = await priceOf(plan);
      const { subscription, item, schedule } = await read(id);
      const isEnding = subscription.cancel_at_period_end;
      const renewal = {
        ...(isEnding ? { cancel_at_period_end: false } : {}),
        ...(card === null ? {} : { default_payment_method: card }),
      };
      if (begins === 'at the end') {
        if (isEnding || card !== null) await stripe.subscriptions.update(id, renewal);
        return scheduleNext(id, price);
      }
      const nextPrice = idOf(nextPhaseOf(schedule)?.items[0]?.price);
      if (schedule) await stripe.subscriptionSchedules.release(schedule.id);
      if (item.price.id === price.id) return;
      try {
        await stripe.subscriptions.update(id, {
          ...renewal,
          items: [{ id: item.id, price: price.id }],
          proration_behavior: 'always_invoice',
          proration_date: prorationDate(item, asOf),
          payment_behavior: 'error_if_incomplete',
        });
      } catch (error) {
        // The subscription has not changed, so its next plan is scheduled again.
        if (isDeclined(error) && nextPrice) {
          await scheduleNext(id, await stripe.prices.retrieve(nextPrice));
        }
        throw error;
      }
    },

    async resume(id, card) {
      const { schedule } = await read(id);
      // Without its schedule the subscription neither changes nor ends.
      if (schedule) await stripe.subscriptionSchedules.release(schedule.id);
      await stripe.subscriptions.update(id, {
        cancel_at_period_end: false,
        ...(card === null ? {} : { default_payment_method: card }),
      });
    },

    async cancel(id) {
      const { item, schedule } = await read(id);
      // With a schedule, only the schedule can end the subscription.
      if (schedule) await reschedule(schedule, item, 'cancel');
      else await stripe.subscriptions.update(id, { cancel_at_period_end: true });
    },
  };
  return changes;
}
