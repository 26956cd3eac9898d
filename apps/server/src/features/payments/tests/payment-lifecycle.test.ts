import { describe } from 'vitest';
import { buyerOf, PAID, START, useStripeApp } from '../../../tests/buyers.test-setup.ts';
import { testDatabases } from '../../../tests/app.test-setup.ts';
import { useTestApp } from '../../../tests/use-app.test-setup.ts';
import { type SignedInBuyer, testPaymentLifecycle } from './payment-lifecycle-suite.test-setup.ts';

describe.each(testDatabases)('the lifecycle of a plan in the sandbox (%s)', (database) => {
  const engram = useTestApp({ database, startAt: START });
  let buyerCount = 0;
  const signIn = async (email: string): Promise<SignedInBuyer> => {
    const user = await engram.signIn(email);
    return { ...user, ...buyerOf(user) };
  };
  testPaymentLifecycle({
    engram,
    newBuyer: () => signIn(`buyer${(buyerCount += 1)}@example.org`),
    advanceClock(ms, { email }) {
      engram.advance(ms);
      return signIn(email);
    },
    async pay(buyer, secret) {
      const { body } = await buyer.pay(secret, PAID);
      return body.data?.paymentStatus;
    },
    startNextPeriod: () => engram.deps.services.payments.reconcile(),
  });
});

describe('the lifecycle of a plan at Stripe', () => {
  const app = useStripeApp();
  testPaymentLifecycle({
    get engram() {
      return app.engram;
    },
    newBuyer: () => app.newBuyer(),
    advanceClock: (ms, buyer) => app.later(ms, buyer),
    async pay(buyer, secret) {
      const session = secret.split('_secret_')[0] ?? '';
      app.stripe.world.pay(session);
      return buyer.paid(session);
    },
    async startNextPeriod({ userId }) {
      for (const { id, metadata, status } of app.stripe.world.subscriptions.values()) {
        const isTheirs = metadata['engram_user'] === userId && status === 'active';
        if (isTheirs) app.stripe.world.nextPeriod(id);
      }
      await app.engram.deps.services.payments.reconcile();
    },
  });
});
