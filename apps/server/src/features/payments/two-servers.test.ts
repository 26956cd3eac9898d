import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { testServerUrl } from '../../platform/database/database.test-suite.ts';
import { buildTestApp, type TestApp } from '../../testing/test-app.ts';
import { buyerOf, ELITE, PRO, PRO_YEARLY, START, useStripeApp } from '../../testing/buyers.ts';

describe.skipIf(!testServerUrl)('two servers on one database', () => {
  const app = useStripeApp({ database: 'server' });
  let other: TestApp;

  beforeAll(async () => {
    const { config } = app.engram.deps;
    const env = { ...app.stripe.env, DATABASE_URL: config.databaseUrl ?? '' };
    other = await buildTestApp({ startAt: START, env });
  });
  afterAll(() => other.close());

  test('let one change of a plan through at a time', async () => {
    const ann = await app.newBuyer();
    await ann.begin(PRO);
    const session = app.stripe.lastSession();
    app.stripe.world.pay(session);
    expect(await ann.paid(session)).toBe('paid');
    const there = buyerOf(await other.signIn(ann.email));

    const gate = Promise.withResolvers<void>();
    const asked = app.stripe.requests.length;
    app.stripe.behave({ kind: 'work', meanwhile: () => gate.promise }, { kind: 'work' });
    const upgrade = ann.upgrade(ELITE);
    await app.stripe.received(asked + 1);
    for (const call of [() => there.upgrade(ELITE), () => there.upgrade(PRO_YEARLY)]) {
      await expect(call()).rejects.toMatchObject({ status: 409, code: 'plan_busy' });
    }
    expect(app.stripe.requests).toHaveLength(asked + 1);
    gate.resolve();
    await upgrade;
    await expect(there.upgrade(ELITE)).rejects.toMatchObject({ status: 409, code: 'same_plan' });
    expect((await there.plan())[0]).toBe('Engram - Elite - monthly');
    expect(await there.invoices()).toHaveLength(2);
  });

  test('leave one checkout open of those that are begun at once', async () => {
    const bob = await app.newBuyer();
    const there = buyerOf(await other.signIn(bob.email));
    const before = app.stripe.world.sessions.size;
    const both = await Promise.allSettled([bob.begin(PRO), there.begin(ELITE)]);
    expect(both.some(({ status }) => status === 'fulfilled')).toBe(true);
    const opened = [...app.stripe.world.sessions.values()].slice(before);
    expect(opened.filter(({ status }) => status === 'open')).toHaveLength(1);
  });
});
