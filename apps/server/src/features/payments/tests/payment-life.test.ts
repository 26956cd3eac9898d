import { describe } from 'vitest';
import { buyerOf, PAID, START, useStripeApp } from '../../../tests/buyers.test-setup.ts';
import { testDatabases } from '../../../tests/app.test-setup.ts';
import { useTestApp } from '../../../tests/use-app.test-setup.ts';
import { type Person, testPaymentLife } from './payment-life-suite.test-setup.ts';

describe.each(testDatabases)('the life of payments in the sandbox (%s)', (database) => {
  const engram = useTestApp({ database, startAt: START });
  let people = 0;
  const signIn = async (email: string): Promise<Person> => {
    const user = await engram.signIn(email);
    return { ...user, ...buyerOf(user) };
  };
  testPaymentLife({
    engram,
    newBuyer: () => signIn(`buyer${(people += 1)}@example.org`),
    later(ms, { email }) {
      engram.advance(ms);
      return signIn(email);
    },
    async pay(person, secret) {
      const { body } = await person.pay(secret, PAID);
      return body.data?.paymentStatus;
    },
    turnPeriod: () => engram.deps.services.payments.reconcile(),
  });
});

describe('the life of payments at Stripe', () => {
  const app = useStripeApp();
  testPaymentLife({
    get engram() {
      return app.engram;
    },
    newBuyer: () => app.newBuyer(),
    later: (ms, person) => app.later(ms, person),
    async pay(person, secret) {
      const session = secret.split('_secret_')[0] ?? '';
      app.stripe.world.pay(session);
      return person.paid(session);
    },
    async turnPeriod({ userId }) {
      for (const { id, metadata, status } of app.stripe.world.subscriptions.values()) {
        const isTheirs = metadata['engram_user'] === userId && status === 'active';
        if (isTheirs) app.stripe.world.nextPeriod(id);
      }
      await app.engram.deps.services.payments.reconcile();
    },
  });
});
