import { uploadArtifacts } from '@engram/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  buildTestApp,
  type SignedInUser,
  testDatabases,
  type TestApp,
} from '../../testing/test-app.ts';
import { createArtifactsRepository } from './artifacts.repository.ts';
import { createSubjectsRepository } from './subjects.repository.ts';
import {
  createReadingsRepository,
  type FinishedReading,
  type ReadingsRepository,
} from './readings.repository.ts';

describe.each(testDatabases)('readings (%s)', (database) => {
  let engram: TestApp;
  let ann: SignedInUser;
  let readings: ReadingsRepository;
  let files = 0;

  beforeAll(async () => {
    engram = await buildTestApp({ database });
    ann = await engram.signIn('ann@example.org');
    readings = createReadingsRepository(engram.deps.database);
  });
  afterAll(() => engram.close());

  const at = new Date('2026-03-01T12:00:00Z');

  /** The id of a file that is read, as revision 1. */
  async function readFile(): Promise<string> {
    files += 1;
    const content = new Blob([`The file with the number ${files}.`]);
    const { data } = await ann.client.upload(uploadArtifacts, [{ name: 'a.txt', content }], {});
    await engram.settled();
    return data.artifacts[0]?.artifactId ?? '';
  }

  const readingOf = (id: string, revision: number): FinishedReading => ({
    id,
    revision,
    statusReason: null,
    indexed: true,
    title: `Revision ${revision}`,
    language: 'en',
    preview: null,
    durationMs: null,
    phrases: [],
    // As of a long text, which is stored before.
    document: null,
  });

  test('of two readings of one file that end together only the current one counts', async () => {
    for (const order of [
      [1, 2],
      [2, 1],
    ]) {
      const id = await readFile();
      await readings.setFailed(
        { id, revision: 1 },
        { statusReason: 'Lost.', evenIfEnded: true },
        at,
      );
      const artifacts = createArtifactsRepository(engram.deps.database);
      await engram.deps.database.transaction((tx) => artifacts.restart(tx, ann.userId, id, at));
      const current = await Promise.all(
        order.map((revision) => readings.finish(readingOf(id, revision), at)),
      );
      expect(current).toEqual(order.map((revision) => revision === 2));
      expect(await readings.find(id)).toMatchObject({ title: 'Revision 2', status: 'SUCCESS' });
    }
  });

  test('a failure that comes late leaves a file ready, unless the file is lost since', async () => {
    const id = await readFile();
    const reading = { id, revision: 1 };
    const late = { statusReason: 'It took too long.' };
    expect(await readings.setFailed(reading, late, at)).toBe(false);
    expect(await readings.find(id)).toMatchObject({ status: 'SUCCESS', statusReason: null });
    expect(await readings.setFailed(reading, { ...late, evenIfEnded: true }, at)).toBe(true);
    expect(await readings.find(id)).toMatchObject({ status: 'FAILED', indexed: false });
  });

  test('what a file speaks of is replaced when it is read again', async () => {
    const id = await readFile();
    const subjects = createSubjectsRepository(engram.deps.database);
    for (const phrases of [['garden shed', 'oak tree'], ['river boat'], []]) {
      await readings.finish({ ...readingOf(id, 1), phrases }, at);
      const [newest] = await subjects.newest(ann.userId, 1, 5);
      expect(newest).toEqual({ fileName: 'a.txt', phrases });
    }
    await readings.finish({ ...readingOf(id, 1), phrases: ['river boat'] }, at);
    await readings.setFailed({ id, revision: 1 }, { statusReason: 'Lost.', evenIfEnded: true }, at);
    expect(await subjects.newest(ann.userId, 1, 5)).toEqual([{ fileName: 'a.txt', phrases: [] }]);
  });
});
