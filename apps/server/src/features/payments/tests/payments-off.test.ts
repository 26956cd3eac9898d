import { appSettings, status } from '@engram/contract';
import { expect, test } from 'vitest';
import { buyerOf, PRO, START } from '../../../tests/buyers.test-setup.ts';
import { useTestApp } from '../../../tests/use-app.test-setup.ts';

const engram = useTestApp({
  startAt: START,
  env: { ENGRAM_LIMITS: 'enforce', ENGRAM_PUBLIC_URL: 'https://engram.example.org' },
});

test('without a payment provider no plan is sold, and a plan from the sandbox has no effect', async () => {
  const user = await engram.signIn('ann@example.org');
  const ann = buyerOf(user);
  const calls = [
    () => ann.begin(PRO),
    () => ann.preview(PRO),
    () => ann.upgrade(PRO),
    () => ann.resume(),
  ];
  for (const call of calls) {
    await expect(call()).rejects.toMatchObject({
      status: 503,
      code: 'payments_off',
      message: 'Plans are not sold on this server, because payments are not set up.',
    });
  }
  await expect(ann.cancel()).rejects.toMatchObject({ status: 409, code: 'no_plan_running' });
  expect(await ann.invoices()).toEqual([]);
  const { data } = await user.client.call(appSettings, {});
  expect(data.payments).toEqual({ provider: 'off' });
  const { abilities } = (await user.client.call(status, {})).data;
  expect(abilities.find(({ name }) => name === 'payments')).toMatchObject({
    on: false,
    detail: expect.stringContaining('Plans are not sold'),
  });
  await engram.deps.database.pool.query(
    `UPDATE subscriptions SET plan = 'Engram - Elite - yearly', ends_at = $2, provider = 'sandbox',
       provider_customer = 'x', provider_subscription = 'sub_old' WHERE user_id = $1`,
    [user.userId, new Date('2027-01-01T00:00:00Z')],
  );
  expect(await ann.billing()).toMatchObject({
    productName: 'Starter(Free)',
    sandboxPlan: 'Engram - Elite - yearly',
  });
});
