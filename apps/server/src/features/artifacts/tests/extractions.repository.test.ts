import { deleteArtifact, setArtifactArchived, uploadArtifacts } from '@engram/contract';
import type { LibraryFile } from '@engram/retrieval';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  buildTestApp,
  type SignedInUser,
  testDatabases,
  type TestApp,
} from '../../../tests/app.test-setup.ts';
import { createLibraryRepository } from '../library.repository.ts';
import {
  createExtractionsRepository,
  type FinishedExtraction,
  type ExtractionsRepository,
} from '../extractions.repository.ts';

describe.each(testDatabases)('extractions (%s)', (database) => {
  let engram: TestApp;
  let ann: SignedInUser;
  let extractions: ExtractionsRepository;
  let files = 0;

  beforeAll(async () => {
    engram = await buildTestApp({ database });
    ann = await engram.signIn('ann@example.org');
    const { deps } = engram;
    extractions = createExtractionsRepository(
      deps.database,
      async () => undefined,
      deps.webhookEvents,
    );
  });
  afterAll(() => engram.close());

  const at = new Date('2026-03-01T12:00:00Z');

  /** Uploads a file, and returns its ID after its first extraction. */
  async function extractFile(): Promise<string> {
    files += 1;
    const content = new Blob([`The file with the number ${files}.`]);
    const { data } = await ann.client.upload(uploadArtifacts, [{ name: 'a.txt', content }], {});
    await engram.settled();
    return data.artifacts[0]?.artifactId ?? '';
  }

  const extractionOf = (id: string, revision: number): FinishedExtraction => ({
    id,
    revision,
    statusReason: null,
    locked: false,
    indexed: true,
    title: `Revision ${revision}`,
    language: 'en',
    preview: null,
    durationMs: null,
    phrases: [],
    facts: null,
    tables: [],
    // As for a long text, which is stored earlier.
    document: null,
  });

  test('only the current one of two extractions that end together counts', async () => {
    for (const order of [
      [1, 2],
      [2, 1],
    ]) {
      const id = await extractFile();
      await extractions.setFailed(
        { id, revision: 1 },
        { statusReason: 'Lost.', evenIfEnded: true },
        at,
      );
      await engram.deps.database.db.execute(
        sql`UPDATE artifacts SET status = 'PENDING', revision = 2 WHERE id = ${id}`,
      );
      const current = await Promise.all(
        order.map((revision) => extractions.finish(extractionOf(id, revision), at)),
      );
      expect(current.map(Boolean)).toEqual(order.map((revision) => revision === 2));
      expect(await extractions.find(id)).toMatchObject({ title: 'Revision 2', status: 'SUCCESS' });
    }
  });

  test('a late failure does not change a ready file, unless its bytes are lost', async () => {
    const id = await extractFile();
    const revision = { id, revision: 1 };
    const late = { statusReason: 'It took too long.' };
    expect(await extractions.setFailed(revision, late, at)).toBe(false);
    expect(await extractions.find(id)).toMatchObject({ status: 'SUCCESS', statusReason: null });
    expect(await extractions.setFailed(revision, { ...late, evenIfEnded: true }, at)).toBe(true);
    expect(await extractions.find(id)).toMatchObject({ status: 'FAILED', indexed: false });
  });

  test('the phrases of a file are replaced when it is extracted again', async () => {
    const id = await extractFile();
    const library = createLibraryRepository(engram.deps.database);
    for (const phrases of [['garden shed', 'oak tree'], ['river boat'], []]) {
      await extractions.finish({ ...extractionOf(id, 1), phrases }, at);
      const [newest] = await library.newest(ann.userId, 1, 5);
      expect(newest).toEqual({ fileName: 'a.txt', phrases });
    }
    await extractions.finish({ ...extractionOf(id, 1), phrases: ['river boat'] }, at);
    await extractions.setFailed(
      { id, revision: 1 },
      { statusReason: 'Lost.', evenIfEnded: true },
      at,
    );
    expect(await library.newest(ann.userId, 1, 5)).toEqual([{ fileName: 'a.txt', phrases: [] }]);
  });

  const factsOf = async (user: SignedInUser): Promise<LibraryFile[]> => {
    const library = createLibraryRepository(engram.deps.database);
    return JSON.parse(await library.facts(user.userId, 100)) as LibraryFile[];
  };

  test('the facts of a file are visible only to its owner, and deleted with the file', async () => {
    const bob = await engram.signIn('bob@example.org');
    const letter =
      'Bremen, den 9. September 2024\n\nSehr geehrte Frau Vogt,\n\ndas ist Ihre Miete.\n';
    const { data } = await bob.client.upload(
      uploadArtifacts,
      [{ name: 'brief.txt', content: new Blob([letter]) }],
      {},
    );
    await engram.settled();
    const id = data.artifacts[0]?.artifactId ?? '';
    expect(await factsOf(bob)).toMatchObject([
      {
        artifactId: id,
        fileName: 'brief.txt',
        kind: 'letter',
        date: '2024-09-09',
      },
    ]);
    expect((await factsOf(ann)).map(({ artifactId }) => artifactId)).not.toContain(id);
    const stored = () =>
      engram.deps.database.pool.query('SELECT 1 FROM artifact_facts WHERE artifact_id = $1', [id]);
    expect((await stored()).rows).toHaveLength(1);
    await bob.client.call(deleteArtifact, { params: { artifactId: id } });
    expect((await stored()).rows).toEqual([]);
    expect(await factsOf(bob)).toEqual([]);
  });

  const sheet = (rows: string) => new Blob([`Day,Shop,Amount (EUR)\n${rows}`]);

  test('the tables of a file are visible only to its owner, and deleted with the file', async () => {
    const bob = await engram.signIn('bob@example.org');
    const invoice =
      'INVOICE\n\nInvoice no: R-7\n\nDate: 4 May 2024\n\nTotal due: EUR 12.50\n\nPaid: no\n';
    const { data } = await bob.client.upload(
      uploadArtifacts,
      [
        { name: 'shops.csv', content: sheet('2024-05-02,Halden,12.50\n2024-06-01,Mill,3.00\n') },
        { name: 'more.csv', content: sheet('2025-01-02,Halden,1.50\n2025-02-01,Mill,2.00\n') },
        { name: 'bill.txt', content: new Blob([invoice]) },
      ],
      {},
    );
    await engram.settled();
    const [shops, more, bill] = data.artifacts.map(({ artifactId }) => artifactId);
    const library = createLibraryRepository(engram.deps.database);
    const tablesOf = ({ userId }: SignedInUser, ids: (string | undefined)[]) =>
      library.tables(
        userId,
        ids.filter((id) => id !== undefined),
      );
    // The other file has rows of the same kind.
    const all = await tablesOf(bob, [shops]);
    expect(all.map(({ artifactId }) => artifactId).toSorted()).toEqual(
      [shops, more, bill].toSorted(),
    );
    expect(all.find(({ artifactId }) => artifactId === shops)).toMatchObject({
      fileName: 'shops.csv',
      columns: [
        { name: 'Day', type: 'date', unit: null },
        { name: 'Shop', type: 'text', unit: null },
        { name: 'Amount (EUR)', type: 'amount', unit: 'EUR' },
      ],
      rows: [{ cells: ['2024-05-02', 'Halden', 12.5] }, { cells: ['2024-06-01', 'Mill', 3] }],
    });
    expect(all.find(({ fields }) => fields)).toMatchObject({ name: 'invoice', artifactId: bill });
    expect(await tablesOf(ann, [shops])).toEqual([]);
    await bob.client.call(setArtifactArchived, {
      params: { artifactId: more ?? '', archived: 'true' },
    });
    await bob.client.call(deleteArtifact, { params: { artifactId: bill ?? '' } });
    const tables = await tablesOf(bob, [shops, more, bill]);
    expect(tables.map(({ artifactId }) => artifactId)).toEqual([shops]);
    const stored = await engram.deps.database.pool.query(
      'SELECT 1 FROM artifact_tables WHERE artifact_id = $1',
      [bill],
    );
    expect(stored.rows).toEqual([]);
  });
});
