import { fileTypeFromBuffer } from 'file-type';
import { decode, detectCharset } from './text/charset.ts';
import { isNamedText, typeByMagic, typeByName } from './file-types.ts';
import { streamNames } from './office/compound-file.ts';
import { isDrawing } from './pictures/svg.ts';
import type { FileType, SoundType } from './types.ts';

/** Bytes from the start of a file that {@link detectType} uses. Small zips may be passed whole. */
export const HEAD_BYTES = 65_536;

/** Formats with a magic number that are read as text. */
const TEXT_MAGIC = new Set(['xml', 'ics', 'vcf', 'vtt', 'srt']);
/** Text that is written for programs, and noise to a reader. */
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
  if (magic !== undefined && NO_PROSE.has(magic)) return null;
  // Attachments may be binary, so the file need not be text in any charset.
  if ((named === 'eml' || named === 'mbox') && beginsLikeMail(latin1(head))) return named;
  const charset = detectCharset(head);
  // Two-letter magic numbers such as 'BM' and 'MZ' also begin sentences.
  if (charset !== null && (magic === undefined || TEXT_MAGIC.has(magic) || isCleanText(head))) {
    const text = decode(head, charset);
    // Drawings are refused because they can run scripts.
    const cut = head.length >= HEAD_BYTES;
    return isDrawing(text, { cut }) || isNamedDrawing(fileName) ? null : textType(text, named);
  }
  if (magic === undefined) return null;
  const type = typeByMagic(magic);
  if (type === null) return named === 'zip' && isZip(head) ? 'zip' : null;
  // file-type takes any zip with a folder called 'word' for a docx.
  const office = type === 'docx' || type === 'xlsx' || type === 'pptx';
  return type === 'zip' || (office && named === 'zip') ? zipType(head, named) : type;
}

/** The names that file-type has for the containers in which browsers record. */
const RECORDED: Record<string, SoundType> = {
  webm: 'mkv',
  mkv: 'mkv',
  mp4: 'mp4',
  m4a: 'mp4',
  wav: 'wav',
  mp3: 'mp3',
  ogg: 'ogg',
  oga: 'ogg',
  opus: 'ogg',
};

export async function detectSound(head: Uint8Array): Promise<SoundType | null> {
  return RECORDED[(await magicOf(head)) ?? ''] ?? null;
}

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

const latin1 = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, HEAD_BYTES)).toString(
    'latin1',
  );

/** Fields of RFC 5322 at the start of a mail. A note that begins 'From: me' has too few of them. */
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
  if (head.some((byte) => byte < 0x20 && byte !== 0x09 && byte !== 0x0a && byte !== 0x0d)) {
    return false;
  }
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(head, { stream: true });
    return true;
  } catch {
    return false;
  }
}

/** TIFF 6.0, section 2. file-type needs the directory, which may come last. */
function hasTiffHeader(head: Uint8Array): boolean {
  const mark = Buffer.from(head.subarray(0, 4)).toString('latin1');
  return mark === 'II*\0' || mark === 'MM\0*';
}

/** PDF readers accept a header within the first 1,024 bytes (ISO 32000, annex H of PDF 1.7). */
function hasLatePdfHeader(head: Uint8Array): boolean {
  return Buffer.from(head.subarray(0, 1024)).includes('%PDF-');
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

/** An Office file whose directory is beyond the head, or a zip, by its entries and its name. */
function zipType(head: Uint8Array, named: FileType | null): FileType {
  const buffer = Buffer.from(head.buffer, head.byteOffset, head.byteLength);
  const names: string[] = [];
  for (let at = 0; at !== -1; at = buffer.indexOf(LOCAL_HEADER, at + 1)) {
    // APPNOTE.TXT 4.3.7: the length of the name stands at 26, the name itself at 30.
    if (at + 30 > buffer.length) break;
    names.push(buffer.toString('latin1', at + 30, at + 30 + buffer.readUInt16LE(at + 26)));
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

/** Zips that file-type only recognises by an uncompressed first member. */
const PACKAGES: ReadonlySet<FileType> = new Set(['epub', 'odt', 'ods', 'odp']);

/** OLE streams by which types are recognised ([MS-DOC], [MS-XLS] and [MS-PPT] 2.1). */
const OLE_STREAMS: readonly [stream: string, type: FileType][] = [
  ['PowerPoint Document', 'ppt'],
  ['WordDocument', 'doc'],
  ['Workbook', 'xls'],
  ['Book', 'xls'],
];

function oleType(head: Uint8Array, named: FileType | null): FileType | null {
  const streams = streamNames(head);
  const modern = named === 'docx' || named === 'xlsx' || named === 'pptx';
  if (streams === null) {
    return modern || named === 'ppt' || named === 'doc' || named === 'xls' ? named : null;
  }
  if (streams.includes('EncryptedPackage')) return modern ? named : 'docx';
  return OLE_STREAMS.find(([stream]) => streams.includes(stream))?.[1] ?? null;
}
