import { fileTypeFromBuffer } from 'file-type';
import { decode, detectCharset } from './charset.ts';
import { oleStreams } from './ole.ts';
import { isDrawing } from './svg.ts';
import type { FileType, SoundType } from './types.ts';

/**
 * How many bytes from a file's begin {@link detectType} wants to see. Fewer will do for most types;
 * more are not looked at, but in Office files and zips that are small enough to be handed in whole.
 */
export const HEAD_BYTES = 65_536;

/** What file-type calls the types that Engram accepts, variants of one format included. */
const BY_MAGIC: Record<string, FileType> = {
  pdf: 'pdf',
  docx: 'docx',
  docm: 'docx',
  dotx: 'docx',
  dotm: 'docx',
  xlsx: 'xlsx',
  xlsm: 'xlsx',
  xltx: 'xlsx',
  xltm: 'xlsx',
  pptx: 'pptx',
  pptm: 'pptx',
  potx: 'pptx',
  potm: 'pptx',
  ppsx: 'pptx',
  ppsm: 'pptx',
  zip: 'zip',
  jpg: 'jpeg',
  png: 'png',
  apng: 'png',
  bmp: 'bmp',
  gif: 'gif',
  wav: 'wav',
  mp3: 'mp3',
  mp4: 'mp4',
  m4a: 'mp4',
  m4v: 'mp4',
  avi: 'avi',
  mov: 'mov',
  mkv: 'mkv',
};

/** Formats that are text to a reader although they have a magic number of their own. */
const TEXT_MAGIC = new Set(['xml', 'ics', 'vcf', 'vtt', 'srt']);
/** Text by its bytes, but written for a program: as text it would be noise. */
const NO_PROSE = new Set(['rtf', 'ps', 'eps', 'ai']);

const MEDIA_TYPES: Record<FileType, string> = {
  pdf: 'application/pdf',
  txt: 'text/plain',
  csv: 'text/csv',
  html: 'text/html',
  json: 'application/json',
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  pptx: 'application/vnd.openxmlformats-officedocument.presentationml.presentation',
  ppt: 'application/vnd.ms-powerpoint',
  zip: 'application/zip',
  jpeg: 'image/jpeg',
  png: 'image/png',
  bmp: 'image/bmp',
  gif: 'image/gif',
  wav: 'audio/wav',
  mp3: 'audio/mpeg',
  mp4: 'video/mp4',
  avi: 'video/x-msvideo',
  mov: 'video/quicktime',
  mkv: 'video/x-matroska',
};

/** The media type to serve a file of this type with. */
export function mediaType(type: FileType): string {
  return MEDIA_TYPES[type];
}

/**
 * What a file is, judged by its bytes; the name only tells text types and cut containers apart.
 *
 * @param head the file's begin, best {@link HEAD_BYTES} of it, or all of it
 * @returns null for what Engram does not accept; an empty file counts as what its name says
 */
export async function detectType(head: Uint8Array, fileName: string): Promise<FileType | null> {
  const named = typeByName(fileName);
  if (head.length === 0) return named ?? 'txt';
  const magic = await magicOf(head);
  if (magic === 'cfb') return oleType(head, named);
  if (magic === 'pdf' || (named === 'pdf' && hasLatePdfHeader(head))) return 'pdf';
  if (magic !== undefined && NO_PROSE.has(magic)) return null;
  const charset = detectCharset(head);
  // Two-letter magic numbers such as 'BM' and 'MZ' also begin sentences.
  if (charset !== null && (magic === undefined || TEXT_MAGIC.has(magic) || isCleanText(head))) {
    const text = decode(head, charset);
    // A drawing can run scripts, and what it says is made for a program to draw.
    return isDrawing(text) || isNamedDrawing(fileName) ? null : textType(text, named);
  }
  if (magic === undefined) return null;
  const type = BY_MAGIC[magic] ?? null;
  if (type === null) return named === 'zip' && isZip(head) ? 'zip' : null;
  // file-type takes any zip with a folder called 'word' for a document.
  const office = type === 'docx' || type === 'xlsx' || type === 'pptx';
  return type === 'zip' || (office && named === 'zip') ? zipType(head, named) : type;
}

/** What file-type calls the containers that browsers record sound in. */
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

/** What a recording made by a browser is, judged by its begin; null for anything else. */
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

function typeByName(fileName: string): FileType | null {
  const extension = /\.([a-z0-9]{1,8})$/i.exec(fileName.trim())?.[1]?.toLowerCase() ?? '';
  if (extension === 'htm' || extension === 'xhtml') return 'html';
  if (extension === 'jpg') return 'jpeg';
  if (extension === 'tsv') return 'csv';
  if (extension === 'ndjson' || extension === 'jsonl') return 'json';
  if (extension === 'md' || extension === 'markdown') return 'txt';
  return extension in MEDIA_TYPES ? (extension as FileType) : null;
}

function textType(text: string, named: FileType | null): FileType {
  if (named === 'csv' || named === 'json' || named === 'html') return named;
  const start = text.slice(0, 2000).trimStart();
  if (
    /^(?:<\?xml[^>]*>\s*)?(?:<!--(?:(?!-->)[^])*-->\s*)*<(?:!doctype html|html|head|body)[\s>]/i.test(
      start,
    )
  ) {
    return 'html';
  }
  if (named === 'txt') return 'txt';
  return /^(?:\{\s*"|\[\s*[[{"\d-])/.test(start) && endsLikeJson(text) ? 'json' : 'txt';
}

function endsLikeJson(text: string): boolean {
  if (text.length >= HEAD_BYTES / 2) return true;
  return /[}\]]$/.test(text.trimEnd());
}

/** UTF-8 without a single control character. */
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

/** PDF readers accept a header within the first 1,024 bytes (ISO 32000, annex H of PDF 1.7). */
function hasLatePdfHeader(head: Uint8Array): boolean {
  return Buffer.from(head.subarray(0, 1024)).includes('%PDF-');
}

const LOCAL_HEADER = Buffer.from('PK\x03\x04', 'latin1');

function isZip(head: Uint8Array): boolean {
  return head[0] === 0x50 && head[1] === 0x4b && (head[2] === 3 || head[2] === 5);
}

/** The folder that each Office format keeps its parts in. */
const OFFICE_FOLDERS: [folder: string, type: FileType][] = [
  ['word/', 'docx'],
  ['xl/', 'xlsx'],
  ['ppt/', 'pptx'],
];

/**
 * A zip, or an Office file that file-type took for one because its list of contents lies beyond the
 * head or is cut off: then the entries in sight tell, together with the name.
 */
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
  return 'zip';
}

/** OLE containers hold legacy PowerPoint, or an Office file behind a password. */
function oleType(head: Uint8Array, named: FileType | null): FileType | null {
  const streams = oleStreams(head);
  if (streams?.includes('PowerPoint Document')) return 'ppt';
  const office = named === 'docx' || named === 'xlsx' || named === 'pptx';
  if (streams?.includes('EncryptedPackage')) return office ? named : 'docx';
  if (streams === null) return office || named === 'ppt' ? named : null;
  return null;
}
