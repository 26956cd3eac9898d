import { randomUUID } from 'node:crypto';
import { readdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import {
  type Artifact,
  listArtifacts,
  retryArtifact,
  search,
  uploadArtifacts,
} from '@engram/contract';
import { sql } from 'drizzle-orm';
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { originalKey, supplementsPrefix, thumbnailKey } from '../../../platform/files/keys.ts';
import { buildTestApp, type SignedInUser, testDatabases } from '../../../tests/app.test-setup.ts';
import { useTestApp } from '../../../tests/use-app.test-setup.ts';
import type { FindingKind } from '../findings.ts';
import { createRepairs } from '../repairs.ts';

const DAY_MS = 86_400_000;
const HERON = 'The heron nests beside the mill pond.';

describe.each(testDatabases)('the consistency check (%s)', (database) => {
  const engram = useTestApp({ database });
  let ann: SignedInUser;
  let userCount = 0;
  let heron: string;
  let boiler: string;

  beforeEach(async () => {
    userCount += 1;
    ann = await engram.signIn(`ann${userCount}@example.org`);
    [heron = '', boiler = ''] = await upload({
      'heron.txt': HERON,
      'boiler.txt': 'The boiler in the cellar was serviced in May.',
    });
    await engram.settled();
  });

  async function upload(notes: Record<string, string>): Promise<string[]> {
    const files = Object.entries(notes).map(([name, text]) => ({
      name,
      content: new Blob([text]),
    }));
    const { data } = await ann.client.upload(uploadArtifacts, files, {});
    return data.artifacts.map(({ artifactId }) => artifactId);
  }

  const find = async (id: string): Promise<Artifact | undefined> =>
    (await ann.client.call(listArtifacts, {})).data.find(({ artifactId }) => artifactId === id);

  const citedFor = async (text: string): Promise<(string | undefined)[]> => {
    const { data } = await ann.client.call(search, { body: { text, audio: false } });
    return data.citations.map(({ artifactId }) => artifactId);
  };
  const QUESTION = 'Where does the heron nest?';

  const write = (key: string) => engram.deps.files.write(key, Readable.from(['left behind']));

  /** Sets the clock to the next day until the end of the test. */
  function advanceOneDay(): void {
    engram.advance(DAY_MS + 1000);
    onTestFinished(() => engram.advance(-DAY_MS - 1000));
  }

  /** Repairs, and expects exactly these findings and no others afterwards. */
  async function expectRepaired(kinds: Record<string, number>, artifactId?: string): Promise<void> {
    const { consistency } = engram.deps.services;
    const tallies = await consistency.maintain();
    expect(Object.fromEntries(tallies.map(({ kind, repaired }) => [kind, repaired]))).toEqual(
      kinds,
    );
    const allExamples = tallies.flatMap(({ examples }) => examples);
    expect(allExamples).toEqual(expect.arrayContaining(artifactId ? [artifactId] : []));
    expect(await consistency.check()).toEqual([]);
    await engram.settled();
    expect(await consistency.check()).toEqual([]);
  }

  test('removes bytes without a file, and half-written uploads', async () => {
    const stray = randomUUID();
    await write(originalKey(ann.userId, stray));
    await write(thumbnailKey(ann.userId, stray));
    const incoming = path.join(engram.folder, 'files/.incoming');
    await writeFile(path.join(incoming, 'half'), 'half');
    // Another server may still be writing them.
    await expectRepaired({});
    expect(await engram.deps.files.list(ann.userId)).toHaveLength(4);
    advanceOneDay();
    await expectRepaired({ 'stray-bytes': 1, 'abandoned-writes': 1 });
    expect(await readdir(incoming)).toEqual([]);
    expect(await find(heron)).toMatchObject({ uploadStatus: 'SUCCESS' });
  });

  test('does not remove the bytes of a running upload', async () => {
    const { services, files } = engram.deps;
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    const ids = { sessionId: null, apiKeyId: null, connectionId: null };
    const owner = { userId: ann.userId, email: ann.email, ...ids };
    async function* slowContent() {
      yield Buffer.from('A slow note.');
      await released;
    }
    const first = await services.artifacts.storeFile(
      owner,
      'fast.txt',
      Readable.from([Buffer.from('A fast note.')]),
    );
    const second = services.artifacts.storeFile(owner, 'slow.txt', slowContent());
    expect(await services.consistency.maintain()).toEqual([]);
    release();
    const stored = [first, await second];
    const fields = { filesKeywords: {}, artifactText: '', keywords: [] };
    await services.artifacts.finishUpload(owner, stored, [], fields);
    for (const { artifactId } of stored) {
      expect((await files.stat(originalKey(ann.userId, artifactId))).size).toBe(12);
    }
    await expectRepaired({});
  });

  test('marks a file without bytes as missing until it is uploaded again', async () => {
    await engram.deps.files.remove(originalKey(ann.userId, heron));
    await expectRepaired({ 'missing-bytes': 1 }, heron);
    expect(await find(heron)).toMatchObject({
      uploadStatus: 'FAILED',
      statusReason: 'The stored file is missing. Please upload it again.',
      isVectorReady: false,
    });
    expect(await citedFor(QUESTION)).toEqual([]);

    expect(await upload({ 'again.txt': HERON })).toEqual([heron]);
    await engram.settled();
    expect(await find(heron)).toMatchObject({ uploadStatus: 'SUCCESS', isVectorReady: true });
    expect(await citedFor(QUESTION)).toEqual([heron]);
    await expectRepaired({});
  });

  test('extracts a file again once its bytes exist again', async () => {
    const key = originalKey(ann.userId, heron);
    await engram.deps.files.remove(key);
    await engram.deps.services.consistency.maintain();
    await engram.deps.files.write(key, Readable.from([HERON]));
    await expectRepaired({ 'returned-bytes': 1 }, heron);
    expect(await citedFor(QUESTION)).toEqual([heron]);
  });

  test('removes index rows of files that do not exist', async () => {
    const stray = randomUUID();
    const [row] = await engram.deps.index.rowsAt(ann.userId, [{ artifactId: heron, ordinal: 0 }]);
    if (!row) throw new Error('the file has no rows');
    await engram.deps.index.replace(ann.userId, [
      { artifactId: stray, rows: [{ ...row, artifactId: stray, terms: 'heron' }] },
    ]);
    await expectRepaired({ 'stray-index-rows': 1 }, stray);
    expect(await engram.deps.index.artifactIds(ann.userId)).toEqual(new Set([heron, boiler]));
  });

  test('reindexes files that are missing from the index, and extracts files again whose text is missing', async () => {
    await engram.deps.index.remove(ann.userId, [heron]);
    await engram.deps.database.db.execute(
      sql`DELETE FROM artifact_texts WHERE artifact_id = ${boiler}`,
    );
    await expectRepaired({ 'missing-index-rows': 1, 'missing-text': 1 });
    expect(await citedFor(QUESTION)).toEqual([heron]);
    expect(await citedFor('When was the boiler serviced?')).toEqual([boiler]);
  });

  test.each(['PENDING', 'PROCESSING'])(
    'queues %s files that are not in a queue',
    async (status) => {
      await engram.deps.database.db.execute(
        sql`UPDATE artifacts SET status = ${status}, indexed = false WHERE id = ${heron}`,
      );
      await expectRepaired({ 'forgotten-reading': 1 }, heron);
      expect(await find(heron)).toMatchObject({ uploadStatus: 'SUCCESS', isVectorReady: true });
    },
  );

  test('makes thumbnails and their rows consistent', async () => {
    const { db } = engram.deps.database;
    await db.execute(sql`UPDATE artifacts SET thumbnail = true WHERE id = ${heron}`);
    await write(thumbnailKey(ann.userId, boiler));
    await expectRepaired({ 'missing-thumbnail': 1, 'stray-thumbnail': 1 });
    expect(await find(heron)).toMatchObject({ thumbnailUrl: null });
    const keys = await engram.deps.files.list(ann.userId);
    expect(keys.toSorted()).toEqual(
      [heron, boiler].map((id) => originalKey(ann.userId, id)).toSorted(),
    );
  });

  test('removes leftover supplements of a ready file', async () => {
    await write(`${supplementsPrefix(ann.userId, heron)}/page-1.json`);
    await expectRepaired({ 'stray-supplements': 1 }, heron);
    expect(await engram.deps.files.list(ann.userId)).toHaveLength(2);
  });

  test('leaves data of unknown users to the operator', async () => {
    const nobody = randomUUID();
    await write(originalKey(nobody, randomUUID()));
    const [row] = await engram.deps.index.rowsAt(ann.userId, [{ artifactId: heron, ordinal: 0 }]);
    if (!row) throw new Error('the file has no rows');
    await engram.deps.index.replace(nobody, [
      { artifactId: heron, rows: [{ ...row, terms: 'heron' }] },
    ]);
    const { consistency } = engram.deps.services;
    const log = vi.spyOn(engram.deps.log, 'error');
    expect(await consistency.maintain()).toMatchObject([{ kind: 'unknown-user', repaired: 0 }]);
    expect(log.mock.calls.flat()).toContainEqual(expect.stringContaining('doctor -- --fix'));
    log.mockRestore();
    expect(await engram.deps.files.owners()).toContain(nobody);
    expect(await engram.deps.index.users()).toContain(nobody);

    expect(await consistency.repair()).toMatchObject([{ kind: 'unknown-user', repaired: 1 }]);
    expect(await engram.deps.files.owners()).not.toContain(nobody);
    expect(await engram.deps.index.users()).not.toContain(nobody);
    expect(await consistency.check()).toEqual([]);
  });

  test('removes leftovers of an interrupted first upload', async () => {
    const { database, files, services } = engram.deps;
    await database.db.execute(sql`DELETE FROM artifacts`);
    advanceOneDay();
    await services.consistency.maintain();
    expect(await files.list(ann.userId)).toEqual([]);
    expect(await services.consistency.check()).toEqual([]);
  });

  describe('does not change files that are consistent by the time of the repair:', () => {
    const fail = vi.fn<Parameters<typeof createRepairs>[1]['fail']>();
    const revisionNow = async (): Promise<number | undefined> => {
      const states = await engram.deps.storage.artifactsRepository.states(ann.userId);
      return states.find(({ id }) => id === heron)?.revision;
    };
    const repair = async (kind: FindingKind): Promise<void> => {
      const { storage, now } = engram.deps;
      const indexing = { enqueue: () => expect.fail('nothing is missing in the index') };
      const ingestion = { fail, indexing } as unknown as Parameters<typeof createRepairs>[1];
      const repairAll = createRepairs(storage, ingestion, now);
      await repairAll([
        { kind, userId: ann.userId, artifactId: heron, revision: (await revisionNow()) ?? 0 },
      ]);
    };

    test('a file whose extraction ended', async () => {
      await repair('forgotten-reading');
      expect(await revisionNow()).toBe(1);
      expect(await find(heron)).toMatchObject({ uploadStatus: 'SUCCESS', isVectorReady: true });
    });

    test('a file whose bytes exist', async () => {
      const key = originalKey(ann.userId, heron);
      await repair('missing-bytes');
      expect(fail).not.toHaveBeenCalled();
      await engram.deps.files.remove(key);
      await repair('missing-bytes');
      expect(fail).toHaveBeenCalledOnce();
      await engram.deps.files.write(key, Readable.from([HERON]));
    });

    test('a thumbnail that the file uses', async () => {
      const { database, files } = engram.deps;
      const key = thumbnailKey(ann.userId, heron);
      await write(key);
      await database.db.execute(sql`UPDATE artifacts SET thumbnail = true WHERE id = ${heron}`);
      await repair('stray-thumbnail');
      expect(await files.list(ann.userId)).toContain(key);
      await files.remove(key);
      await expectRepaired({ 'missing-thumbnail': 1 }, heron);
    });
  });

  test('does not change files that failed', async () => {
    const [broken = ''] = await upload({ 'broken.pdf': '%PDF-1.4 and no more' });
    await engram.settled();
    expect(await find(broken)).toMatchObject({ uploadStatus: 'FAILED' });
    await expectRepaired({});
    await ann.client.call(retryArtifact, { params: { artifactId: broken } });
    await expectRepaired({});
  });

  test('does not fail files if the whole file store is missing, and logs it', async () => {
    const folder = path.join(engram.folder, 'files');
    for (const owner of await engram.deps.files.owners()) {
      await rm(path.join(folder, owner), { recursive: true });
    }
    const { consistency } = engram.deps.services;
    const tallies = await consistency.maintain();
    expect(tallies).toMatchObject([{ kind: 'missing-bytes', repaired: 0 }]);
    expect(await find(heron)).toMatchObject({ uploadStatus: 'SUCCESS' });
    // The operator may decide otherwise.
    await consistency.repair();
    expect(await find(heron)).toMatchObject({ uploadStatus: 'FAILED' });
    expect(await consistency.check()).toEqual([]);
  });
});

test('an answer reports files that were not searched because the index lost them', async () => {
  const engram = await buildTestApp();
  onTestFinished(() => engram.close());
  const ann = await engram.signIn('ann@example.org');
  const files = [{ name: 'heron.txt', content: new Blob([HERON]) }];
  await ann.client.upload(uploadArtifacts, files, {});
  await engram.settled();
  const ask = async () => {
    const body = { text: 'Where does the heron nest?', audio: false };
    return (await ann.client.call(search, { body })).data;
  };
  expect(await ask()).toMatchObject({ grounded: true, notice: null });
  await engram.deps.jobs.stop();
  await engram.deps.index.removeUser(ann.userId);
  await engram.deps.services.consistency.maintain();
  expect(await ask()).toMatchObject({
    grounded: false,
    notice: 'One of your files is being reindexed and was not searched.',
  });
});
