import { strFromU8, strToU8, zipSync } from 'fflate';
import * as fc from 'fast-check';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import {
  detectType,
  extract,
  type Extraction,
  ExtractionError,
  type ExtractOptions,
  memberOf,
  type RecognizedWord,
  type Supplements,
} from '../../index.ts';

const read = (bytes: Uint8Array, options?: ExtractOptions): Promise<Extraction> =>
  extract({ bytes, fileName: 'files.zip', type: 'zip' }, options);

const pack = (files: Record<string, string | Uint8Array>, level: 0 | 6 = 6): Uint8Array =>
  zipSync(
    Object.fromEntries(
      Object.entries(files).map(([path, content]) => [
        path,
        typeof content === 'string' ? strToU8(content) : content,
      ]),
    ),
    { level },
  );

const linesOf = ({ text, segments }: Extraction): string[] =>
  segments.map(({ start, end, location, headings }) =>
    [JSON.stringify(location), ...headings, text.slice(start, end)].join(' | '),
  );

/** Replaces bytes everywhere: an archive contains each name twice. */
function withReplacement(bytes: Uint8Array, from: string, to: string | Uint8Array): Uint8Array {
  const buffer = Buffer.from(bytes);
  const next = Buffer.from(to);
  for (let at = buffer.indexOf(from); at !== -1; at = buffer.indexOf(from, at + next.length)) {
    next.copy(buffer, at);
  }
  return new Uint8Array(buffer);
}

/** The offsets of all records of the central directory. */
function directoryRecords(bytes: Uint8Array): number[] {
  const buffer = Buffer.from(bytes);
  const offsets: number[] = [];
  for (
    let at = buffer.indexOf('PK\x01\x02');
    at !== -1;
    at = buffer.indexOf('PK\x01\x02', at + 1)
  ) {
    offsets.push(at);
  }
  return offsets;
}

test('members are extracted by their type, with their path', async () => {
  const inner = pack({ 'docs/deep.md': '# Deep\n\nThe otter sleeps.' });
  const bytes = pack({
    'notes/today.txt': 'The heron waits.\n\nIt rains.',
    'staff.csv': 'Name,City\nAda,London\nBo,Oslo\n',
    'inner.zip': inner,
    'notes/': '',
    '__MACOSX/notes/._today.txt': 'junk',
    '.DS_Store': 'junk',
    'tool.exe': Uint8Array.from([0x4d, 0x5a, 0x90, 0, 3, 0, 0, 0, 4, 0, 0, 0, 0xff, 0xff]),
    'logo.svg': '<svg><text>The drawn fox.</text></svg>',
    'renamed.txt': '<?xml version="1.0"?><svg><text>The drawn fox.</text></svg>',
    'empty.txt': '',
  });
  const extraction = await read(bytes);
  expect(linesOf(extraction)).toEqual([
    '{"path":"notes/today.txt"} | notes/today.txt',
    '{"path":"notes/today.txt","line":1} | notes/today.txt | The heron waits.',
    '{"path":"notes/today.txt","line":3} | notes/today.txt | It rains.',
    '{"path":"staff.csv"} | staff.csv',
    '{"path":"staff.csv","sheet":"staff","row":1} | staff.csv | Name · City',
    '{"path":"staff.csv","sheet":"staff","row":2} | staff.csv | Name: Ada · City: London',
    '{"path":"staff.csv","sheet":"staff","row":3} | staff.csv | Name: Bo · City: Oslo',
    '{"path":"inner.zip/docs/deep.md"} | inner.zip/docs/deep.md',
    '{"path":"inner.zip/docs/deep.md","line":1} | inner.zip/docs/deep.md | # Deep',
    '{"path":"inner.zip/docs/deep.md","line":3} | inner.zip/docs/deep.md | Deep | The otter sleeps.',
  ]);
  expect(extraction.parts).toBe(3);
  expect(extraction.notes).toEqual([
    '3 files of other types were left out: tool.exe, logo.svg, renamed.txt.',
  ]);
});

test('a member is returned by its path, also in nested archives', async () => {
  const inner = pack({ 'docs/deep.md': '# Deep' });
  const bytes = pack({ 'a/inner.zip': inner, 'b.txt': 'Hello there.' });
  const member = await memberOf(bytes, 'a/inner.zip/docs/deep.md');
  expect({ ...member, bytes: strFromU8(member.bytes) }).toEqual({
    bytes: '# Deep',
    fileName: 'deep.md',
    type: 'md',
  });
  expect((await memberOf(bytes, 'a/inner.zip')).type).toBe('zip');
  await expect(memberOf(bytes, 'a/none.txt')).rejects.toThrow(ExtractionError);
  await expect(memberOf(bytes, '../b.txt')).rejects.toThrow(ExtractionError);
});

test('requests and words of members carry their path, and supplements are matched by path', async () => {
  const picture = new Uint8Array(
    await sharp({ create: { width: 600, height: 200, channels: 3, background: 'white' } })
      .png()
      .toBuffer(),
  );
  const bytes = pack({ 'scans/one.png': picture, 'inner.zip': pack({ 'two.png': picture }) });
  const { requests } = await read(bytes);
  expect(requests).toContainEqual({ kind: 'page', page: 1, path: 'scans/one.png' });
  expect(requests).toContainEqual({ kind: 'page', page: 1, path: 'inner.zip/two.png' });
  const word = (text: string): RecognizedWord => {
    return { text, left: 0.1, top: 0.1, width: 0.1, height: 0.02 };
  };
  const supplements: Supplements = {
    pages: [
      {
        page: 1,
        path: 'inner.zip/two.png',
        lines: [{ block: 1, words: [word('Heron'), word('bay')] }],
      },
      { page: 1, path: 'scans/one.png', missing: 'This picture could not be recognized.' },
    ],
  };
  const withSupplements = await extract({ bytes, fileName: 'a.zip', type: 'zip', supplements });
  expect(withSupplements.requests.filter(({ kind }) => kind === 'page')).toEqual([]);
  expect(withSupplements.words.map(({ path }) => path)).toEqual(['inner.zip/two.png']);
  const words = withSupplements.words.flatMap((page) => page.words);
  expect(words.map(({ start, end }) => withSupplements.text.slice(start, end))).toEqual([
    'Heron',
    'bay',
  ]);
  expect(withSupplements.notes.join(' ')).toContain('scans/one.png: ');
});

test('members with outside paths, links and duplicate names are left out with a note', async () => {
  const good = 'the good one';
  let bytes = pack({ 'aa/evil.txt': 'evil', 'good.txt': good, 'b.txt': 'one', 'c.txt': 'two' });
  bytes = withReplacement(bytes, 'aa/evil.txt', '../evil.txt');
  bytes = withReplacement(bytes, 'c.txt', 'b.txt');
  const upward = await read(bytes);
  expect(upward.text).toBe('good.txt\n\nthe good one\n\nb.txt\n\none');
  expect(upward.notes).toEqual([
    '../evil.txt: Its path leads out of the archive. It was left out.',
    'b.txt: A second file of this name was left out.',
  ]);
  const absolute = withReplacement(
    pack({ 'xetc/a.txt': 'evil', 'good.txt': good }),
    'xetc/',
    '/etc/',
  );
  expect((await read(absolute)).text).toBe('good.txt\n\nthe good one');
  const drive = withReplacement(pack({ 'xxx/a.txt': 'evil', 'good.txt': good }), 'xxx/', 'C:\\\\');
  expect((await read(drive)).text).toBe('good.txt\n\nthe good one');
});

test('a member with a different local name is left out', async () => {
  const bytes = pack({ 'a.txt': 'first', 'b.txt': 'second' });
  const [at = 0] = directoryRecords(bytes);
  bytes[at + 46] = 'z'.charCodeAt(0);
  const { text, notes } = await read(bytes);
  expect(text).toBe('b.txt\n\nsecond');
  expect(notes).toEqual(['z.txt: This file is damaged in the archive.']);
});

test('a broken member is left out, and a truncated archive is read by its local headers', async () => {
  const long = Array.from({ length: 400 }, (_, index) => `Line ${index} of the log.`).join('\n');
  const bytes = pack({ 'a.txt': 'first', 'b.txt': long, 'c.txt': 'third' });
  const broken = bytes.slice();
  const at = Buffer.from(broken).indexOf('b.txt') + 200;
  broken.fill(0xff, at, at + 40);
  const extraction = await read(broken);
  expect(extraction.text).toBe('a.txt\n\nfirst\n\nc.txt\n\nthird');
  expect(extraction.notes).toEqual(['b.txt: This file is damaged in the archive.']);
  const cut = await read(bytes.subarray(0, (directoryRecords(bytes)[0] ?? 0) - 2));
  expect(cut.text).toContain('Line 399 of the log.');
  expect(cut.notes[0]).toBe('This archive is damaged or incomplete. Engram read what it could.');
});

test('encrypted, empty and unsupported archives fail with clear messages', async () => {
  const bytes = pack({ 'a.txt': 'first', 'b.txt': 'second' });
  const set = (offset: number, value: number): Uint8Array => {
    const changed = bytes.slice();
    for (const at of directoryRecords(changed)) changed[at + offset] = value;
    return changed;
  };
  await expect(read(set(8, 1))).rejects.toMatchObject({
    code: 'password_needed',
    message: 'This archive is password-protected.',
  });
  await expect(read(set(10, 6))).rejects.toMatchObject({
    code: 'unsupported',
    message: expect.stringContaining("'implode'"),
  });
  await expect(read(pack({}))).rejects.toMatchObject({ code: 'empty' });
  await expect(read(pack({ 'folder/': '' }))).rejects.toMatchObject({ code: 'empty' });
  const partly = bytes.slice();
  partly[(directoryRecords(partly)[0] ?? 0) + 8] = 1;
  expect((await read(partly)).notes).toEqual(['a.txt: This file is password-protected.']);
});

test('zip bombs are not unpacked', async () => {
  const bomb = pack({ 'zeros.txt': new Uint8Array(60_000_000) });
  await expect(read(bomb)).rejects.toMatchObject({ code: 'too_large' });
  const nested = await read(pack({ 'good.txt': 'fine', 'bomb.zip': bomb }));
  expect(nested.text).toBe('good.txt\n\nfine');
  expect(nested.notes).toEqual([
    'bomb.zip: This archive unpacks to more than can be read safely. It was not unpacked.',
  ]);
  const duplicated = pack({ 'a.txt': 'same', 'b.txt': 'same' }, 0);
  const view = new DataView(duplicated.buffer);
  const [first = 0, second = 0] = directoryRecords(duplicated);
  view.setUint32(second + 42, view.getUint32(first + 42, true), true);
  await expect(read(duplicated)).rejects.toMatchObject({ code: 'too_large' });
});

test('a member that inflates beyond its declared size is reported as damaged', async () => {
  const bytes = pack({ 'a.txt': 'x'.repeat(5_000_000), 'b.txt': 'fine' });
  new DataView(bytes.buffer).setUint32((directoryRecords(bytes)[0] ?? 0) + 24, 100, true);
  const { text, notes } = await read(bytes);
  expect(text).toBe('b.txt\n\nfine');
  expect(notes).toEqual(['a.txt: This file is damaged in the archive.']);
});

test('archives within archives are opened five levels deep', async () => {
  let bytes = pack({ 'deepest.txt': 'too deep' });
  for (const level of [5, 4, 3, 2, 1])
    bytes = pack({ [`level${level}.txt`]: `level ${level}`, 'in.zip': bytes });
  const { text, notes } = await read(bytes);
  expect(text).toContain('in.zip/in.zip/in.zip/in.zip/level5.txt');
  expect(text).not.toContain('too deep');
  expect(notes).toEqual([
    'in.zip/in.zip/in.zip/in.zip/in.zip: Nested files are read up to 5 levels deep. This one was left out.',
  ]);
});

test('limits apply to the whole archive', async () => {
  const files = Object.fromEntries(
    Array.from({ length: 50 }, (_, index) => [`${index}.txt`, `Text number ${index}. `.repeat(20)]),
  );
  const short = await read(pack(files), { maxTextLength: 1000 });
  expect(short.text.length).toBeLessThanOrEqual(1000);
  expect(short.notes).toEqual(['Only the first 1,000 characters were read.']);
  const few = await read(pack(files), { maxSegments: 7 });
  expect(few.segments.length).toBeLessThanOrEqual(7);
  expect(few.notes).toEqual(['Only the first 7 rows and paragraphs were read.']);
});

test('thousands of small members are read', async () => {
  const files = Object.fromEntries(
    Array.from({ length: 3000 }, (_, index) => [
      `folder ${index % 10}/note ${index}.txt`,
      `Note ${index}.`,
    ]),
  );
  const { parts, text, notes } = await read(pack(files));
  expect({ parts, notes }).toEqual({ parts: 3000, notes: [] });
  expect(text).toContain('Note 2999.');
});

test('names without a charset flag are decoded in a plausible charset', async () => {
  const name = Buffer.from('Gr\x94\xe1e \x81ber alles.txt', 'latin1');
  const placeholder = 'x'.repeat(name.length);
  const bytes = withReplacement(pack({ [placeholder]: 'hello' }), placeholder, name);
  expect((await read(bytes)).text).toBe('Größe über alles.txt\n\nhello');
});

test('an archive with changed or missing bytes is read or fails with a clear message', async () => {
  const complete = pack({
    'a.txt': 'first '.repeat(50),
    'b/c.json': '{"a": 1}',
    'in.zip': pack({ 'd.txt': 'x' }),
  });
  const changes = fc.array(fc.tuple(fc.nat(complete.length - 1), fc.nat(255)), { maxLength: 8 });
  await fc.assert(
    fc.asyncProperty(changes, fc.nat(complete.length - 1), fc.boolean(), async (list, end, cut) => {
      const bytes = complete.slice(0, cut ? end + 1 : undefined);
      for (const [at, byte] of list) if (at < bytes.length) bytes[at] = byte;
      await detectType(bytes, 'a.zip');
      const failure = await read(bytes).then(
        () => null,
        (error: unknown) => error,
      );
      expect(failure === null || failure instanceof ExtractionError).toBe(true);
    }),
    { numRuns: 300 },
  );
});
