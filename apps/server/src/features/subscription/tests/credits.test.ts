import {
  addCredits,
  addCreditsByPut,
  listAllLedger,
  listCredits,
  listLedger,
  type LedgerEntry,
} from '@engram/contract';
import { beforeAll, describe, expect, test } from 'vitest';
import { plainCalls } from '../../../tests/plain-calls.test-setup.ts';
import type { SignedInUser } from '../../../tests/app.test-setup.ts';
import { useTestApp } from '../../../tests/use-app.test-setup.ts';

const ROOT = 'root@example.org';
const engram = useTestApp({ env: { ENGRAM_ADMIN_EMAILS: ROOT, ENGRAM_LOG_LEVEL: 'fatal' } });
const calls = plainCalls(engram);
let root: SignedInUser;
let ada: SignedInUser;
let bob: SignedInUser;

const query = (statement: string, ...values: unknown[]) =>
  engram.deps.database.pool.query<Record<string, unknown>>(statement, values);
const give = (user: SignedInUser, credits: number) =>
  root.client.call(addCredits, { params: { userId: user.userId, credits: String(credits) } });
const state = async () => {
  const tables = ['credit_ledger', 'audit_log', 'subscriptions'];
  return Promise.all(tables.map(async (table) => (await query(`SELECT * FROM ${table}`)).rows));
};
const addressOf = (id: string) => [ada, bob].find(({ userId }) => userId === id)?.email;
const summaryOf = ({ userId, change, balance, reason }: LedgerEntry) => ({
  userId,
  change,
  balance,
  reason,
});

beforeAll(async () => {
  root = await engram.signIn(ROOT);
  ada = await engram.signIn('ada@example.org');
  bob = await engram.signIn('bob@example.org');
});

describe('adding credits', () => {
  test('increases the balance, and is recorded in the ledger and the audit log', async () => {
    expect(await give(ada, 5)).toMatchObject({
      message: 'Updated successfully',
      data: { userId: ada.userId, credit: 5 },
    });
    const params = { userId: ada.userId, credits: '1' };
    const { data } = await root.client.call(addCreditsByPut, { params });
    expect(data).toEqual({ userId: ada.userId, credit: 6 });
    const { rows } = await query(
      'SELECT actor_id, action, subject_id, details FROM audit_log ORDER BY created_at, id',
    );
    const entry = { actor_id: root.userId, action: 'credits.add', subject_id: ada.userId };
    expect(rows).toEqual([
      { ...entry, details: 'Added 5 credits. The balance is now 5.' },
      { ...entry, details: 'Added 1 credit. The balance is now 6.' },
    ]);
    const { data: ledger, total } = await ada.client.call(listLedger, { query: {} });
    expect(total).toBe(2);
    const added = { userId: ada.userId, reason: 'Added by an admin' };
    expect(ledger.map((row) => summaryOf(row))).toEqual([
      { ...added, change: 1, balance: 6 },
      { ...added, change: 5, balance: 5 },
    ]);
  });

  test('is refused for an unknown user, and for an amount that is invalid or too large', async () => {
    await query('UPDATE subscriptions SET credit = 2147483646 WHERE user_id = $1', bob.userId);
    const before = await state();
    const path = 'POST /subscription/update-credits';
    const unknownId = '00000000-0000-4000-8000-000000000000';
    const refusals: [line: string, status: number, message: string][] = [
      [`${path}/${bob.userId}/2`, 400, 'the maximum is 2,147,483,647'],
      [`${path}/${unknownId}/1`, 404, 'This user does not exist.'],
      ...['0', '-1', '1.5', '1e3', 'ten', '1000001', '99999999'].map(
        (amount): [string, number, string] => [`${path}/${bob.userId}/${amount}`, 400, ''],
      ),
      [`${path}/bob/1`, 400, 'This is not a valid id.'],
    ];
    for (const [line, status, message] of refusals) {
      const refusal = await calls.call(line, { token: root.token });
      expect([line, refusal.status]).toEqual([line, status]);
      expect(refusal.answer['message']).toContain(message);
    }
    expect(await state()).toEqual(before);
    await give(bob, 1);
    await query('UPDATE subscriptions SET credit = 0 WHERE user_id = $1', bob.userId);
  });

  test('is limited to admins, and so are the lists', async () => {
    const before = await state();
    for (const line of [
      `POST /subscription/update-credits/${ada.userId}/1`,
      `PUT /subscription/update-credits/${ada.userId}/1`,
      'GET /subscription/get-credits',
      'GET /admin/ledger',
    ]) {
      expect([line, (await calls.call(line, { token: ada.token })).status]).toEqual([line, 403]);
      expect([line, (await calls.call(line, { token: '' })).status]).toEqual([line, 401]);
    }
    expect(await state()).toEqual(before);
  });

  test('is rolled back if the audit log cannot be written', async () => {
    const before = await state();
    await query('ALTER TABLE audit_log ADD CONSTRAINT shut CHECK (false) NOT VALID');
    try {
      await expect(give(ada, 5)).rejects.toMatchObject({ status: 500 });
    } finally {
      await query('ALTER TABLE audit_log DROP CONSTRAINT shut');
    }
    expect(await state()).toEqual(before);
  });

  test('adds up if it happens concurrently', async () => {
    await Promise.all([1, 2, 3, 4].map((credits) => give(bob, credits)));
    const { data } = await bob.client.call(listLedger, { query: { limit: 4 } });
    expect(data[0]).toMatchObject({ balance: 10 });
    expect(data.reduce((sum, { change }) => sum + change, 0)).toBe(10);
  });
});

describe('the lists', () => {
  test('show the credits of all users, complete or page by page, and reading them is logged', async () => {
    const { data, total } = await root.client.call(listCredits, { query: {} });
    expect(new Map(data.map(({ userId, credit }) => [userId, credit]))).toEqual(
      new Map([
        [root.userId, 0],
        [ada.userId, 6],
        [bob.userId, 10],
      ]),
    );
    expect(total).toBe(3);
    const paged: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await root.client.call(listCredits, {
        query: { limit: 2, ...(cursor ? { cursor } : {}) },
      });
      expect(page.total).toBe(3);
      paged.push(...page.data.map(({ userId }) => userId));
      cursor = page.nextCursor ?? undefined;
    } while (cursor);
    expect(paged).toEqual(data.map(({ userId }) => userId));
    const matching = await root.client.call(listCredits, { query: { q: ' ADA@' } });
    expect([matching.data, matching.total]).toEqual([[{ userId: ada.userId, credit: 6 }], 1]);
    const none = await root.client.call(listCredits, { query: { q: '%', limit: 1 } });
    expect([none.data, none.total, none.nextCursor]).toEqual([[], 0, null]);
    const { rows } = await query(
      `SELECT details FROM audit_log WHERE action = 'users.list' AND actor_id = $1
       ORDER BY created_at, id`,
      root.userId,
    );
    expect(rows.map(({ details }) => details)).toEqual([
      ...Array.from({ length: 3 }, () => 'Listed the credits of all users.'),
      ...Array.from({ length: 2 }, () => 'Searched the credits of users.'),
    ]);
  });

  test('show users only their own ledger, page by page', async () => {
    const first = await ada.client.call(listLedger, { query: { limit: 1 } });
    expect(first).toMatchObject({ total: 2, data: [{ change: 1 }] });
    const cursor = first.nextCursor ?? '';
    const second = await ada.client.call(listLedger, { query: { limit: 1, cursor } });
    expect(second).toMatchObject({ total: 2, nextCursor: null, data: [{ change: 5 }] });
  });

  test('show admins the ledger of all users or of one', async () => {
    const complete = await root.client.call(listAllLedger, { query: {} });
    const people = new Set(complete.data.map(({ userId }) => userId));
    expect(people).toEqual(new Set([ada.userId, bob.userId]));
    expect(complete.total).toBe(complete.data.length);
    expect(complete.data.every(({ userId, email }) => email === addressOf(userId))).toBe(true);
    const adas = await root.client.call(listAllLedger, { query: { userId: ada.userId, limit: 5 } });
    expect(adas.data.map(({ userId }) => userId)).toEqual([ada.userId, ada.userId]);
    const unknownId = '00000000-0000-4000-8000-000000000000';
    expect((await root.client.call(listAllLedger, { query: { userId: unknownId } })).data).toEqual(
      [],
    );
    const { rows } = await query(
      `SELECT subject_id, details FROM audit_log WHERE action = 'ledger.list' ORDER BY created_at, id`,
    );
    expect(rows).toEqual([
      { subject_id: null, details: 'Read the ledger of all users.' },
      { subject_id: ada.userId, details: 'Read the ledger of one user.' },
      { subject_id: null, details: 'Read the ledger of one user.' },
    ]);
  });

  test('refuse a cursor of another list', async () => {
    const lists = ['/subscription/get-credits', '/subscription/ledger', '/admin/ledger'];
    for (const list of lists) {
      for (const cursor of ['x', Buffer.from('["2026",1]').toString('base64url')]) {
        const line = `GET ${list}?limit=1&cursor=${cursor}`;
        const { status, answer } = await calls.call(line, { token: root.token });
        expect([line, status, answer['code']]).toEqual([line, 400, 'invalid_cursor']);
      }
    }
  });
});

test('the ledger is deleted with the account', async () => {
  const eve = await engram.signIn('eve@example.org');
  await give(eve, 3);
  const line = 'DELETE /user/profile/delete-account';
  const { status } = await calls.call(line, { token: eve.token, body: { email: eve.email } });
  expect(status).toBe(200);
  const { rows } = await query('SELECT FROM credit_ledger WHERE user_id = $1', eve.userId);
  expect(rows).toEqual([]);
  const { data } = await root.client.call(listCredits, { query: {} });
  expect(data.map(({ userId }) => userId)).not.toContain(eve.userId);
});
