import {
  type FakeItem,
  type FakePhase,
  type FakePrice,
  type FakeSchedule,
  type FakeSubscription,
  invalid,
  periodEndOf,
} from './stripe-objects.test-setup.ts';

export interface StripeSchedulesDependencies {
  newId: (prefix: string) => string;
  subscriptionOf: (id: string) => FakeSubscription;
  itemOf: (subscription: FakeSubscription) => FakeItem;
  scheduleOf: (id: string) => FakeSchedule;
  priceOf: (id: string) => FakePrice;
  keep: (schedule: FakeSchedule) => void;
  emit: (type: string, object: unknown) => unknown;
}

/** A phase in a request. */
export interface RequestedPhase {
  price: string;
  start_date: number | null;
  end_date: number | null;
  duration: FakePrice['recurring'] | null;
}

/** The subscription schedules of a Stripe account. */
export function createStripeSchedules(deps: StripeSchedulesDependencies) {
  const { newId, subscriptionOf, itemOf, scheduleOf, priceOf, keep, emit } = deps;

  const release = (id: string): FakeSchedule => {
    const schedule = scheduleOf(id);
    if (schedule.status !== 'active' || schedule.subscription === null) {
      throw invalid('You cannot release a subscription schedule that is not active.');
    }
    const subscription = subscriptionOf(schedule.subscription);
    subscription.schedule = null;
    subscription.cancel_at = null;
    Object.assign(schedule, {
      status: 'released',
      subscription: null,
      released_subscription: subscription.id,
      current_phase: null,
    });
    emit('subscription_schedule.released', schedule);
    emit('customer.subscription.updated', subscription);
    return schedule;
  };

  return {
    release,

    create(from: string, phases: unknown): FakeSchedule {
      const subscription = subscriptionOf(from);
      if (phases !== undefined) {
        throw invalid('You cannot set `phases` if `from_subscription` is set.', 'phases');
      }
      // No test may depend on how Stripe handles a subscription that is about to end.
      if (subscription.schedule !== null || subscription.cancel_at_period_end) {
        throw invalid('You cannot migrate this subscription.', 'from_subscription');
      }
      const { price, current_period_start: start, current_period_end: end } = itemOf(subscription);
      const schedule: FakeSchedule = {
        id: newId('sub_sched'),
        object: 'subscription_schedule',
        status: 'active',
        customer: subscription.customer,
        subscription: subscription.id,
        released_subscription: null,
        end_behavior: 'release',
        current_phase: { start_date: start, end_date: end },
        phases: [{ items: [{ price: price.id, quantity: 1 }], start_date: start, end_date: end }],
      };
      keep(schedule);
      subscription.schedule = schedule.id;
      emit('customer.subscription.updated', subscription);
      return schedule;
    },

    update(id: string, endBehavior: FakeSchedule['end_behavior'], requested: RequestedPhase[]) {
      const schedule = scheduleOf(id);
      if (schedule.status !== 'active' || schedule.subscription === null) {
        throw invalid('You cannot update a subscription schedule that is not active.');
      }
      if (requested[0]?.start_date !== schedule.current_phase?.start_date) {
        throw invalid('You can not modify the start date of the current phase.', 'phases[0]');
      }
      const phases: FakePhase[] = [];
      for (const { price, start_date: startDate, end_date: end, duration } of requested) {
        const start = startDate ?? phases.at(-1)?.end_date;
        if (start === undefined) throw invalid('A phase needs a beginning.');
        if ((end === null) === (duration === null)) {
          throw invalid('A phase needs either `end_date` or `duration`.');
        }
        const until = duration ? periodEndOf(start, duration) : (end ?? start);
        const items = [{ price: priceOf(price).id, quantity: 1 }];
        phases.push({ items, start_date: start, end_date: until });
      }
      const last = phases.at(-1)?.end_date ?? null;
      Object.assign(schedule, { phases, end_behavior: endBehavior });
      const subscription = subscriptionOf(schedule.subscription);
      subscription.cancel_at = endBehavior === 'cancel' ? last : null;
      emit('subscription_schedule.updated', schedule);
      emit('customer.subscription.updated', subscription);
      return schedule;
    },

    /** Schedules a change for the end of a period: another price, or null for no change. */
    enter(subscription: FakeSubscription): FakePrice | null {
      if (subscription.schedule === null) return null;
      const schedule = scheduleOf(subscription.schedule);
      const began = schedule.current_phase?.start_date ?? 0;
      const coming = schedule.phases.find(({ start_date: start }) => start > began);
      if (!coming) {
        release(schedule.id);
        return null;
      }
      schedule.current_phase = { start_date: coming.start_date, end_date: coming.end_date };
      emit('subscription_schedule.updated', schedule);
      return priceOf(coming.items[0]?.price ?? '');
    },
  };
}
