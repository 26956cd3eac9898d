import { readdir } from 'node:fs/promises';
import { request } from 'node:http';
import path from 'node:path';
import { addKeyword, listArtifacts, listHistory, search, uploadArtifacts } from '@engram/contract';
import pg from 'pg';
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { exportOfQuestions, importOf, upload } from '../../../tests/exports.test-setup.ts';
import type { SignedInUser } from '../../../tests/app.test-setup.ts';
import { useTestApp } from '../../../tests/use-app.test-setup.ts';

const LIMIT = 2500;

describe('an import', () => {
  const engram = useTestApp({
    env: { ENGRAM_HISTORY_LIMIT: String(LIMIT), ENGRAM_LIMITS: 'enforce' },
    startAt: new Date('2026-03-10T09:00:00Z'),
  });
  let userCount = 0;
  let bob: SignedInUser;

  beforeEach(async () => {
    userCount += 1;
    bob = await engram.signIn(`bob${userCount}@example.org`);
  });

  const countOf = async (user: SignedInUser): Promise<number> => {
    const countQuestions = 'SELECT count(*)::integer AS n FROM history WHERE user_id = $1';
    const { rows } = await engram.deps.database.pool.query<{ n: number }>(countQuestions, [
      user.userId,
    ]);
    return rows[0]?.n ?? 0;
  };

  test('finds duplicates by a key, so that its reads are linear in the number of entries', async () => {
    const archive = exportOfQuestions(2000);
    expect((await importOf(bob, archive)).history).toEqual({ added: 2000, present: 0 });
    const query = vi.spyOn(pg.Client.prototype, 'query');
    onTestFinished(() => query.mockRestore());
    expect((await importOf(bob, archive)).history).toEqual({ added: 0, present: 2000 });
    const answers = (await Promise.all(
      query.mock.results.map(({ value }) => value as unknown),
    )) as {
      rows?: unknown[];
    }[];
    const rows = answers.reduce((sum, answer) => sum + (answer?.rows?.length ?? 0), 0);
    expect(rows).toBeGreaterThanOrEqual(2000);
    expect(rows).toBeLessThan(4000);
    expect(await countOf(bob)).toBe(2000);
  });

  test('reads few rows per added entry, whatever statistics the planner has', async () => {
    const { pool } = engram.deps.database;
    await importOf(bob, exportOfQuestions(30));
    await pool.query('VACUUM ANALYZE history');
    const ann = await engram.signIn(`ann${userCount}@example.org`);
    const read = async (): Promise<number> => {
      await pool.query('SELECT pg_stat_force_next_flush()');
      const { rows } = await pool.query<{ read: number }>(
        `SELECT sum(idx_tup_read)::integer AS read FROM pg_stat_all_indexes WHERE relname = 'history'`,
      );
      return rows[0]?.read ?? 0;
    };
    const before = await read();
    await importOf(ann, exportOfQuestions(2400));
    expect((await read()) - before).toBeLessThan(10 * 2400);
  });

  test('adds no more questions than an account may have, and new questions are refused as well', async () => {
    const result = await importOf(bob, exportOfQuestions(LIMIT + 3));
    expect(result.history).toEqual({ added: LIMIT, present: 0 });
    const message =
      'Your history is full. An account can have up to 2,500 questions. Delete some to make room.';
    expect(result.rejected).toEqual([{ name: '3 questions', message }]);
    await upload(bob, { 'lease.txt': 'The lease ends in May.' });
    await engram.settled();
    const body = { text: 'When does the lease end?', audio: false };
    await expect(bob.client.call(search, { body })).rejects.toMatchObject({ status: 409, message });
    expect(await countOf(bob)).toBe(LIMIT);
  });

  test('adds no more text to the history than 5,000 bytes per allowed question', async () => {
    await importOf(bob, exportOfQuestions(1));
    const lengthenAnswers = "UPDATE history SET answer = repeat('a', $2) WHERE user_id = $1";
    const maxBytes = LIMIT * 5000;
    await engram.deps.database.pool.query(lengthenAnswers, [bob.userId, maxBytes - 20_000]);
    const { history, rejected } = await importOf(bob, exportOfQuestions(1000));
    expect(history.added).toBeGreaterThan(100);
    expect(history.added).toBeLessThan(900);
    const message =
      'Your history is full. An account can have up to 13 MB of text. Delete some questions to make room.';
    expect(rejected).toMatchObject([{ message }]);
  });

  test('adds no more keywords than an account may have, like all other calls', async () => {
    const addKeywords = `INSERT INTO keywords (id, user_id, keyword, is_active, is_default, created_at)
      SELECT gen_random_uuid(), $1, 'word' || n, true, false, now() FROM generate_series(1, 1993) n`;
    await engram.deps.database.pool.query(addKeywords, [bob.userId]);
    const words = ['Harbour', 'Mill', 'Well'].map((keyword) => ({
      keyword,
      active: true,
      default: false,
      createdDate: '2026-01-05T10:00:00.000Z',
    }));
    const content = Buffer.from(JSON.stringify(words));
    const { keywords, rejected } = await importOf(
      bob,
      exportOfQuestions(1, { 'keywords.json': content }),
    );
    expect(keywords).toEqual({ added: 1, present: 0 });
    const message = expect.stringMatching(/^You can have up to 2,000 keywords/u) as string;
    expect(rejected).toEqual([{ name: '2 keywords', message }]);
    const refused = { status: 409, code: 'too_many_keywords', message };
    const adding = bob.client.call(addKeyword, { params: { keyword: 'Quay' } });
    await expect(adding).rejects.toMatchObject(refused);
    const file = { name: 'quay.txt', content: new Blob(['The quay is long.']) };
    const tagged = bob.client.upload(uploadArtifacts, [file], {
      keywords: JSON.stringify(['Quay']),
    });
    await expect(tagged).rejects.toMatchObject(refused);
    expect((await bob.client.call(listArtifacts, {})).data).toEqual([]);
    await bob.client.upload(uploadArtifacts, [file], { keywords: JSON.stringify(['harbour']) });
  });

  test('stops when the client disconnects, and what was imported until then stays', async () => {
    const boundary = 'engram';
    const sent = request(`${engram.baseUrl}/account/import`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${bob.token}`,
        'content-type': `multipart/form-data; boundary=${boundary}`,
      },
    });
    sent.on('error', () => undefined);
    sent.write(
      `--${boundary}\r\ncontent-disposition: form-data; name="files"; filename="a.zip"\r\n\r\n`,
    );
    sent.write(exportOfQuestions(LIMIT));
    sent.end(`\r\n--${boundary}--\r\n`);
    await expect.poll(() => countOf(bob), { interval: 20 }).toBeGreaterThan(0);
    sent.destroy();
    const folder = path.join(engram.folder, 'imports');
    await expect.poll(() => readdir(folder)).toEqual([]);
    const imported = await countOf(bob);
    expect(imported).toBeGreaterThan(0);
    expect(imported).toBeLessThan(LIMIT);
    expect((await bob.client.call(listHistory, { query: { limit: 1 } })).data).toHaveLength(1);
    expect((await importOf(bob, exportOfQuestions(1))).history.present).toBe(1);
  });

  test('counts towards the storage quota during its upload, together with other uploads', async () => {
    await upload(bob, { 'full.txt': 'Full.' });
    await engram.settled();
    const setSize = 'UPDATE artifacts SET size = $2 WHERE user_id = $1';
    await engram.deps.database.pool.query(setSize, [bob.userId, 9_995_000_000]);
    const large = exportOfQuestions(1, { 'files/large.bin': Buffer.alloc(12_000_000) });
    await expect(importOf(bob, large)).rejects.toMatchObject({
      code: 'storage_used_up',
      message: expect.stringMatching(/stores up to 10 GB/u) as string,
    });
    expect(await countOf(bob)).toBe(0);
    expect(await readdir(path.join(engram.folder, 'imports'))).toEqual([]);
    expect((await importOf(bob, exportOfQuestions(1))).history.added).toBe(1);
  });
});
