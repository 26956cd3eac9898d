import { isUtf8 } from 'node:buffer';
import exifr from 'exifr';
import type { Raster } from './raster.ts';
import { MONTHS } from '../calendar/date-format.ts';
import { cleanText, cleanTitle } from '../text-builder.ts';

type Tags = Record<string, unknown>;

/** Default descriptions of cameras and programs. */
const NO_DESCRIPTION =
  /^(?:(?:OLYMPUS|MINOLTA|KONICA|KODAK|SAMSUNG|VIVITAR|SANYO|SONY|NIKON|CANON)\b.{0,30}(?:CAMERA|DSC|DSLR)?|DCIM.*|DIGITAL CAMERA|default|untitled|screenshot|created with .*|binary comment)$/i;
/** The PNG keywords (11.3.3.2) that describe the picture. */
const TEXT_CHUNKS = new Set(['Title', 'Author', 'Description']);
const MAX_DESCRIPTION = 5000;
const MAX_KEYWORDS = 100;

const OPTIONS = {
  tiff: true,
  exif: true,
  gps: true,
  iptc: true,
  xmp: true,
  icc: false,
  jfif: false,
  ihdr: false,
  // Dates have no time zone.
  reviveValues: false,
} as const;

/** When and where a picture was taken, and its texts: EXIF, IPTC, XMP and PNG text chunks. */
export async function factsOf(
  bytes: Uint8Array,
  { xmp, comments }: Pick<Raster, 'xmp' | 'comments'>,
): Promise<{ title: string | null; sentences: string[] }> {
  const written = comments.map(({ keyword, text }) => [keyword, text] as const);
  const tags: Tags = {
    ...Object.fromEntries(written.filter(([keyword]) => TEXT_CHUNKS.has(keyword))),
    ...(xmp === null ? {} : await tagsOf(asJpeg(xmp))),
    ...(await tagsOf(bytes)),
  };
  const title = cleanTitle(
    textOf(tags['title'] ?? tags['Title'] ?? tags['ObjectName'] ?? tags['Headline']),
  );
  const described = ['description', 'Caption', 'ImageDescription', 'Description', 'UserComment']
    .map((name) => tags[name])
    .map(textOf)
    .filter((text) => text !== '' && text !== title && !NO_DESCRIPTION.test(text));
  const keywords = keywordsOf(tags['subject'] ?? tags['Keywords']);
  const people = textOf(tags['creator'] ?? tags['Byline'] ?? tags['Artist'] ?? tags['Author']);
  const sentences = [
    title === null ? '' : `Title: ${title}`,
    ...new Set(described),
    takenOn(tags['DateTimeOriginal'] ?? tags['CreateDate'] ?? tags['DateTimeDigitized']),
    placeOf(tags),
    keywords.length === 0 ? '' : `Keywords: ${keywords.join(', ')}`,
    people === '' ? '' : `Taken by: ${people}`,
  ];
  return { title, sentences: sentences.filter((sentence) => sentence !== '') };
}

async function tagsOf(bytes: Uint8Array): Promise<Tags> {
  try {
    return ((await exifr.parse(bytes, OPTIONS)) ?? {}) as Tags;
  } catch {
    // Broken tags are ignored.
    return {};
  }
}

/** Wraps an XMP packet in a JPEG segment (XMP part 3, 1.1.3). */
function asJpeg(xmp: Uint8Array): Uint8Array {
  const name = Buffer.from('http://ns.adobe.com/xap/1.0/\0', 'latin1');
  const length = 2 + name.length + xmp.length;
  if (length > 0xffff) return new Uint8Array();
  const head = Buffer.from([0xff, 0xd8, 0xff, 0xe1, length >> 8, length & 0xff]);
  return Buffer.concat([head, name, xmp, Buffer.from([0xff, 0xd9])]);
}

/** One line of text from a string, list, XMP alternative or EXIF comment. */
function textOf(value: unknown): string {
  if (typeof value === 'string') return line(repaired(value));
  if (value instanceof Uint8Array) return line(commentOf(value));
  if (Array.isArray(value)) return value.map(textOf).filter(Boolean).join(', ');
  if (value !== null && typeof value === 'object' && 'value' in value) return textOf(value.value);
  return '';
}

function line(text: string): string {
  return cleanText(text.replace(/\p{Cc}+/gu, ' ').replace(/\s+/gu, ' '))
    .trim()
    .slice(0, MAX_DESCRIPTION);
}

/** Repairs UTF-8 that was decoded as Latin-1. */
function repaired(text: string): string {
  if (!/[\u00c2-\u00f4][\u0080-\u00bf]/.test(text) || /[^\0-\u00ff]/.test(text)) return text;
  const bytes = Buffer.from(text, 'latin1');
  return isUtf8(bytes) ? new TextDecoder().decode(bytes) : text;
}

/** EXIF 2.32, UserComment: eight bytes name the character code of the rest. */
function commentOf(bytes: Uint8Array): string {
  const code = Buffer.from(bytes.subarray(0, 8)).toString('latin1');
  const text = bytes.subarray(8);
  if (code.startsWith('UNICODE')) {
    const bigEndian = text[0] === 0;
    return new TextDecoder(bigEndian ? 'utf-16be' : 'utf-16le').decode(text);
  }
  if (code.startsWith('ASCII')) return Buffer.from(text).toString('utf8');
  return /^\0{8}/.test(code) ? Buffer.from(text).toString('utf8') : '';
}

function keywordsOf(value: unknown): string[] {
  const list = Array.isArray(value) ? value : [value];
  return [...new Set(list.map(textOf).filter((word) => word !== ''))].slice(0, MAX_KEYWORDS);
}

/** '2024:03:12 14:05:33' as a sentence, or ''. */
function takenOn(value: unknown): string {
  const match = /^(\d{4})[:-](\d\d)[:-](\d\d)(?:[ T](\d\d):(\d\d))?/.exec(textOf(value));
  if (match === null) return '';
  const [, year = '', month = '', day = '', hour, minute] = match;
  const name = MONTHS[Number(month) - 1];
  const days = new Date(Date.UTC(Number(year), Number(month), 0)).getUTCDate();
  const isDay = Number(day) >= 1 && Number(day) <= days;
  if (name === undefined || !isDay || Number(year) < 1800) return '';
  const time = hour === undefined ? '' : ` at ${hour}:${minute ?? '00'}`;
  return `Taken on ${Number(day)} ${name} ${year}${time}.`;
}

function placeOf(tags: Record<string, unknown>): string {
  const names = [
    tags['Sublocation'] ?? tags['Location'],
    tags['City'],
    tags['State'],
    tags['Country'],
  ];
  const named = names.map(textOf).filter((name) => name !== '');
  const { latitude, longitude } = tags;
  const point = [degrees(latitude, 90, ['N', 'S']), degrees(longitude, 180, ['E', 'W'])];
  // Cameras without a GPS signal write 0, 0.
  const known = point.every((part) => part !== '') && !(latitude === 0 && longitude === 0);
  const parts = [...new Set(named), ...(known ? point : [])];
  return parts.length === 0 ? '' : `Place: ${parts.join(', ')}.`;
}

function degrees(value: unknown, max: number, [plus, minus]: [string, string]): string {
  if (typeof value !== 'number' || !Number.isFinite(value) || Math.abs(value) > max) return '';
  return `${Math.abs(value).toFixed(4)}° ${value < 0 ? minus : plus}`;
}
