import { deleteAccount, getSandboxCheckout, status } from '@engram/contract';
import { extractText } from 'unpdf';
import { beforeEach, describe, expect, test } from 'vitest';
import { findWords } from '../../../tests/find-words.test-setup.ts';
import { type SignedInUser, testDatabases } from '../../../tests/app.test-setup.ts';
import { useTestApp } from '../../../tests/use-app.test-setup.ts';
import {
  buyerOf,
  type Buyer,
  DAY,
  ELITE,
  HOUR,
  PRO,
  ELITE_YEARLY,
  PAID,
  START,
} from '../../../tests/buyers.test-setup.ts';

const DECLINED = { cardNumber: '4000-0000-0000-0002' };
const CARDS =
  'The sandbox does not accept real cards. Please pay with 4242 4242 4242 4242, or use 4000 0000 0000 0002 to see a declined payment.';

describe.each(testDatabases)('plans paid in the sandbox (%s)', (database) => {
  const env = { ENGRAM_RATE_LIMITS: 'on' };
  const engram = useTestApp({ database, startAt: START, env });
  let userCount = 0;
  let ann: Buyer & SignedInUser;

  const signIn = async (email: string) => {
    const user = await engram.signIn(email);
    return { ...user, ...buyerOf(user) };
  };
  const later = async (ms: number): Promise<void> => {
    engram.advance(ms);
    ann = await signIn(ann.email);
  };
  const sessionOf = (secret: string): string => secret.split('_secret_')[0] ?? '';
  const buy = async (priceId = PRO): Promise<string> => {
    const secret = await ann.begin(priceId);
    expect((await ann.pay(secret, PAID)).body.data).toMatchObject({ paymentStatus: 'paid' });
    return secret;
  };
  const receipts = () =>
    engram.mails.filter(({ to, text }) => to === ann.email && text.includes('Your receipt'));
  const documentOf = async (path: string | null | undefined) => {
    const response = await fetch(`${engram.origin}${path}`);
    const bytes = new Uint8Array(await response.arrayBuffer());
    return { response, bytes };
  };

  beforeEach(async () => {
    userCount += 1;
    ann = await signIn(`ann${userCount}@example.org`);
  });

  test('a payment with a test card gives the plan, the invoice and one receipt', async () => {
    const secret = await ann.begin(PRO);
    expect(
      (await ann.client.call(getSandboxCheckout, { params: { clientSecret: secret } })).data,
    ).toEqual({
      sessionId: sessionOf(secret),
      plan: 'Engram - Pro - monthly',
      amount: 5,
      billingPeriod: 'monthly',
      kind: 'new',
      dueToday: 5,
      beginsOn: expect.any(String),
    });
    expect(await ann.paid(sessionOf(secret))).toBe('unpaid');
    expect(await ann.pay(secret, PAID)).toMatchObject({
      status: 200,
      body: { data: { sessionId: sessionOf(secret), paymentStatus: 'paid' } },
    });
    expect(await ann.paid(sessionOf(secret))).toBe('paid');
    expect((await ann.plan()).slice(0, 2)).toEqual(['Engram - Pro - monthly', 'ACTIVE']);
    expect(await ann.billing()).toMatchObject({ billingAddress: 'Ann Lee, 1 Mill Lane' });
    expect((await ann.pay(secret, PAID)).status).toBe(409);
    await engram.settled();
    expect(receipts()).toHaveLength(1);
    expect(receipts()[0]?.text).toContain('no money has moved');
    const stored = await findWords(engram.folder, [secret, '4242424242424242', '4242 4242']);
    expect(stored).toEqual([]);
  });

  test('a declined card changes nothing, and another one can be used', async () => {
    const secret = await ann.begin(PRO);
    expect((await ann.pay(secret, DECLINED)).body.data).toMatchObject({ paymentStatus: 'unpaid' });
    expect(await ann.paid(sessionOf(secret))).toBe('unpaid');
    expect(await ann.plan()).toEqual(['Starter(Free)', 'ACTIVE', null]);
    expect(await ann.invoices()).toEqual([]);
    expect((await ann.pay(secret, PAID)).body.data).toMatchObject({ paymentStatus: 'paid' });
  });

  test.each([
    [{ cardNumber: '4111 1111 1111 1111' }, CARDS],
    [{ cardNumber: '' }, CARDS],
    [{ expiry: '13/30' }, 'Please enter the expiry date of the card as MM/YY, such as 12/34.'],
    [{ expiry: '02/26' }, 'The card has expired. Please enter a future month, such as 12/34.'],
    [{ cvc: '12' }, 'Please enter the security code of the card, three or four digits.'],
  ])('%j is refused with a message', async (change, message) => {
    const secret = await ann.begin(PRO);
    const answer = await ann.pay(secret, { ...PAID, ...change });
    expect([answer.status, answer.body.message]).toEqual([400, message]);
    expect((await ann.pay(secret, { ...PAID, expiry: '04/26' })).status).toBe(200);
  });

  test("another user's or an expired checkout cannot be read or paid", async () => {
    const secret = await ann.begin(PRO);
    const bob = await signIn(`bob${userCount}@example.org`);
    expect((await bob.pay(secret, PAID)).status).toBe(404);
    await expect(bob.paid(sessionOf(secret))).rejects.toMatchObject({ status: 404 });
    const params = { clientSecret: secret };
    await expect(bob.client.call(getSandboxCheckout, { params })).rejects.toMatchObject({
      status: 404,
    });
    engram.advance(DAY);
    expect((await ann.pay(secret, PAID)).body.message).toBe(
      'This checkout has expired. Please choose your plan again.',
    );
    expect(await ann.paid(sessionOf(secret))).toBe('unpaid');
  });

  test('signed links open documents for 15 minutes, and documents are marked as from the sandbox', async () => {
    await buy();
    const [invoice] = await ann.invoices();
    const { response, bytes } = await documentOf(invoice?.invoicePdf);
    expect(response.headers.get('content-type')).toBe('application/pdf');
    expect(response.headers.get('cache-control')).toBe('private, no-store');
    const { text } = await extractText(bytes, { mergePages: true });
    const number = invoice?.invoiceNo ?? '';
    for (const words of ['SANDBOX', 'Invoice', number, ann.email, 'Ann Lee', '$5.00']) {
      expect(text).toContain(words);
    }
    expect((await documentOf(invoice?.receiptUrl)).response.status).toBe(200);
    const [claims = '', mac] = (invoice?.invoicePdf ?? '').split('/').at(-1)?.split('.') ?? [];
    const other = Buffer.from(claims, 'base64url').toString().replace('invoice', 'receipt');
    const forged = `/v1/payments/documents/${Buffer.from(other).toString('base64url')}.${mac}`;
    expect((await documentOf(forged)).response.status).toBe(404);
    engram.advance(15 * 60_000 + 1000);
    expect((await documentOf(invoice?.invoicePdf)).response.status).toBe(410);
    const [latest] = await ann.invoices();
    const { client } = await engram.signIn(ann.email);
    await client.call(deleteAccount, { body: { email: ann.email } });
    expect((await documentOf(latest?.invoicePdf)).response.status).toBe(404);
    await engram.settled();
  });

  test('a plan can be changed for the difference, cancelled, and bought again', async () => {
    await buy();
    await expect(ann.begin(ELITE)).rejects.toMatchObject({ status: 409 });
    const [, , end] = await ann.plan();
    await later(15 * DAY);
    await ann.upgrade(ELITE);
    expect(await ann.plan()).toEqual(['Engram - Elite - monthly', 'ACTIVE', end]);
    expect((await ann.invoices())[0]?.amount).toBeCloseTo(2.58, 1);
    await ann.upgrade(ELITE_YEARLY);
    expect((await ann.plan())[2]).toMatch(/^2027-/u);
    await ann.cancel();
    expect((await ann.plan())[1]).toBe('CANCELLED');
    // A cheaper plan begins at the end, and the sandbox charges it then.
    await buy(PRO);
    expect((await ann.plan()).slice(0, 2)).toEqual(['Engram - Elite - yearly', 'ACTIVE']);
    await later(390 * DAY);
    expect((await ann.plan()).slice(0, 2)).toEqual(['Engram - Pro - monthly', 'ACTIVE']);
    await later(40 * DAY);
    expect((await ann.plan())[1]).toBe('EXPIRED');
    await buy(PRO);
    expect((await ann.plan())[1]).toBe('ACTIVE');
    expect((await ann.invoices()).map(({ plan }) => plan)).toEqual([
      'Engram - Pro - monthly',
      'Engram - Pro - monthly',
      'Engram - Elite - yearly',
      'Engram - Elite - monthly',
      'Engram - Pro - monthly',
    ]);
  });

  test('a user who opens too many checkouts has to wait, and other users do not', async () => {
    // The limit refills meanwhile, so a call in between may succeed.
    const untilRefused = async (call: () => Promise<unknown>): Promise<void> => {
      for (let calls = 0; calls < 100; calls += 1) {
        await call().catch((error: { status: number }) => {
          if (error.status === 429) throw error;
        });
      }
    };
    const refusal = {
      status: 429,
      message: 'Too many payment requests. Please wait a moment.',
    };
    // Shared limits use the clock of the database, which tests cannot set.
    const moveLimits = (interval: string) =>
      engram.deps.database.pool.query('UPDATE rate_limits SET full_at = full_at + $1::interval', [
        interval,
      ]);
    await expect(untilRefused(() => ann.begin(PRO))).rejects.toMatchObject(refusal);
    await moveLimits('1 hour');
    await expect(untilRefused(ann.cancel)).rejects.toMatchObject(refusal);
    await moveLimits('-1 hour');
    const bob = await signIn(`bob${userCount}@example.org`);
    expect(await bob.begin(PRO)).toContain('_secret_');
    engram.advance(HOUR);
    await moveLimits('-1 hour');
    expect(await ann.begin(PRO)).toContain('_secret_');
  });

  test('two checkouts that are paid at the same time give one plan', async () => {
    const secrets = [await ann.begin(PRO), await ann.begin(ELITE)];
    const answers = await Promise.all(secrets.map((secret) => ann.pay(secret, PAID)));
    expect(answers.some(({ status: state }) => state === 200)).toBe(true);
    await engram.settled();
    const { rows } = await engram.deps.database.pool.query<{ status: string }>(
      `SELECT status FROM sandbox_subscriptions WHERE user_id = $1 AND status = 'active'`,
      [ann.userId],
    );
    expect(rows).toHaveLength(1);
  });

  test('a payment that a crash interrupted is recorded later', async () => {
    const secret = await ann.begin(PRO);
    await engram.deps.database.pool.query(
      `INSERT INTO sandbox_subscriptions
       SELECT 'sub_sandbox_' || id, user_id, id, price_id, 'active', $2, $2,
         $2::timestamptz + interval '1 month', null
       FROM checkouts WHERE id = $1`,
      [sessionOf(secret), engram.deps.now()],
    );
    engram.advance(HOUR);
    await engram.deps.services.payments.reconcile();
    expect((await ann.plan())[1]).toBe('ACTIVE');
    expect(await ann.paid(sessionOf(secret))).toBe('paid');
  });

  test('the status names the sandbox, no webhook exists, and the content security policy names no other server', async () => {
    const { data } = await ann.client.call(status, {});
    expect(data.abilities.find(({ name }) => name === 'payments')).toMatchObject({ on: false });
    const webhook = await fetch(`${engram.baseUrl}/stripe/webhook`, { method: 'POST', body: '{}' });
    expect(webhook.status).toBe(404);
    const response = await fetch(`${engram.baseUrl}/health`);
    expect(response.headers.get('content-security-policy')).not.toContain('https:');
  });
});
