import { fileTypeFromBuffer } from 'file-type';
import { bufferOf } from './bytes.ts';
import { decode, detectCharset, isUtf8 } from './text/charset.ts';
import { isNamedText, typeByMagic, typeByName } from './file-types.ts';
import { isBinaryPlist } from './html/binary-plist.ts';
import { streamNames } from './office/compound-file.ts';
import type { FileType } from './types.ts';

/** Bytes from the start of a file that {@link detectType} uses. Small zips may be passed whole. */
export const HEAD_BYTES = 65_536;

/** Formats with a magic number that are read as text. */
const TEXT_MAGIC = new Set(['xml', 'ics', 'vcf', 'vtt', 'srt']);
/** Page descriptions, which are not readable text. */
const NO_PROSE = new Set(['ps', 'eps', 'ai']);

/**
 * Detects a file's type by its bytes. The name only decides between text types and cut containers.
 * @returns null for a type that is not accepted, the type of the name for an empty file
 */
export async function detectType(head: Uint8Array, fileName: string): Promise<FileType | null> {
  const named = typeByName(fileName);
  if (head.length === 0) return named ?? 'txt';
  const magic = await magicOf(head);
  if (magic === 'cfb') return oleType(head, named);
  if (magic === 'pdf' || (named === 'pdf' && hasLatePdfHeader(head))) return 'pdf';
  if (magic === undefined && named === 'tiff' && hasTiffHeader(head)) return 'tiff';
  if (magic === 'rtf') return 'rtf';
  if (named === 'webarchive' && isBinaryPlist(head)) return 'webarchive';
  if (magic !== undefined && NO_PROSE.has(magic)) return null;
  // Attachments may be binary, so the file need not be text in any charset.
  if (
    (named === 'eml' || named === 'mbox' || named === 'mht') &&
    beginsLikeMail(bufferOf(head).toString('latin1', 0, HEAD_BYTES))
  )
    return named;
  const charset = detectCharset(head);
  // Two-letter magic numbers such as 'BM' and 'MZ' also begin sentences.
  if (charset !== null && (magic === undefined || TEXT_MAGIC.has(magic) || isCleanText(head))) {
    const text = decode(head, charset);
    // Drawings are refused because they can run scripts.
    const cut = head.length >= HEAD_BYTES;
    if (isDrawing(text, { cut }) || isNamedDrawing(fileName)) return null;
    // Private key files have the same extension as Keynote (.key).
    return named !== null && IWORK.has(named) ? null : textType(text, named);
  }
  if (magic === undefined) return null;
  const type = typeByMagic(magic);
  if (type === null) return named === 'zip' && isZip(head) ? 'zip' : null;
  if (type === 'webm') return hasVideoCodec(head) ? 'webm' : 'weba';
  // The first entries do not always distinguish iWork types.
  if (named !== null && IWORK.has(type) && IWORK.has(named)) return named;
  // Audio recorders use the brand of videos.
  if (type === 'mp4' && named === 'm4a') return 'm4a';
  // file-type takes any zip with a folder called 'word' for a docx.
  const office = type === 'docx' || type === 'xlsx' || type === 'pptx';
  return type === 'zip' || (office && named === 'zip') ? zipType(head, named) : type;
}

/** The types in which browsers and phones record sound. */
const RECORDED: ReadonlySet<FileType> = new Set(['webm', 'mkv', 'mp4', 'm4a', 'wav', 'mp3', 'ogg']);

export async function detectSound(head: Uint8Array): Promise<FileType | null> {
  const type = typeByMagic((await magicOf(head)) ?? '');
  return type !== null && RECORDED.has(type) ? type : null;
}

/** The names of video codecs of WebM. The tracks are at the start of the file. */
const hasVideoCodec = (head: Uint8Array): boolean =>
  ['V_VP8', 'V_VP9', 'V_AV1'].some((codec) => bufferOf(head).includes(codec));

async function magicOf(head: Uint8Array): Promise<string | undefined> {
  try {
    return (await fileTypeFromBuffer(head))?.ext;
  } catch {
    return isZip(head) ? 'zip' : undefined;
  }
}

const isNamedDrawing = (fileName: string): boolean => /\.svgz?$/i.test(fileName.trim());

function textType(text: string, named: FileType | null): FileType {
  const start = text.slice(0, 2000).trimStart();
  const card = /^BEGIN:(VCALENDAR|VCARD)\b/i.exec(start)?.[1]?.toUpperCase();
  if (card !== undefined) return card === 'VCARD' ? 'vcf' : 'ics';
  if (named !== null && isNamedText(named)) return named;
  if (
    /^(?:<\?xml[^>]*>\s*)?(?:<!--(?:(?!-->)[^])*-->\s*)*<(?:!doctype html|html|head|body)[\s>]/i.test(
      start,
    )
  ) {
    return 'html';
  }
  if (named === 'txt') return 'txt';
  if (beginsLikeMail(text)) return text.startsWith('From ') ? 'mbox' : 'eml';
  return /^(?:\{\s*"|\[\s*[[{"\d-])/.test(start) && endsLikeJson(text) ? 'json' : 'txt';
}

/** Header fields (RFC 5322). A note that begins 'From: me' has too few. */
const MAIL_FIELDS =
  /^(?:from|to|subject|date|message-id|received|return-path|delivered-to|mime-version|content-type|dkim-signature|x-[\w-]+):/i;

function beginsLikeMail(text: string): boolean {
  const lines = text.slice(0, 16_384).split(/\r?\n/);
  const first = lines[0]?.startsWith('From ') ? 1 : 0;
  let fields = 0;
  for (const line of lines.slice(first)) {
    if (line === '') break;
    if (/^[ \t]/.test(line)) continue;
    if (!/^[!-9;-~]{1,80}:/.test(line)) return false;
    if (MAIL_FIELDS.test(line)) fields += 1;
  }
  return fields >= 3;
}

function endsLikeJson(text: string): boolean {
  if (text.length >= HEAD_BYTES / 2) return true;
  return /[}\]]$/.test(text.trimEnd());
}

function isCleanText(head: Uint8Array): boolean {
  const isControl = (byte: number): boolean =>
    byte < 0x20 && byte !== 0x09 && byte !== 0x0a && byte !== 0x0d;
  return !head.some(isControl) && isUtf8(head);
}

/** TIFF 6.0, section 2. file-type needs the directory, which may come last. */
function hasTiffHeader(head: Uint8Array): boolean {
  const mark = bufferOf(head).toString('latin1', 0, 4);
  return mark === 'II*\0' || mark === 'MM\0*';
}

/** PDF readers accept a header within the first 1,024 bytes (ISO 32000, annex H of PDF 1.7). */
function hasLatePdfHeader(head: Uint8Array): boolean {
  return bufferOf(head.subarray(0, 1024)).includes('%PDF-');
}

const LOCAL_HEADER = Buffer.from('PK\x03\x04', 'latin1');

function isZip(head: Uint8Array): boolean {
  return head[0] === 0x50 && head[1] === 0x4b && (head[2] === 3 || head[2] === 5);
}

const OFFICE_FOLDERS: [folder: string, type: FileType][] = [
  ['word/', 'docx'],
  ['xl/', 'xlsx'],
  ['ppt/', 'pptx'],
];

const IWORK: ReadonlySet<FileType> = new Set(['pages', 'numbers', 'key']);

/** The type of a zip by its entries and name, if the directory is beyond the head. */
function zipType(head: Uint8Array, named: FileType | null): FileType {
  if (named !== null && IWORK.has(named)) return named;
  const buffer = bufferOf(head);
  const names: string[] = [];
  for (let pos = 0; pos !== -1; pos = buffer.indexOf(LOCAL_HEADER, pos + 1)) {
    // The length of the name is at 26 and the name at 30 (APPNOTE.TXT 4.3.7).
    if (pos + 30 > buffer.length) break;
    names.push(buffer.toString('latin1', pos + 30, pos + 30 + buffer.readUInt16LE(pos + 26)));
  }
  const listed = names.includes('[Content_Types].xml') || names.includes('_rels/.rels');
  for (const [folder, type] of OFFICE_FOLDERS) {
    const inside = names.some((name) => name.startsWith(folder));
    if (inside && (listed || named === type)) return type;
    if (listed && named === type) return type;
  }
  const packed = names.includes('mimetype') || names.includes('META-INF/container.xml');
  return packed && named !== null && PACKAGES.has(named) ? named : 'zip';
}

/** Zips that file-type only recognizes by an uncompressed first member. */
const PACKAGES: ReadonlySet<FileType> = new Set(['epub', 'odt', 'ods', 'odp']);

/** OLE streams by which types are recognized ([MS-DOC], [MS-XLS] and [MS-PPT] 2.1). */
const OLE_STREAMS: readonly [stream: string, type: FileType][] = [
  ['PowerPoint Document', 'ppt'],
  ['WordDocument', 'doc'],
  ['Workbook', 'xls'],
  ['Book', 'xls'],
  ['__properties_version1.0', 'msg'],
];
const OLE_TYPES: ReadonlySet<FileType> = new Set(['doc', 'xls', 'ppt', 'msg']);

function oleType(head: Uint8Array, named: FileType | null): FileType | null {
  const streams = streamNames(head);
  const modern = named === 'docx' || named === 'xlsx' || named === 'pptx';
  if (streams === null) {
    return named !== null && (modern || OLE_TYPES.has(named)) ? named : null;
  }
  if (streams.includes('EncryptedPackage')) return modern ? named : 'docx';
  return OLE_STREAMS.find(([stream]) => streams.includes(stream))?.[1] ?? null;
}

/** Constructs that may precede the root element of XML, by their start and end. */
const BEFORE_ROOT: readonly (readonly [begin: RegExp, end: RegExp])[] = [
  [/<\?/y, /\?>/g],
  [/<!--/y, /-->/g],
  [/<!doctype(?!\s+html\b)[^[>]*>/iy, /(?<=>)/g],
  [/<!doctype(?!\s+html\b)[^[>]*\[/iy, /\]\s*>/g],
];
const BLANK = /\s*/y;
const ROOT = /<(?:[\w.-]{1,40}:)?svg(?=[\s/>])/iy;

/** The end of a match at `from`, or -1. */
function endOf(pattern: RegExp, text: string, from: number): number {
  pattern.lastIndex = from;
  const match = pattern.exec(text);
  return match ? match.index + match[0].length : -1;
}

/** Whether the first element is svg, in linear time. A `cut` text without any counts as a drawing. */
function isDrawing(text: string, { cut = false } = {}): boolean {
  let position = endOf(BLANK, text, 0);
  for (;;) {
    const construct = BEFORE_ROOT.find(([begin]) => endOf(begin, text, position) !== -1);
    if (!construct) return endOf(ROOT, text, position) !== -1;
    const end = endOf(construct[1], text, endOf(construct[0], text, position));
    if (end === -1) return cut;
    position = endOf(BLANK, text, end);
    if (position === text.length) return cut;
  }
}
