import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { strFromU8, strToU8, zipSync } from 'fflate';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import {
  extract,
  type Extraction,
  ExtractionError,
  type FileType,
  memberOf,
  type Supplements,
} from '../../index.ts';
import { printedLines } from '../../pictures/tests/printed-pictures.test-setup.ts';

interface Part {
  name: string;
  bytes: Uint8Array;
  type?: string;
}

/** An email with one line of text and attached files. */
function mail(subject: string, ...parts: Part[]): Buffer {
  const pieces = parts.map(({ name, bytes, type = 'application/octet-stream' }) => {
    const encoded = Buffer.from(bytes).toString('base64').replace(/.{76}/g, '$&\r\n');
    return `--b\r\nContent-Type: ${type}; name="${name}"\r\nContent-Disposition: attachment\r\nContent-Transfer-Encoding: base64\r\n\r\n${encoded}\r\n`;
  });
  return Buffer.from(
    `From: ida@example.org\r\nSubject: ${subject}\r\nDate: Mon, 2 Mar 2026 10:00:00 +0100\r\nMIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\n\r\nText of ${subject}.\r\n${pieces.join('')}--b--\r\n`,
  );
}

const mailbox = (...mails: Buffer[]): Buffer =>
  Buffer.concat(
    mails.flatMap((mail) => [
      Buffer.from('From ida@example.org Mon Mar  2 10:00:00 2026\n'),
      mail,
      Buffer.from('\n'),
    ]),
  );

const read = (
  bytes: Uint8Array,
  type: FileType = 'eml',
  supplements: Supplements = {},
): Promise<Extraction> => extract({ bytes, fileName: `a.${type}`, type, supplements });

const pathsIn = ({ segments }: Extraction): string[] => [
  ...new Set(segments.flatMap(({ location }) => ('path' in location ? [location.path] : []))),
];

const fixture = (path: string): Uint8Array =>
  new Uint8Array(readFileSync(join(import.meta.dirname, '..', '..', '..', 'fixtures', path)));

test('a file attached to an Outlook message is returned by its path', async () => {
  const { bytes, type } = await memberOf(fixture('240-msg/berths.msg'), 'plan.csv');
  expect({ type, text: strFromU8(bytes) }).toEqual({
    type: 'csv',
    text: 'berth,ship\n4,Aurora\n5,Petrel\n',
  });
});

test('a damaged Outlook message is read in part or fails with a clear message', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(fc.nat(), fc.nat(255)), { minLength: 1, maxLength: 60 }),
      async (damage) => {
        const bytes = fixture('240-msg/berths.msg');
        for (const [at, value] of damage) bytes[at % bytes.length] = value;
        const isExpected = await read(bytes, 'msg').then(
          ({ text }) => text !== '',
          (error: unknown) => error instanceof ExtractionError,
        );
        expect(isExpected).toBe(true);
      },
    ),
    { numRuns: 200 },
  );
});

const note = { name: 'note.txt', bytes: strToU8('The heron waits.') };

test('nested files in emails are found and returned by their path', async () => {
  const archive = { name: 'all.zip', bytes: zipSync({ 'docs/note.txt': note.bytes }) };
  const inner = { name: 'inner', type: 'message/rfc822', bytes: mail('Inner', archive) };
  const outer = mail('Outer', inner, note, note);
  const extraction = await read(outer);
  expect(pathsIn(extraction)).toEqual([
    'inner.eml',
    'inner.eml/all.zip',
    'inner.eml/all.zip/docs/note.txt',
    'note.txt',
    'note (2).txt',
  ]);
  for (const path of ['inner.eml/all.zip/docs/note.txt', 'note.txt', 'note (2).txt']) {
    expect(await memberOf(outer, path)).toMatchObject({ type: 'txt', bytes: note.bytes });
  }
  expect((await memberOf(outer, 'inner.eml')).type).toBe('eml');
  await expect(memberOf(outer, 'inner.eml/none')).rejects.toThrow(ExtractionError);
  const segment = extraction.segments.find(
    ({ location }) => 'path' in location && location.path === 'inner.eml',
  );
  expect(segment?.headings).toEqual(['Outer']);
});

test('attachments of messages with the same subject have different paths', async () => {
  const other = { name: 'note.txt', bytes: strToU8('The otter sleeps.') };
  const bytes = mailbox(mail('Boat', note), mail('Boat', other), mail('a/b', note));
  const extraction = await read(bytes, 'mbox');
  expect(pathsIn(extraction)).toEqual(['Boat/note.txt', 'Boat (2)/note.txt', 'a b/note.txt']);
  const second = await memberOf(bytes, 'Boat (2)/note.txt');
  expect(Buffer.from(second.bytes).toString()).toBe('The otter sleeps.');
  expect((await memberOf(bytes, 'a b/note.txt')).bytes).toEqual(note.bytes);
  await expect(memberOf(bytes, 'Boat/none.txt')).rejects.toThrow(ExtractionError);
});

test('recognized text of a picture in a forwarded email is part of that email', async () => {
  const picture = new Uint8Array(
    await sharp({ create: { width: 300, height: 100, channels: 3, background: 'white' } })
      .png()
      .toBuffer(),
  );
  const inner = mail('Inner', { name: 'scan.png', type: 'image/png', bytes: picture });
  const outer = mail('Outer', { name: 'inner.eml', type: 'message/rfc822', bytes: inner });
  const path = 'inner.eml/scan.png';
  expect((await read(outer)).requests).toContainEqual({ kind: 'page', page: 1, path });
  const word = { text: 'Heron', left: 0.1, top: 0.1, width: 0.1, height: 0.1 };
  const withSupplements = await read(outer, 'eml', {
    pages: [{ page: 1, path, lines: [{ block: 1, words: [word] }] }],
    captions: [{ path, missing: 'Nobody describes pictures here.' }],
  });
  expect(withSupplements.requests).toEqual([]);
  expect(withSupplements.text).toContain('Heron');
  expect(withSupplements.words).toMatchObject([{ path, words: [{ left: 0.1 }] }]);
  expect(withSupplements.notes.join()).toContain('Nobody describes pictures here.');
});

test('small inline pictures are skipped, attached pictures are read', async () => {
  const related = (name: string, content: Buffer): string =>
    `--r\r\nContent-Type: image/png; name=${name}\r\nContent-ID: <${name}>\r\nContent-Disposition: inline\r\nContent-Transfer-Encoding: base64\r\n\r\n${content.toString('base64')}\r\n`;
  const logo = await printedLines(['HERON'], { width: 90, height: 30, size: 14 });
  const screen = await printedLines(['Booked for Tuesday'], { width: 300, height: 60, size: 20 });
  const pictures = [
    related('logo.png', logo),
    related('line.bin', Buffer.alloc(500, 1)),
    related('screen.png', screen),
    related('plan.bin', Buffer.alloc(20_000, 1)),
  ];
  const source = `Subject: x\r\nFrom: a@b.example\r\nContent-Type: multipart/related; boundary=r\r\n\r\n--r\r\nContent-Type: text/html\r\n\r\n<p>Hello there</p>\r\n${pictures.join('')}--r--\r\n`;
  const { text, notes, requests } = await read(Buffer.from(source));
  expect(text).toContain('Attachments: screen.png, plan.bin');
  expect(requests).toContainEqual({ kind: 'page', page: 1, path: 'screen.png' });
  expect(text).toContain('Hello there');
  expect([text, ...notes].join()).not.toMatch(/logo|line/);
});

test('an encrypted email is noted', async () => {
  const bytes = mail('Secret', {
    name: 'smime.p7m',
    type: 'application/pkcs7-mime',
    bytes: note.bytes,
  });
  expect((await read(bytes)).notes).toEqual(['This mail is encrypted: only its head was read.']);
});

test('emails within emails are read five levels deep', async () => {
  let bytes = mail('Deepest');
  for (let level = 6; level > 0; level -= 1) {
    bytes = mail(`Level ${level}`, { name: 'in.eml', type: 'message/rfc822', bytes });
  }
  const { text, notes } = await read(bytes);
  expect(text).toContain('Text of Level 5.');
  expect(text).not.toContain('Text of Level 6.');
  expect(notes.join(' ')).toContain('Nested files are read up to 5 levels deep');
});

test('archives attached to emails share one size limit, and zip bombs are not unpacked', async () => {
  const bomb = { name: 'bomb.zip', bytes: zipSync({ 'a.txt': new Uint8Array(60_000_000) }) };
  const { text, notes } = await read(mail('Bomb', bomb, note));
  expect(text).toContain('The heron waits.');
  expect(notes.join(' ')).toContain(
    'bomb.zip: This archive unpacks to more than can be read safely',
  );
});

test('deeply nested parts are read as one text, with a note', async () => {
  const head = 'From: a@b.example\nSubject: Deep\nDate: Mon, 2 Mar 2026 10:00:00 +0100\n';
  const parts = Array.from(
    { length: 200 },
    (_, index) => `Content-Type: multipart/mixed; boundary=b${index}\n\n--b${index}\n`,
  );
  const deep = Buffer.from(`${head}${parts.join('')}\n\nHello\n`);
  const { text, title, notes } = await read(deep);
  expect(title).toBe('Deep');
  expect(text).toContain('Hello');
  expect(notes).toEqual([
    'The parts of this mail are nested more than 50 levels deep; they were read as one text.',
  ]);
  expect((await read(mailbox(deep, mail('Fine')), 'mbox')).text).toContain('Text of Fine.');
});

test('many parts, long headers and many messages are read up to the limits', async () => {
  const many = Array.from({ length: 300 }, () => note);
  expect((await read(mail('Many', ...many))).text).toContain('note (300).txt');
  const crowd = Array.from({ length: 5000 }, (_, index) => `p${index}@example.org`).join(', ');
  const crowded = await read(Buffer.from(`From: a@b.example\nTo: ${crowd}\n\nHello\n`));
  expect(crowded.text).toContain('p49@example.org and 4950 more');
  const box = mailbox(...Array.from({ length: 500 }, (_, index) => mail(`Number ${index}`)));
  const extraction = await extract(
    { bytes: box, fileName: 'a.mbox', type: 'mbox' },
    { maxTextLength: 5000 },
  );
  expect(extraction.text.length).toBeLessThanOrEqual(5000);
  expect(extraction.notes).toEqual(['Only the first 5,000 characters were read.']);
});
