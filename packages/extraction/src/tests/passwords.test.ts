import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { strToU8, zipSync } from 'fflate';
import { expect, test } from 'vitest';
import {
  detectType,
  extract,
  ExtractionError,
  memberOf,
  opensWith,
  recognizePicture,
  thumbnailOf,
} from '../index.ts';
import { createKeyring } from '../keyring.ts';

const PASSWORD = 'Seerose 7';
const folder = join(import.meta.dirname, '..', '..', 'fixtures');

/** Files with the same password, encrypted by qpdf, LibreOffice, 7-Zip, Info-ZIP and msoffcrypto. */
const LOCKED = readdirSync(folder).filter((name) => /^2[78]\d-/.test(name));

async function open(name: string) {
  const fileName = readdirSync(join(folder, name)).find((file) => file !== 'expected.json') ?? '';
  const bytes = new Uint8Array(readFileSync(join(folder, name, fileName)));
  const type = await detectType(bytes, fileName);
  if (type === null) throw new Error('not recognized');
  return { bytes, fileName, type };
}

const inZip = (files: Record<string, Uint8Array>) =>
  ({ bytes: zipSync(files), fileName: 'all.zip', type: 'zip' }) as const;

test.each(LOCKED)('%s is read with its password, and not without it', async (name) => {
  const file = await open(name);
  await expect(extract({ ...file, passwords: ['seerose 7'] })).rejects.toMatchObject({
    code: 'password_needed',
  });
  const { text, locked, notes } = await extract({ ...file, passwords: [PASSWORD] });
  expect(text).toMatch(/2,?400/);
  expect({ locked, notes }).toEqual({ locked: false, notes: [] });
  expect(await opensWith(file, PASSWORD)).toBe(true);
});

test.each(LOCKED)(
  'a truncated or changed %s is read in part or fails with a clear message',
  async (name) => {
    const file = await open(name);
    for (const share of [0.3, 0.8]) {
      const at = Math.floor(file.bytes.length * share);
      const changed = file.bytes.slice();
      changed.fill(0xa5, at, at + 20);
      for (const bytes of [file.bytes.slice(0, at), changed]) {
        const reading = extract({ ...file, bytes, passwords: [PASSWORD] });
        expect(
          await reading.then(
            () => null,
            (error: unknown) => error,
          ),
        ).toSatisfy((error) => error === null || error instanceof ExtractionError);
      }
    }
  },
);

test('a file that needs no password is read with any password', async () => {
  const file = inZip({ 'a.txt': strToU8('The gate code is 5521.') });
  expect(await extract({ ...file, passwords: ['x'] })).toMatchObject({ locked: false });
  expect(await opensWith(file, 'x')).toBe(false);
});

test('the unlocked part of an archive is read, with a note about the rest', async () => {
  const { bytes } = await open('272-pdf-aes-256');
  const file = inZip({ 'a.txt': strToU8('The gate code is 5521.'), 'lease.pdf': bytes });
  const lockedResult = await extract(file);
  expect(lockedResult).toMatchObject({
    locked: true,
    notes: ['lease.pdf: This PDF is password-protected.'],
  });
  expect(await opensWith(file, 'wrong')).toBe(false);
  expect(await opensWith(file, PASSWORD)).toBe(true);
  const { text, locked, notes } = await extract({ ...file, passwords: [PASSWORD] });
  expect(text).toContain('2,400 euros');
  expect({ locked, notes }).toEqual({ locked: false, notes: [] });
});

test('a locked file in a locked archive is read with both passwords', async () => {
  const archive = await open('278-zip-aes-256');
  const inner = await memberOf(archive.bytes, 'note.txt', createKeyring([PASSWORD]));
  expect(Buffer.from(inner.bytes).toString()).toContain('2,400 euros');
  const { bytes } = await open('273-docx-agile');
  const file = inZip({ 'lake-house.docx': bytes, 'papers.zip': archive.bytes });
  expect(await opensWith({ ...file, passwords: ['other'] }, PASSWORD)).toBe(true);
  expect((await extract({ ...file, passwords: ['other', PASSWORD] })).locked).toBe(false);
});

test('after 500 wrong attempts an archive is not tried again', async () => {
  const { bytes } = await open('279-zip-aes-128-stored');
  const file = inZip(
    Object.fromEntries(Array.from({ length: 40 }, (_, index) => [`${index}.zip`, bytes])),
  );
  const wrong = Array.from({ length: 20 }, (_, index) => `wrong ${index}`);
  await expect(extract({ ...file, passwords: [...wrong, PASSWORD] })).resolves.toMatchObject({
    locked: false,
  });
  const manyWrong = Array.from({ length: 600 }, (_, index) => `wrong ${index}`);
  await expect(extract({ ...file, passwords: [...manyWrong, PASSWORD] })).rejects.toMatchObject({
    code: 'password_needed',
  });
});

test('pages of a locked PDF are rendered with its password', async () => {
  const file = await open('272-pdf-aes-256');
  const passwords = [PASSWORD];
  expect(await thumbnailOf({ ...file, passwords })).not.toBeNull();
  await expect(thumbnailOf(await open('271-pdf-rc4-128'))).rejects.toMatchObject({
    code: 'password_needed',
  });
  const sizes: number[] = [];
  const recognize = async (picture: Uint8Array) => {
    sizes.push(picture.length);
    return [];
  };
  const recognizer = { recognize, close: async () => {} };
  await recognizePicture({ ...file, passwords }, { page: 1 }, recognizer);
  expect(sizes[0]).toBeGreaterThan(10_000);
});
