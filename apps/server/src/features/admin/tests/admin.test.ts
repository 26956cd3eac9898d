import {
  type AuditEntry,
  deleteAccount,
  listAudit,
  listEmails,
  listUsers,
  uploadArtifacts,
} from '@engram/contract';
import { beforeAll, describe, expect, test } from 'vitest';
import { plainCalls } from '../../../tests/plain-calls.test-setup.ts';
import { type SignedInUser, testDatabases } from '../../../tests/app.test-setup.ts';
import { useTestApp } from '../../../tests/use-app.test-setup.ts';

const ADMIN = 'root@example.org';
const USER_COUNT = 450;

describe.each(testDatabases)('lists for admins (%s)', (database) => {
  const engram = useTestApp({ database, env: { ENGRAM_ADMIN_EMAILS: `Root@Example.org` } });
  const calls = plainCalls(engram);
  let root: SignedInUser;
  let ann: SignedInUser;

  beforeAll(async () => {
    // Created long ago, so that signed-in users are the newest.
    await engram.deps.database.pool.query(
      `INSERT INTO users (id, email, name, created_at)
       SELECT gen_random_uuid(), 'p' || lpad(n::text, 3, '0') || '@crowd.example',
         'Person 100%_' || n, '2020-01-01'::timestamptz + n / 3 * interval '1 hour'
       FROM generate_series(1, ${USER_COUNT}) AS n`,
    );
    await engram.deps.database.pool.query(
      `INSERT INTO subscriptions (user_id, plan, status, credit)
       SELECT id, 'Starter(Free)', 'Active', 0 FROM users`,
    );
    ann = await engram.signIn('ann@example.org');
    root = await engram.signIn(ADMIN);
  });

  const audited = async (): Promise<AuditEntry[]> =>
    (await root.client.call(listAudit, { query: { limit: 1000 } })).data;
  /** The log entries that an action adds, oldest first. */
  const auditedBy = async (act: () => Promise<unknown>) => {
    const before = await audited();
    await act();
    const after = await audited();
    // Reading the log twice adds one entry.
    return after.slice(1, after.length - before.length).toReversed();
  };

  const readPages = async <Row>(
    read: (cursor?: string) => Promise<{ data: Row[]; nextCursor?: string | null; total?: number }>,
  ) => {
    const rows: Row[] = [];
    const totals = new Set<number | undefined>();
    let cursor: string | null | undefined;
    let pages = 0;
    do {
      const page = await read(cursor ?? undefined);
      rows.push(...page.data);
      totals.add(page.total);
      cursor = page.nextCursor;
      pages += 1;
    } while (cursor);
    return { rows, pages, totals: [...totals] };
  };

  test('contain all addresses, paged or complete, with one entry in the log', async () => {
    const lists: { rows: { email: string }[]; pages: number; totals: (number | undefined)[] }[] =
      [];
    const entries = await auditedBy(async () => {
      lists.push(
        await readPages((cursor) =>
          root.client.call(listEmails, { query: { limit: 100, cursor } }),
        ),
      );
    });
    const { rows, pages, totals } = lists[0]!;
    expect([pages, totals]).toEqual([5, [USER_COUNT + 2]]);
    const addresses = rows.map(({ email }) => email);
    expect(addresses).toEqual(addresses.toSorted());
    expect(new Set(addresses).size).toBe(USER_COUNT + 2);
    expect(addresses).toContain(ann.email);
    expect(entries).toMatchObject([
      {
        actor: { id: root.userId, email: ADMIN },
        action: 'users.list',
        subject: null,
        details: 'Listed all addresses.',
      },
    ]);
    const complete = await root.client.call(listEmails, {});
    expect(complete.data).toEqual(rows);
    expect([complete.total, complete.nextCursor]).toEqual([USER_COUNT + 2, null]);
  });

  test('log a later page of a list again after an hour', async () => {
    const first = await root.client.call(listEmails, { query: { limit: 5 } });
    engram.advance(3_600_001);
    const entries = await auditedBy(async () => {
      for (const limit of [2, 3]) {
        const cursor = first.nextCursor ?? '';
        await root.client.call(listEmails, { query: { limit, cursor } });
      }
    });
    expect(entries).toMatchObject([{ action: 'users.list', actor: { email: ADMIN } }]);
  });

  test('log a page of a different list', async () => {
    const first = await root.client.call(listEmails, { query: { limit: 5 } });
    const cursor = first.nextCursor ?? '';
    const entries = await auditedBy(async () => {
      await root.client.call(listEmails, { query: { limit: 5, cursor, q: 'p' } });
    });
    expect(entries).toMatchObject([{ details: 'Searched for an address.' }]);
  });

  test('find users by a part of the address, ignoring case', async () => {
    const { data, total } = await root.client.call(listEmails, { query: { q: ' P01', limit: 4 } });
    expect(data.map(({ email }) => email)).toEqual(
      ['010', '011', '012', '013'].map((n) => `p${n}@crowd.example`),
    );
    expect(total).toBe(10);
    const byName = await root.client.call(listEmails, { query: { q: 'Person' } });
    expect(byName.data).toEqual([]);
  });

  test('show users with plan, credits and files, newest first', async () => {
    const note = { name: 'a.txt', content: new Blob(['The mill has two wheels.']) };
    await ann.client.upload(uploadArtifacts, [note], {});
    await engram.deps.database.pool.query(
      `UPDATE subscriptions SET plan = 'Engram - Pro - monthly', credit = 7,
         ends_at = now() - interval '1 day' WHERE user_id = $1`,
      [ann.userId],
    );
    const { rows, totals } = await readPages((cursor) =>
      root.client.call(listUsers, { query: { limit: 200, cursor } }),
    );
    expect(totals).toEqual([USER_COUNT + 2]);
    expect(rows.slice(0, 3)).toEqual([
      expect.objectContaining({ email: ADMIN, role: 'ADMIN', files: 0, stored: 0 }),
      {
        id: ann.userId,
        email: ann.email,
        name: null,
        role: 'USER',
        createdDate: expect.any(String) as string,
        plan: 'Engram - Pro - monthly',
        status: 'Expired',
        credit: 7,
        files: 1,
        stored: 24,
      },
      expect.objectContaining({ name: `Person 100%_${USER_COUNT}`, plan: 'Starter(Free)' }),
    ]);
    expect(new Set(rows.map(({ id }) => id)).size).toBe(USER_COUNT + 2);
    const dates = rows.map(({ createdDate }) => createdDate);
    expect(dates).toEqual(dates.toSorted().toReversed());
    expect((await root.client.call(listUsers, {})).data).toEqual(rows);
    await engram.settled();
  });

  test.each([
    ['PERSON 100%_44', 11],
    ['crowd.example', USER_COUNT],
    ['ann@', 1],
    ['%', USER_COUNT],
    ['_', USER_COUNT],
    ['\\', 0],
    ["'; DROP TABLE users; --", 0],
    ['', USER_COUNT + 2],
  ])('find all users with %j in address or name', async (q, total) => {
    const page = await root.client.call(listUsers, { query: { q, limit: 3 } });
    expect([page.total, page.data.length]).toEqual([total, Math.min(total, 3)]);
  });

  test('do not name deleted accounts or searches in the log', async () => {
    const eve = await engram.signIn('eve@example.org');
    await engram.deps.database.pool.query(
      `INSERT INTO audit_log (id, actor_id, action, subject_id, details, created_at)
       VALUES (gen_random_uuid(), $1, 'credits.add', $2, 'Added 5 credits.', now())`,
      [root.userId, eve.userId],
    );
    const entries = await auditedBy(() =>
      root.client.call(listUsers, { query: { q: eve.email, limit: 1 } }),
    );
    expect(entries).toMatchObject([{ action: 'users.list', details: 'Searched for a user.' }]);
    const credited = async () => (await audited()).find(({ action }) => action === 'credits.add');
    expect(await credited()).toMatchObject({ subject: { id: eve.userId, email: eve.email } });
    await eve.client.call(deleteAccount, { body: { email: eve.email } });
    await engram.settled();
    expect(await credited()).toMatchObject({ actor: { email: ADMIN }, subject: null });
    expect(JSON.stringify(await audited())).not.toContain('eve@');
  });

  test('include the log itself, paged, and reading it is logged', async () => {
    const { rows, pages } = await readPages((cursor) =>
      root.client.call(listAudit, { query: { limit: 3, cursor } }),
    );
    expect(pages).toBeGreaterThan(2);
    expect(new Set(rows.map(({ id }) => id)).size).toBe(rows.length);
    expect(rows[0]).toMatchObject({ action: 'audit.list', details: 'Read the audit log.' });
    expect((await root.client.call(listAudit, {})).data.slice(1)).toEqual(rows);
  });

  test.each(['/user/profile/emails', '/admin/users', '/admin/audit'])(
    'deny %s to other users, without a log entry',
    async (path) => {
      const before = await audited();
      expect(await calls.call(`GET ${path}`, { token: ann.token })).toMatchObject({
        status: 403,
        answer: { message: 'Only admins may do this.' },
      });
      for (const cursor of ['x', Buffer.from('nobody').toString('base64url')]) {
        const refusal = await calls.call(`GET ${path}?cursor=${cursor}`, { token: root.token });
        expect([refusal.status, refusal.answer['message']]).toEqual([
          400,
          'This position in the list is no longer valid.',
        ]);
      }
      expect(await audited()).toHaveLength(before.length + 1);
    },
  );
});
