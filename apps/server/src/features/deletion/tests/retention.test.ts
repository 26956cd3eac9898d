import { listArtifacts } from '@engram/contract';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createMailer, type Mailer } from '../../../platform/mail/mailer.ts';
import { formOf, plainCalls } from '../../../tests/plain-calls.test-setup.ts';
import { readMail } from '../../../tests/read-mail.test-setup.ts';
import type { SignedInUser } from '../../../tests/app.test-setup.ts';
import { useTestApp } from '../../../tests/use-app.test-setup.ts';
import { createUsersRepository } from '../../auth/users.repository.ts';
import type { Core } from '../../../composition/core.ts';
import { createSubscriptionService } from '../../subscription/subscription.service.ts';
import type { ArtifactDeletion } from '../artifact-deletion.ts';
import { createRetention } from '../retention.ts';

const engram = useTestApp({
  env: { ENGRAM_LIMITS: 'enforce', ENGRAM_PUBLIC_URL: 'https://engram.example.org' },
});
const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const GB = 1_000_000_000;
/** Gigabytes of a user's files, oldest first. The two newest exceed the free storage. */
const FILES = { Lease: 4, Manual: 5, Recipe: 2, Diary: 3 };
const ALL = Object.keys(FILES);
const REMAINING = ['Lease', 'Manual'];

let userCount = 0;
let ada: SignedInUser;
/** The end of the plan: an hour after the start of each test. */
let end: Date;

const query = (statement: string, ...values: unknown[]) =>
  engram.deps.database.pool.query<Record<string, unknown>>(statement, values);
const now = () => engram.deps.now();
const run = () => engram.deps.services.deletion.retention.run(new AbortController().signal);
const after = (days: number): Date => new Date(end.getTime() + days * DAY);
/** Sets the clock to some days after the end, and runs the job. */
const runAfter = async (days: number) => {
  engram.advance(after(days).getTime() - now().getTime());
  await run();
};
const { call } = plainCalls(engram);
const upload = ({ token }: SignedInUser, artifactText: string) =>
  call('POST /artifacts/upload', { token, body: formOf({ artifactText }) });
const filesOf = async (userId: string) => {
  const { rows } = await query(
    'SELECT file_name FROM artifacts WHERE user_id = $1 ORDER BY created_at',
    userId,
  );
  return rows.map((row) => String(row['file_name']).split(' ')[0]);
};
const mailsTo = ({ email }: SignedInUser) =>
  engram.mails
    .filter(({ to, text }) => to === email && !text.includes('sign-in code'))
    .map(({ text }) => readMail(text));
const warningsOf = async ({ userId }: SignedInUser) => {
  const { rows } = await query('SELECT * FROM plan_mails WHERE user_id = $1 ORDER BY kind', userId);
  return rows.map((row) => [row['kind'], row['about']]);
};
const cancelPlan = (userId: string, endsAt: Date) =>
  query(
    `UPDATE subscriptions SET plan = 'Engram - Pro - monthly', status = 'Cancelled', ends_at = $2
     WHERE user_id = $1`,
    userId,
    endsAt,
  );
const addWarning = (kind: string, days: number, about = end) =>
  query(
    'INSERT INTO plan_mails VALUES ($1, $2, $3, $4)',
    ada.userId,
    kind,
    about.toISOString(),
    after(days),
  );

const resize = (name: string, gigabytes: number) =>
  query(
    'UPDATE artifacts SET size = $3 WHERE user_id = $1 AND file_name LIKE $2',
    ada.userId,
    `${name}%`,
    gigabytes * GB,
  );

beforeEach(async () => {
  ada = await engram.signIn(`ada${(userCount += 1)}@example.org`);
  for (const name of ALL) await upload(ada, `${name} of ${ada.email}`);
  for (const [name, gigabytes] of Object.entries(FILES)) await resize(name, gigabytes);
  end = new Date(now().getTime() + HOUR);
  await cancelPlan(ada.userId, end);
});
afterEach(async () => {
  engram.refusedMail.clear();
  await engram.settled();
});

const filesDeletedOn = async () =>
  (await engram.deps.services.subscription.billing(ada.userId))[0]?.filesDeletedOn;

test('warns at the end and three days later, and deletes the newest after a week', async () => {
  await runAfter(-1 / 24);
  expect(mailsTo(ada)).toEqual([]);
  expect(await filesDeletedOn()).toBe(after(7).toISOString());

  await runAfter(0);
  await run();
  expect(mailsTo(ada)).toHaveLength(1);
  const about = end.toISOString();
  expect(await warningsOf(ada)).toEqual([['retention:1', about]]);
  const [first] = mailsTo(ada);
  const day = new Intl.DateTimeFormat('en-US', { dateStyle: 'full', timeZone: 'UTC' });
  expect(first?.headers.get('subject')).toBe(
    `2 files in Engram will be deleted on ${day.format(after(7))}`,
  );
  for (const expected of [
    `Your plan Engram - Pro - monthly ended on ${day.format(end)}.`,
    'Stored now: 14 GB',
    'Free storage: 10 GB',
    'To be deleted: 2 files, 5 GB',
    `Not before: ${day.format(after(7))}, ${after(7).toISOString().slice(11, 16)} UTC`,
    'These are: Diary of',
    'and Recipe of',
    'choose a plan before then',
    'Choose a plan: https://engram.example.org/pricing',
    'We will remind you again',
  ]) {
    expect(first?.text).toContain(expected);
  }

  await runAfter(2.9);
  expect(mailsTo(ada)).toHaveLength(1);
  await runAfter(3);
  await run();
  expect(mailsTo(ada)).toHaveLength(2);
  const second = mailsTo(ada)[1];
  expect(second?.headers.get('subject')).toMatch(/^Last reminder: 2 files in Engram/u);
  expect(second?.text).toContain('This is the last reminder.');
  expect(await warningsOf(ada)).toEqual([
    ['retention:1', about],
    ['retention:2', about],
  ]);
  expect(await filesDeletedOn()).toBe(after(7).toISOString());

  await runAfter(6.99);
  expect(await filesOf(ada.userId)).toEqual(ALL);
  await runAfter(7);
  expect(await filesOf(ada.userId)).toEqual(REMAINING);
  await runAfter(8);
  await runAfter(30);
  expect(await filesOf(ada.userId)).toEqual(REMAINING);
  expect(mailsTo(ada)).toHaveLength(2);

  expect(await filesDeletedOn()).toBeNull();
  await engram.settled();
  const stored = await engram.deps.files.list(ada.userId);
  expect(new Set(stored.map((key) => key.split('/')[1])).size).toBe(2);
});

test('waits for warnings that the mail server rejects, and extends the period', async () => {
  engram.refusedMail.add(ada.email);
  await runAfter(0);
  await runAfter(5);
  expect(await warningsOf(ada)).toEqual([]);
  engram.refusedMail.clear();
  await runAfter(6);
  expect(await warningsOf(ada)).toHaveLength(1);
  await runAfter(7.9);
  expect(await warningsOf(ada)).toHaveLength(1);
  engram.refusedMail.add(ada.email);
  await runAfter(8);
  await runAfter(15);
  expect(await filesOf(ada.userId)).toEqual(ALL);
  engram.refusedMail.clear();
  await runAfter(16);
  expect(await warningsOf(ada)).toHaveLength(2);
  await runAfter(18.9);
  expect(await filesOf(ada.userId)).toEqual(ALL);
  await runAfter(19.01);
  expect(await filesOf(ada.userId)).toEqual(REMAINING);
});

test('does not delete files of a user with a new plan, and warns again at its end', async () => {
  await runAfter(0);
  await runAfter(3);
  const next = after(20);
  await engram.deps.database.transaction((tx) =>
    engram.deps.services.subscription.report(tx, {
      userId: ada.userId,
      provider: 'sandbox',
      customer: `customer of ${ada.email}`,
      subscription: `subscription of ${ada.email}`,
      priceId: 'price_pro_monthly',
      status: 'active',
      endsAt: next,
      next: null,
      balance: 0,
      billingAddress: null,
      reportedAt: now(),
    }),
  );
  await runAfter(7);
  await runAfter(19);
  expect(await filesOf(ada.userId)).toEqual(ALL);
  await cancelPlan(ada.userId, next);
  await runAfter(20);
  expect(await warningsOf(ada)).toHaveLength(3);
  expect(mailsTo(ada)).toHaveLength(3);
  expect(await filesOf(ada.userId)).toEqual(ALL);
});

/** Replaced parts of the server. */
interface Changes {
  limits?: 'enforce' | 'off';
  mailer?: Mailer;
}

describe('once a deletion is due', () => {
  const retention = ({
    limits = 'enforce',
    mailer,
    ...changes
  }: Changes & Partial<ArtifactDeletion> = {}) => {
    const { database, services, config, background } = engram.deps;
    const smtp = createMailer({ smtpUrl: config.smtpUrl, from: config.mailFrom, log: silent });
    const storedBytes = async (userId: string) => {
      const { rows } = await query(
        'SELECT sum(size)::float8 AS bytes FROM artifacts WHERE user_id = $1',
        userId,
      );
      return Number(rows[0]?.['bytes']);
    };
    const core = {
      config: { limits, payments: 'sandbox', publicUrl: undefined },
      storage: {
        database,
        emailOf: createUsersRepository(database).emailOf,
        artifactsRepository: { storedBytes },
      },
      providers: { mailer: mailer ?? smtp },
      background,
      now,
    } as unknown as Core;
    const { overdrawn } = createSubscriptionService(core);
    const job = createRetention(overdrawn, { ...services.artifactDeletion, ...changes }, silent);
    return async () => {
      await job.run(new AbortController().signal);
      smtp.close();
    };
  };
  const silent = { info: () => undefined, warn: () => undefined };

  const makeDue = async () => {
    await cancelPlan(ada.userId, end);
    await query('DELETE FROM plan_mails WHERE user_id = $1', ada.userId);
    await addWarning('retention:1', 0);
    await addWarning('retention:2', 3);
    for (const [name, gigabytes] of Object.entries(FILES)) await resize(name, gigabytes);
  };
  beforeEach(async () => {
    await makeDue();
    engram.advance(after(8).getTime() - now().getTime());
  });
  const updatePlan = (assignments: string) =>
    query(`UPDATE subscriptions SET ${assignments} WHERE user_id = $1`, ada.userId);
  const deleteWarning = (kind: string) =>
    query('DELETE FROM plan_mails WHERE user_id = $1 AND kind = $2', ada.userId, kind);
  /** Moves the end of the plan and its warnings by some days. */
  const endLater = async (days: number) => {
    await cancelPlan(ada.userId, after(days));
    const about = after(days).toISOString();
    await query('UPDATE plan_mails SET about = $2 WHERE user_id = $1', ada.userId, about);
  };
  const doNothing = async () => undefined;
  const printing = createMailer({ from: 'Engram <engram@localhost>', log: silent });
  const unmet: [string, () => Promise<unknown>, Changes?][] = [
    ['limits are not enforced', doNothing, { limits: 'off' }],
    ['mails are only printed', doNothing, { mailer: printing }],
    ['the first mail was not accepted', () => deleteWarning('retention:1')],
    ['the second mail was not accepted', () => deleteWarning('retention:2')],
    ['the mails were about another end', () => updatePlan(`ends_at = ends_at - interval '1 hour'`)],
    [
      'the mails were sent long ago',
      () => query(`UPDATE plan_mails SET sent_at = sent_at - interval '30 days'`),
    ],
    ['a week has not passed', () => endLater(1.5)],
    ['the plan continues', () => updatePlan(`status = 'Active', ends_at = '2999-01-01'`)],
    ['it expired unpaid', () => updatePlan(`status = 'Expired'`)],
    ['its period ended unpaid', () => updatePlan(`status = 'Active'`)],
    [
      'the files fit the free storage',
      () => resize('Diary', 0.5).then(() => resize('Recipe', 0.5)),
    ],
  ];

  test('deletes nothing unless all conditions are met', async () => {
    for (const [condition, prepare, changes] of unmet) {
      await makeDue();
      await prepare();
      await retention(changes)();
      expect([condition, await filesOf(ada.userId)]).toEqual([condition, ALL]);
    }
    await makeDue();
    await retention()();
    expect(await filesOf(ada.userId)).toEqual(REMAINING);
  });

  test('deletes files above the free storage, also in concurrent runs', async () => {
    await Promise.all([retention()(), retention()(), retention()()]);
    expect(await filesOf(ada.userId)).toEqual(REMAINING);
  });

  test('continues after an interrupted run, and deletes no more than needed', async () => {
    const { deleteForPlan } = engram.deps.services.artifactDeletion;
    await retention({
      async deleteForPlan(userId, ids) {
        await deleteForPlan(userId, ids.slice(0, 1));
        throw new Error('killed');
      },
    })();
    expect(await filesOf(ada.userId)).toEqual(['Lease', 'Manual', 'Recipe']);
    await retention()();
    expect(await filesOf(ada.userId)).toEqual(REMAINING);
    await retention()();
    expect(await filesOf(ada.userId)).toEqual(REMAINING);
  });

  test('continues with other users after a failure', async () => {
    const bob = await engram.signIn(`bob${userCount}@example.org`);
    await upload(bob, 'A large file of Bob.');
    await query('UPDATE artifacts SET size = $2 WHERE user_id = $1', bob.userId, 11 * GB);
    await cancelPlan(bob.userId, end);
    const { deleteForPlan } = engram.deps.services.artifactDeletion;
    await retention({
      deleteForPlan: (userId, ids) =>
        userId === ada.userId ? Promise.reject(new Error('broken')) : deleteForPlan(userId, ids),
    })();
    expect(await filesOf(ada.userId)).toEqual(ALL);
    expect(mailsTo(bob)[0]?.headers.get('subject')).toMatch(/^1 file in Engram will be deleted/u);
  });
});

test("concurrent uploads do not exceed the plan's storage", async () => {
  const bob = await engram.signIn(`bob-uploads@example.org`);
  await upload(bob, 'Nearly all there is room for.');
  await query('UPDATE artifacts SET size = $2 WHERE user_id = $1', bob.userId, 10 * GB - 50);
  const form = (n: number) => {
    const body = new FormData();
    body.append('files', new Blob([`${n}`.repeat(40)]), `${n}.txt`);
    return body;
  };
  // Streamed, so that its size is not known in advance.
  const responses = await Promise.all(
    [1, 2, 3, 4].map((n) => {
      const { body, headers } = new Response(form(n));
      return fetch(`${engram.baseUrl}/artifacts/upload`, {
        method: 'POST',
        body,
        duplex: 'half',
        headers: {
          authorization: `Bearer ${bob.token}`,
          'content-type': headers.get('content-type') ?? '',
        },
      } as RequestInit);
    }),
  );
  expect(responses.map(({ status }) => status).toSorted()).toEqual([200, 402, 402, 402]);
  expect((await bob.client.call(listArtifacts, { query: {} })).total).toBe(2);
});
