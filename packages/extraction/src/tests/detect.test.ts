import { strToU8, zipSync } from 'fflate';
import { expect, test } from 'vitest';
import { detectType, FILE_TYPES, HEAD_BYTES } from '../index.ts';

const MAIL =
  'From: Ida <ida@example.org>\nTo: Jon <jon@example.org>\nSubject: Boat\nDate: Mon, 2 Mar 2026 10:00:00 +0100\n\nHello.\n';
const MAILBOX = `From ida@example.org Mon Mar  2 10:00:00 2026\n${MAIL}`;
const NOTE = 'From: me\nTo: you\n\nCall the plumber.';
const CALENDAR = 'BEGIN:VCALENDAR\nVERSION:2.0\nEND:VCALENDAR\n';
const CARD = 'BEGIN:VCARD\nVERSION:3.0\nFN:Ida\nEND:VCARD\n';

test.each([
  [MAIL, 'Offer.eml', 'eml'],
  [MAIL, '1761.M2P3.host:2,S', 'eml'],
  [MAIL, 'copied.txt', 'txt'],
  [MAILBOX, 'inbox', 'mbox'],
  [MAILBOX, 'inbox.mbox', 'mbox'],
  [NOTE, 'note', 'txt'],
  [NOTE, 'note.eml', 'eml'],
  [CALENDAR, 'trip.ics', 'ics'],
  [CALENDAR, 'trip.txt', 'ics'],
  [`\ufeff${CALENDAR}`, 'trip.ics', 'ics'],
  ['Not a calendar.', 'trip.ics', 'txt'],
  [CARD, 'ida.vcf', 'vcf'],
  ['# Heading', 'notes.md', 'md'],
  ['# Heading', 'notes.markdown', 'md'],
  [String.raw`{\rtf1 Hello}`, 'letter.rtf', 'rtf'],
  [String.raw`{\rtf1 Hello}`, 'letter.doc', 'rtf'],
  ['%!PS-Adobe-3.0', 'page.txt', null],
  ['<svg><text>Hi</text></svg>', 'logo.txt', null],
  ['II*\0\0\0\x10\0 and so on', 'scan.tif', 'tiff'],
  ['II*\0\0\0\x10\0 and so on', 'photo.nef', null],
  ['RIFF\x10\0\0\0WEBPVP8 ', 'photo.jpg', 'webp'],
])('%j named %s is detected as %s', async (content, name, type) => {
  const bytes = /[\u0100-\uffff]/u.test(content)
    ? strToU8(content)
    : Buffer.from(content, 'latin1');
  expect(await detectType(bytes, name)).toBe(type);
});

test.each(['logo.txt', 'logo.html', 'logo'])(
  'a drawing after more comments than the detector reads is refused as %s',
  async (name) => {
    const comment = `<!-- ${'as good as it gets '.repeat(6000)} -->`;
    for (const begin of [comment, `<?xml version="1.0"?>\n${'<!-- so -->\n'.repeat(9000)}`]) {
      const bytes = strToU8(`${begin}<svg xmlns="http://www.w3.org/2000/svg"><script/></svg>`);
      expect(await detectType(bytes.subarray(0, HEAD_BYTES), name)).toBeNull();
      expect(await detectType(bytes, name)).toBeNull();
    }
    const page = strToU8(`<!-- ${'so '.repeat(9000)} --><html><p>Hi</p></html>`);
    expect(await detectType(page, 'page.html')).toBe('html');
    expect(await detectType(strToU8('<!-- never ended'), 'note.txt')).toBe('txt');
  },
);

test('an email with a binary part is detected by its header', async () => {
  const parts = Buffer.from(Array.from({ length: 2000 }, (_, index) => (index * 37) % 256));
  const bytes = Buffer.concat([Buffer.from(MAIL), parts]);
  expect(await detectType(bytes, 'photo.eml')).toBe('eml');
  expect(await detectType(parts, 'photo.eml')).toBeNull();
});

test.each([
  ['application/vnd.oasis.opendocument.text', 'odt'],
  ['application/vnd.oasis.opendocument.spreadsheet', 'ods'],
  ['application/vnd.oasis.opendocument.presentation', 'odp'],
  ['application/epub+zip', 'epub'],
] as const)(
  'a package of type %s is detected as %s, in whatever part the type is declared',
  async (media, type) => {
    const rest = { 'META-INF/container.xml': strToU8('<x/>'), 'content.xml': strToU8('<x/>') };
    const first = zipSync({ mimetype: [strToU8(media), { level: 0 }], ...rest });
    expect(await detectType(first, 'a.zip')).toBe(type);
    const last = zipSync({ ...rest, mimetype: [strToU8(media.repeat(9)), { level: 9 }] });
    expect(await detectType(last, `a.${type}`)).toBe(type);
    expect(await detectType(last, 'a.zip')).toBe('zip');
  },
);

/** The start of an OLE container with one stream ([MS-CFB] 2.2 and 2.6). */
function container(stream: string): Uint8Array {
  const bytes = Buffer.alloc(2048);
  bytes.set([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]);
  bytes.writeUInt16LE(9, 30);
  bytes.writeUInt32LE(0, 48);
  for (const [index, name] of ['Root Entry', stream].entries()) {
    bytes.write(name, 512 + index * 128, 'utf16le');
    bytes.writeUInt16LE(2 * (name.length + 1), 512 + index * 128 + 64);
    bytes.writeUInt8(index === 0 ? 5 : 2, 512 + index * 128 + 66);
  }
  return bytes;
}

test.each([
  ['WordDocument', 'doc'],
  ['Workbook', 'xls'],
  ['Book', 'xls'],
  ['PowerPoint Document', 'ppt'],
  ['EncryptedPackage', 'docx'],
  ['__properties_version1.0', 'msg'],
  ['Something else', null],
])('an OLE container with the stream %s is detected as %s', async (stream, type) => {
  expect(await detectType(container(stream), 'file')).toBe(type);
});

test('no file extension belongs to two types', () => {
  const endings = Object.values(FILE_TYPES).flatMap(({ endings }): readonly string[] => endings);
  expect(endings).toEqual([...new Set(endings)]);
});
