import {
  createShare,
  deleteArtifact,
  deleteShare,
  getSharedAnswer,
  listShares,
  search,
  type Share,
  updateHistory,
  uploadArtifacts,
} from '@engram/contract';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { type SignedInUser, testDatabases } from '../../../tests/app.test-setup.ts';
import { useTestApp } from '../../../tests/use-app.test-setup.ts';

const DEPOSIT = 'The deposit for the boathouse is 2,340 euros.';
const QUESTION = 'How much is the deposit for the boathouse?';
const NOT_SHARED = { message: 'This answer is no longer shared.', code: 'not_shared' };
const NO_ENTRY = 'There is no such question in your history.';

describe.each(testDatabases)('shares (%s)', (database) => {
  const engram = useTestApp({ database });
  let userCount = 0;
  let ann: SignedInUser;
  let artifactId: string;

  beforeEach(async () => {
    userCount += 1;
    ann = await engram.signIn(`ann${userCount}@example.org`);
    const files = [{ name: 'lease.txt', content: new Blob([DEPOSIT]) }];
    const { data } = await ann.client.upload(uploadArtifacts, files, { keywords: '["Secretive"]' });
    artifactId = data.artifacts[0]?.artifactId ?? '';
    await engram.settled();
  });

  const ask = async (text = QUESTION) => (await ann.client.call(search, { body: { text } })).data;
  const shareEntry = async (historyId: string, by = ann) =>
    (await by.client.call(createShare, { body: { historyId } })).data;
  const share = async (): Promise<Share> => shareEntry((await ask()).history_id);
  /** Opens a link without a session. */
  const openLink = async (id: string) => {
    const response = await fetch(`${engram.baseUrl}/shares/${id}`);
    return { response, status: response.status, body: (await response.json()) as unknown };
  };
  const expectGone = async (id: string) =>
    expect(await openLink(id)).toMatchObject({ status: 404, body: NOT_SHARED });
  const sql = (text: string, value: string) => engram.deps.database.pool.query(text, [value]);

  test('an answer has one link, however often it is shared', async () => {
    const { history_id: historyId } = await ask();
    const [first, ...others] = await Promise.all([1, 2, 3].map(() => shareEntry(historyId)));
    expect(first).toMatchObject({ historyId, question: QUESTION });
    expect(first?.id).toMatch(/^[\w-]{43}$/u);
    expect(first?.url).toBe(`${engram.origin}/shared/${first?.id}`);
    for (const other of [...others, await shareEntry(historyId)]) expect(other).toEqual(first);
  });

  // The embedded database runs one transaction after the other.
  test.runIf(database === 'server')(
    'a link that is being created does not block the deletion of its account',
    async () => {
      const { history_id: historyId } = await ask();
      const { pool } = engram.deps.database;
      const connection = await pool.connect();
      await connection.query('BEGIN');
      await connection.query('SELECT FROM users WHERE id = $1 FOR UPDATE', [ann.userId]);
      const sharing = shareEntry(historyId).catch((error: unknown) => error);
      const waiting = `SELECT FROM pg_stat_activity
      WHERE datname = current_database() AND wait_event_type = 'Lock'`;
      await expect.poll(async () => (await pool.query(waiting)).rowCount).toBe(1);
      await connection.query('DELETE FROM users WHERE id = $1', [ann.userId]);
      await connection.query('COMMIT');
      connection.release();
      expect(await sharing).toMatchObject({ status: 404 });
    },
  );

  test('anyone with the link can read the answer and nothing else', async () => {
    const { history_id: historyId, date, answers } = await ask();
    const { id } = await shareEntry(historyId);
    const { status, body } = await openLink(id);
    expect(status).toBe(200);
    // There is no id, quote, user, keyword, related file or link to a file.
    expect(body).toEqual({
      message: 'OK',
      data: {
        question: QUESTION,
        date,
        answer: answers[0],
        grounded: true,
        sources: [{ n: 1, fileName: 'lease.txt', location: { line: 1 } }],
        nearest: [],
      },
    });
    const text = JSON.stringify(body);
    const secrets = [ann.userId, ann.email, artifactId, historyId, 'Secretive', '/v1/files/'];
    for (const secret of secrets) expect(text).not.toContain(secret);
  });

  test('the page of a link is not cached or indexed and sends no referrer, even if the link is invalid', async () => {
    const { id } = await share();
    for (const linkId of [id, `${id}x`]) {
      const { response } = await openLink(linkId);
      expect(Object.fromEntries(response.headers)).toMatchObject({
        'cache-control': 'no-store',
        'referrer-policy': 'no-referrer',
        'x-robots-tag': 'noindex, nofollow',
      });
      expect(response.headers.get('set-cookie')).toBeNull();
    }
  });

  test('forged and malformed links get the same response as unknown ones', async () => {
    const { id } = await share();
    const bytes = Buffer.from(id, 'base64url');
    const changed = (index: number) => {
      const copy = Buffer.from(bytes);
      copy[index] = (copy[index] ?? 0) ^ 1;
      return copy.toString('base64url');
    };
    // Other encodings of the same bytes, because the last letter has unused bits.
    const equivalent = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_']
      .map((letter) => id.slice(0, -1) + letter)
      .filter((linkId) => linkId !== id && Buffer.from(linkId, 'base64url').equals(bytes));
    expect(equivalent.length).toBeGreaterThan(0);
    const uuid = bytes.subarray(0, 16).toString('hex');
    const linkIds = [changed(0), changed(15), changed(16), changed(31), ...equivalent, uuid];
    for (const linkId of [
      ...linkIds,
      `${id}=`,
      `${id}A`,
      id.slice(1),
      'x',
      '%00',
      '%F0%9F%98%80',
    ]) {
      await expectGone(linkId);
      const revoking = ann.client.call(deleteShare, { params: { id: decodeURIComponent(linkId) } });
      await expect(revoking).rejects.toMatchObject({ status: 404, ...NOT_SHARED });
    }
    expect((await openLink(id)).status).toBe(200);
  });

  test('a revoked link stops working immediately, and a new link differs', async () => {
    const { id, historyId } = await share();
    await ann.client.call(deleteShare, { params: { id } });
    await expectGone(id);
    await expect(ann.client.call(getSharedAnswer, { params: { id } })).rejects.toMatchObject({
      status: 404,
    });
    await expect(ann.client.call(deleteShare, { params: { id } })).rejects.toMatchObject({
      status: 404,
    });
    const newLink = await shareEntry(historyId);
    expect(newLink.id).not.toBe(id);
    expect((await openLink(newLink.id)).status).toBe(200);
    await expectGone(id);
  });

  test('another user’s answers cannot be shared, and their links not listed or revoked', async () => {
    const { id, historyId } = await share();
    const bob = await engram.signIn(`bob${userCount}@example.org`);
    const refused = { status: 404, message: NO_ENTRY };
    await expect(shareEntry(historyId, bob)).rejects.toMatchObject(refused);
    await expect(bob.client.call(deleteShare, { params: { id } })).rejects.toMatchObject({
      status: 404,
      ...NOT_SHARED,
    });
    expect((await bob.client.call(listShares, { query: {} })).data).toEqual([]);
    expect((await openLink(id)).status).toBe(200);
    await expect(shareEntry('00000000-0000-4000-8000-000000000000')).rejects.toMatchObject(refused);
    await expect(shareEntry('not-an-id')).rejects.toMatchObject({ status: 400 });
  });

  test('creating, listing and revoking links require a session', async () => {
    const { id, historyId } = await share();
    const calls = [
      () => engram.anonymous.call(createShare, { body: { historyId } }),
      () => engram.anonymous.call(listShares, { query: {} }),
      () => engram.anonymous.call(deleteShare, { params: { id } }),
    ];
    for (const call of calls) await expect(call()).rejects.toMatchObject({ status: 401 });
    expect((await openLink(id)).status).toBe(200);
  });

  test('links are listed newest first, page by page', async () => {
    const links: Share[] = [];
    for (const text of [QUESTION, 'Which deposit?', 'What is due for the boathouse?']) {
      links.unshift(await shareEntry((await ask(text)).history_id));
      engram.advance(1000);
    }
    const complete = await ann.client.call(listShares, { query: {} });
    expect(complete).toMatchObject({ data: links, nextCursor: null, total: 3 });
    const page = await ann.client.call(listShares, { query: { limit: 2 } });
    expect(page).toMatchObject({ data: links.slice(0, 2), total: 3 });
    const rest = await ann.client.call(listShares, {
      query: { limit: 2, cursor: page.nextCursor ?? '' },
    });
    expect(rest).toMatchObject({ data: links.slice(2), nextCursor: null, total: 3 });
    await expect(
      ann.client.call(listShares, { query: { cursor: 'nowhere' } }),
    ).rejects.toMatchObject({ status: 400, code: 'invalid_cursor' });
  });

  test('sentences from a deleted file are removed from the shared answer too', async () => {
    const { id } = await share();
    await ann.client.call(deleteArtifact, { params: { artifactId } });
    const { body } = await openLink(id);
    expect(body).toMatchObject({
      data: { question: QUESTION, answer: 'Removed: the file was deleted.', sources: [] },
    });
    expect(JSON.stringify(body)).not.toMatch(/2,340|lease\.txt/u);
  });

  test('an archived question stays shared', async () => {
    const { id, historyId } = await share();
    await ann.client.call(updateHistory, { body: { historyId, isArchived: true } });
    expect((await openLink(id)).status).toBe(200);
  });

  test.each([
    ['its question', 'delete from history where id = $1', (made: Share) => made.historyId],
    ['all of the history', 'delete from history where user_id = $1', () => ann.userId],
    ['the account', 'delete from users where id = $1', () => ann.userId],
  ])('a link is deleted with %s', async (_, statement, value) => {
    const link = await share();
    await sql(statement, value(link));
    await expectGone(link.id);
    const { rows } = await sql('select from shares where user_id = $1', ann.userId);
    expect(rows).toEqual([]);
  });
});

describe('with a public address', () => {
  const engram = useTestApp({
    env: { ENGRAM_PUBLIC_URL: 'https://engram.example.org/', ENGRAM_RATE_LIMITS: 'on' },
  });

  afterEach(() => void vi.useRealTimers());

  test('links have that address, and reads are limited per visitor', async () => {
    const ann = await engram.signIn('ann@example.org');
    const { data: asked } = await ann.client.call(search, { body: { text: QUESTION } });
    const body = { historyId: asked.history_id };
    const { data: made } = await ann.client.call(createShare, { body });
    expect(made.url).toBe(`https://engram.example.org/shared/${made.id}`);

    // The clock stops, so that no tokens are refilled on a slow machine.
    vi.useFakeTimers({ toFake: ['Date'] });
    const reads = Array.from({ length: 300 }, () => fetch(`${engram.baseUrl}/shares/${made.id}`));
    const answers = await Promise.all(reads);
    const statuses = new Set(answers.map(({ status }) => status));
    expect(statuses).toEqual(new Set([200, 429]));
    const refused = answers.find(({ status }) => status === 429);
    expect(Number(refused?.headers.get('retry-after'))).toBeGreaterThan(0);
    // The limit does not affect users.
    expect((await ann.client.call(listShares, { query: {} })).data).toHaveLength(1);
  });
});
