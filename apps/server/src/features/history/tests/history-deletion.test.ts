import { randomUUID } from 'node:crypto';
import type { ApiError } from '@engram/client';
import {
  createShare,
  deleteHistory,
  getMetrics,
  getSharedAnswer,
  listHistory,
  search,
  suggestions,
  uploadArtifacts,
} from '@engram/contract';
import { beforeAll, describe, expect, test } from 'vitest';
import { type SignedInUser, testDatabases } from '../../../tests/app.test-setup.ts';
import { useTestApp } from '../../../tests/use-app.test-setup.ts';
import { insertShare } from '../../shares/shares.service.ts';

describe.each(testDatabases)('deleting the history (%s)', (database) => {
  const engram = useTestApp({ database });
  let ann: SignedInUser;
  let bob: SignedInUser;

  const ask = async (user: SignedInUser, text: string, after?: string) =>
    (await user.client.call(search, { body: { text, audio: false, after } })).data.history_id;
  const rows = async (table: string): Promise<number> =>
    (await engram.deps.database.pool.query(`SELECT FROM ${table}`)).rowCount ?? 0;

  beforeAll(async () => {
    ann = await engram.signIn('ann@example.org');
    bob = await engram.signIn('bob@example.org');
    for (const { client } of [ann, bob]) {
      const note = { name: 'mill.txt', content: new Blob(['The mill has two wheels.']) };
      await client.upload(uploadArtifacts, [note], {});
    }
    await engram.settled();
  });

  test('removes all questions with links and audio, but not files, usage and data of others', async () => {
    const first = await ask(ann, 'How many wheels has the mill?');
    const second = await ask(ann, 'And how many wheels in May?', first);
    await ask(bob, 'How many wheels has my mill?');
    const { data: link } = await ann.client.call(createShare, { body: { historyId: second } });
    const { pool } = engram.deps.database;
    await pool.query(
      `INSERT INTO history_audio (history_id, spoken_hash, mp3, created_at)
       VALUES ($1, 'x', 'x', now())`,
      [first],
    );
    // Each follows up on the previous one. They can be deleted in any order.
    await pool.query(
      `INSERT INTO history (id, user_id, question, answer, grounded, follows, thread, created_at)
       SELECT gen_random_uuid(), $1, 'And then ' || n || '?', '', true, $2, $2, now()
       FROM generate_series(1, 330) AS n`,
      [ann.userId, second],
    );
    expect((await ann.client.call(suggestions, {})).data).toContain('And then 7?');

    expect(await ann.client.call(deleteHistory, {})).toEqual({
      message: 'Search history deleted successfully.',
      data: null,
    });

    expect((await ann.client.call(listHistory, {})).data).toEqual([]);
    await expect(
      engram.anonymous.call(getSharedAnswer, { params: { id: link.id } }),
    ).rejects.toMatchObject({ status: 404 });
    expect(await rows('shares')).toBe(0);
    expect(await rows('history_audio')).toBe(0);
    const { data: offered } = await ann.client.call(suggestions, {});
    expect(offered.filter((text) => text.endsWith('?'))).toEqual([]);
    expect(offered).toContain('mill');
    const { data: used } = await ann.client.call(getMetrics, {});
    expect(used.daily_queries_used).toBe(2);
    expect((await bob.client.call(listHistory, {})).data).toHaveLength(1);

    await ann.client.call(deleteHistory, {});
    await ask(ann, 'How many wheels has the mill?');
    expect((await ann.client.call(listHistory, {})).total).toBe(1);
  });

  test('an entry that is deleted while it is shared is not found', async () => {
    for (let round = 0; round < 3; round += 1) {
      const historyId = await ask(ann, `How many wheels has the mill, ${round}?`);
      const share = () =>
        ann.client.call(createShare, { body: { historyId } }).then(
          () => 200,
          ({ status }: ApiError) => status,
        );
      const [first, , second] = await Promise.all([
        share(),
        ann.client.call(deleteHistory, {}),
        share(),
      ]);
      for (const status of [first, second]) expect([200, 404]).toContain(status);
      expect(await rows('shares')).toBe(0);
    }
  });

  test("a deleted entry or another user's entry cannot be shared", async () => {
    const { database } = engram.deps;
    const historyId = await ask(ann, 'How many wheels has the mill?');
    const share = { id: randomUUID(), userId: ann.userId, historyId, createdAt: new Date() };
    expect(await insertShare(database, { ...share, historyId: randomUUID() })).toBeUndefined();
    expect(await insertShare(database, { ...share, userId: bob.userId })).toBeUndefined();
    expect(await insertShare(database, share)).toMatchObject({ id: share.id, historyId });
    expect(await insertShare(database, { ...share, id: randomUUID() })).toMatchObject({
      id: share.id,
    });
  });

  test('a question whose predecessor is deleted while it is answered starts a new conversation', async () => {
    const { history } = engram.deps.services;
    const first = await history.find(ann.userId, await ask(ann, 'Has the mill a wheel?'));
    const foreign = await ask(bob, 'Has my mill a wheel?');
    for (const follows of [randomUUID(), foreign]) {
      const id = randomUUID();
      await history.record({ ...first!, id, follows });
      expect(await history.find(ann.userId, id)).toMatchObject({ follows: null });
    }
    const id = randomUUID();
    await history.record({ ...first!, id, follows: first!.id });
    expect(await history.find(ann.userId, id)).toMatchObject({ follows: first!.id });
  });
});
