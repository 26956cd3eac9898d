import * as cfb from 'cfb';
import { utils, type WorkBook, write } from '@e965/xlsx';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { detectType, extract, type Extraction, ExtractionError } from '../../index.ts';

const read = (bytes: Uint8Array): Promise<Extraction> =>
  extract({ bytes, fileName: 'dues.xls', type: 'xls' });

const lines = ({ text, segments }: Extraction): string[] =>
  segments.map(({ start, end, location }) => {
    const { sheet = '', row = 0 } = location as { sheet?: string; row?: number };
    return `${sheet} ${row} | ${text.slice(start, end)}`;
  });

function workbook(): WorkBook {
  const book = utils.book_new();
  const dues = utils.aoa_to_sheet([
    ['Boat', 'Berth', 'Paid on', 'Amount'],
    ['Merel', 'A4', 46083, 412.5],
    ['Zeemeeuw', 'B11', 46127, 1250],
  ]) as Record<string, { z?: string }>;
  for (const cell of ['C2', 'C3']) Object.assign(dues[cell] ?? {}, { z: 'd.m.yyyy' });
  for (const cell of ['D2', 'D3']) Object.assign(dues[cell] ?? {}, { z: '#,##0.00' });
  utils.book_append_sheet(book, dues, 'Dues');
  utils.book_append_sheet(book, utils.aoa_to_sheet([['Šárka', 'Open 8:30']]), 'Office');
  return { ...book, Props: { Title: 'Harbour dues' } };
}

const bytesOf = (bookType: 'biff8' | 'biff5'): Uint8Array =>
  new Uint8Array(write(workbook(), { type: 'buffer', bookType }) as Buffer);

test.each(['biff8', 'biff5'] as const)('sheets of %s are read row by row', async (bookType) => {
  const bytes = bytesOf(bookType);
  expect(await detectType(bytes, 'unnamed')).toBe('xls');
  const extraction = await read(bytes);
  expect(extraction.parts).toBe(2);
  expect(lines(extraction).slice(0, 5)).toEqual([
    'Dues 1 | Dues',
    'Dues 1 | Boat · Berth · Paid on · Amount',
    'Dues 2 | Boat: Merel · Berth: A4 · Paid on: 2.3.2026 · Amount: 412.50',
    'Dues 3 | Boat: Zeemeeuw · Berth: B11 · Paid on: 15.4.2026 · Amount: 1,250.00',
    'Office 1 | Office',
  ]);
});

test('text in any script is read, and so is the title', async () => {
  const extraction = await read(bytesOf('biff8'));
  expect(extraction.title).toBe('Harbour dues');
  expect(lines(extraction).at(-1)).toBe('Office 1 | Šárka · Open 8:30');
});

/** The workbook with a changed stream of cells. */
function changed(change: (stream: Buffer) => Buffer): Uint8Array {
  const file = cfb.read(Buffer.from(bytesOf('biff8')), { type: 'buffer' });
  const old = cfb.find(file, 'Workbook');
  if (!old) throw new Error('There is no stream of cells.');
  const container = cfb.utils.cfb_new();
  cfb.utils.cfb_add(container, '/Workbook', change(Buffer.from(old.content as Uint8Array)));
  return new Uint8Array(cfb.write(container, { type: 'buffer' }) as Buffer);
}

test('an encrypted workbook fails with a clear message', async () => {
  const locked = changed((stream) => {
    const afterBegin = 4 + stream.readUInt16LE(2);
    const filePass = Buffer.from([0x2f, 0, 6, 0, 0, 0, 1, 2, 3, 4]);
    return Buffer.concat([stream.subarray(0, afterBegin), filePass, stream.subarray(afterBegin)]);
  });
  await expect(read(locked)).rejects.toMatchObject({
    code: 'encrypted',
    message:
      'This file is password-protected in an old format that Engram cannot open. Save it without the password and upload it again.',
  });
});

test('a workbook is decoded in its code page', async () => {
  const text = Buffer.from([0xcf, 0xf0, 0xe8, 0xf7, 0xe0, 0xeb]);
  const old = cfb.read(Buffer.from(bytesOf('biff5')), { type: 'buffer' });
  const stream = Buffer.from((cfb.find(old, 'Book')?.content ?? []) as Uint8Array);
  const codePage = stream.indexOf(Buffer.from([0x42, 0, 2, 0]));
  stream.writeUInt16LE(1251, codePage + 4);
  stream.set(text, stream.indexOf('Zeemee', 0, 'latin1'));
  const container = cfb.utils.cfb_new();
  cfb.utils.cfb_add(container, '/Book', stream);
  const extraction = await read(new Uint8Array(cfb.write(container, { type: 'buffer' }) as Buffer));
  expect(extraction.text).toContain('Boat: Причалuw');
});

test('truncated or broken files are read in part or fail with a clear message', async () => {
  const complete = bytesOf('biff8');
  const damage = fc.tuple(
    fc.integer({ min: 600, max: complete.length }),
    fc.array(fc.tuple(fc.nat(complete.length - 1), fc.nat(255)), { maxLength: 8 }),
  );
  await fc.assert(
    fc.asyncProperty(damage, async ([length, changes]) => {
      const bytes = complete.slice(0, length);
      for (const [at, value] of changes) if (at < length) bytes[at] = value;
      const failure = await read(bytes).then(
        () => null,
        (error: unknown) => error,
      );
      expect(failure === null || failure instanceof ExtractionError).toBe(true);
    }),
    { numRuns: 60, seed: 5 },
  );
});
