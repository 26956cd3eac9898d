import { describe, expect, test } from 'vitest';
import type { LibraryFile } from '../../documents/document.ts';
import { factsOf } from '../../documents/facts.ts';
import { documentOf } from '../../tests/library.test-setup.ts';
import { createFindNewer } from '../newer.ts';

const fileOf = (fileName: string, ...blocks: string[]): LibraryFile => ({
  artifactId: fileName,
  fileName,
  ...factsOf(documentOf({ name: fileName, blocks }), { fileName, title: null, language: 'en' }),
});

const LEASE = fileOf('lease-birch-lane.pdf', 'Lease agreement', 'Birch Lane 4, dated 1 May 2021.');
const AMENDMENT = fileOf(
  'amendment-lease-birch-lane.pdf',
  'Amendment 2',
  'The rent of the lease of 1 May 2021 is changed from 1 June 2024.',
);
const PHONE = fileOf('phone-contract.pdf', 'Contract', 'The phone costs 20 pounds, 1 May 2023.');

describe('createFindNewer', () => {
  test('an amendment is newer than the contract that it names, in a library of three files', () => {
    const findNewer = createFindNewer([LEASE, AMENDMENT, PHONE]);
    expect(findNewer(LEASE.artifactId).map(({ fileName }) => fileName)).toEqual([
      AMENDMENT.fileName,
    ]);
    expect(findNewer(AMENDMENT.artifactId)).toEqual([]);
    expect(findNewer(PHONE.artifactId)).toEqual([]);
  });

  test('two letters of one sender do not replace each other in a small library', () => {
    const letters = ['2023-03-02', '2024-03-02'].map((day) =>
      fileOf(`letter-hartmann-${day}.pdf`, 'Letter', `Dear Ines, ${day}`),
    );
    const findNewer = createFindNewer([...letters, LEASE]);
    for (const { artifactId } of letters) expect(findNewer(artifactId)).toEqual([]);
  });
});
