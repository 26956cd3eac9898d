import {
  deleteArtifact,
  getHistoryEntry,
  renameArtifact,
  search,
  type SearchData,
  setArtifactArchived,
  uploadArtifacts,
} from '@engram/contract';
import { beforeEach, describe, expect, test } from 'vitest';
import { belongings, exportOf, importOf } from '../../../tests/exports.test-setup.ts';
import { type SignedInUser, testDatabases } from '../../../tests/app.test-setup.ts';
import { useTestApp } from '../../../tests/use-app.test-setup.ts';

const LEASE = `LEASE AGREEMENT

Contract No. HB-2021-0447

Date: 3 May 2021

Between Harbour Estates Ltd (landlord) and Ann Blake (tenant)

The monthly rent of the boathouse is 900 euros.

The deposit of the boathouse is 1,800 euros.`;
const AMENDMENT = `AMENDMENT NO. 1 TO THE LEASE AGREEMENT

Contract No. HB-2021-0447

Date: 12 May 2025

Between Harbour Estates Ltd (landlord) and Ann Blake (tenant)

This amendment changes the lease agreement of 3 May 2021.

The monthly rent of the boathouse is 975 euros from 1 July 2025.`;
const MINUTES = `MINUTES OF THE MEETING

Contract No. HB-2021-0447

Date: 20 August 2025

Present: Harbour Estates Ltd, Ann Blake

The monthly rent of the boathouse was discussed at length.`;

describe.each(testDatabases)('found sections (%s)', (database) => {
  const engram = useTestApp({ database });
  let userCount = 0;
  let ann: SignedInUser;
  let ids: Record<string, string>;

  beforeEach(async () => {
    userCount += 1;
    ann = await engram.signIn(`ann${userCount}@example.org`);
    ids = {};
    const files = { 'lease.txt': LEASE, 'amendment.txt': AMENDMENT, 'minutes.txt': MINUTES };
    const { data } = await ann.client.upload(
      uploadArtifacts,
      Object.entries(files).map(([name, text]) => ({ name, content: new Blob([text]) })),
      {},
    );
    for (const { fileName, artifactId } of data.artifacts) ids[fileName] = artifactId;
    await engram.settled();
  });

  const ask = async (text = 'What is the monthly rent of the boathouse?'): Promise<SearchData> =>
    (await ann.client.call(search, { body: { text, audio: false } })).data;
  const entryOf = async (id: string) =>
    (await ann.client.call(getHistoryEntry, { query: { id } })).data;
  const newerOf = ({ found }: Pick<SearchData, 'found'>) =>
    Object.fromEntries(found.map(({ fileName, newer }) => [fileName, newer?.fileName ?? null]));

  test('an amendment is listed before its contract, whose section names it as newer', async () => {
    const data = await ask();
    const names = data.found.map(({ fileName }) => fileName);
    expect(names.indexOf('amendment.txt')).toBeLessThan(names.indexOf('lease.txt'));
    expect(newerOf(data)).toEqual({
      'amendment.txt': null,
      'lease.txt': 'amendment.txt',
      'minutes.txt': null,
    });
    expect(data.answers[0]).toMatch(/^\*\*lease\.txt\*\*, line \d+ \(newer: .*\) \[\d\]$/mu);
  });

  test('a deleted amendment is no longer named by a section, a note or an export', async () => {
    const { history_id: id } = await ask();
    await ann.client.call(deleteArtifact, { params: { artifactId: ids['amendment.txt'] ?? '' } });
    await engram.settled();
    const entry = await entryOf(id);
    expect(newerOf(entry)).toEqual({ 'lease.txt': null, 'minutes.txt': null });
    expect(entry.answers[0]).toContain('Removed: the file was deleted.');
    expect(entry.answers[0]).toContain('900 euros');
    // Matches whole numbers, because random IDs contain any digits.
    expect(JSON.stringify(entry)).not.toMatch(/amendment|newer:|\b975\b/iu);
  });

  test('an import restores found sections with the IDs of the imported files', async () => {
    await ask();
    const { history } = await belongings(ann);
    const bob = await engram.signIn(`bob${userCount}@example.org`);
    await importOf(bob, await exportOf(ann));
    await engram.settled();
    expect((await belongings(bob)).history).toEqual(history);
    expect(history[0]?.found.map(({ newer }) => newer?.artifactId)).toContain('amendment.txt');
  });

  test('an archived file has no sections, and a renamed one has its new name', async () => {
    const params = { artifactId: ids['minutes.txt'] ?? '' };
    await ann.client.call(setArtifactArchived, { params: { ...params, archived: 'true' } });
    const { history_id: id, found } = await ask();
    expect(found.map(({ fileName }) => fileName)).not.toContain('minutes.txt');
    await ann.client.call(renameArtifact, {
      params: { artifactId: ids['lease.txt'] ?? '' },
      body: { name: 'boathouse.txt' },
    });
    const names = (await entryOf(id)).found.map(({ fileName }) => fileName);
    expect(names.toSorted()).toEqual(['amendment.txt', 'boathouse.txt']);
  });
});

describe('tables', () => {
  const engram = useTestApp();

  test('a citation has the row of its quote', async () => {
    const cara = await engram.signIn('cara@example.org');
    const rows = Array.from({ length: 40 }, (_, i) => `QT${i + 1},${300 + 7 * i} g`);
    const content = new Blob([`Part,Weight\n${rows.join('\n')}\n`]);
    await cara.client.upload(uploadArtifacts, [{ name: 'parts.csv', content }], {});
    await engram.settled();
    for (const part of [7, 11, 23]) {
      const body = { text: `What is the weight of QT${part}?`, audio: false };
      const { data } = await cara.client.call(search, { body });
      const [first] = [...data.citations, ...data.nearest];
      expect(first).toMatchObject({ fileName: 'parts.csv', location: { row: part + 1 } });
      expect(first?.quote).toContain(`${300 + 7 * (part - 1)} g`);
    }
  });
});
