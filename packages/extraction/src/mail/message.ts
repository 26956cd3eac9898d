import iconv from 'iconv-lite';
import PostalMime, { type Address, type Attachment, type Email } from 'postal-mime';
import { bufferOf } from '../bytes.ts';
import { decode, detectCharset } from '../text/charset.ts';
import { clock, dayInWords, isoDay, localTime } from '../calendar/date-format.ts';
import { isWorthReading } from '../pictures/embedded-pictures.ts';
import { ExtractionError } from '../errors.ts';
import { MAX_MAIL_DEPTH } from '../limits.ts';
import { openRaster } from '../pictures/raster.ts';
import { cleanText, cleanTitle } from '../text-builder.ts';

export interface Mail {
  subject: string | null;
  from: string | null;
  to: string[];
  cc: string[];
  /** 'Monday, 2 March 2026, 10:00 (2026-03-02)', or the field as it is if it is not a date. */
  date: string | null;
  text: string;
  /** HTML to read instead of the text. Null where the text is better. */
  html: string | null;
  /** The HTML, even if there is a plain text. */
  page: string | null;
  attachments: MailAttachment[];
  notes: string[];
}

export interface MailAttachment {
  /** A name without slashes that is unique in the mail. */
  name: string;
  /** The id by which the mail's HTML shows it ('cid:'), or null. */
  contentId: string | null;
  bytes: Uint8Array;
}

const HEAD_BYTES = 65_536;
/** Mails with undeclared non-ASCII characters are repaired up to this size, in bytes. */
const MAX_CONVERTED_BYTES = 50_000_000;
const MAX_HEADERS_CHECKED = 1_000_000;
/** A shorter text beside long HTML only says that the reader shows no HTML. */
const STUB_LENGTH = 300;
const STUB_SHARE = 0.1;
/** Inline pictures that cannot be opened are decoration below this size, in bytes. */
const DECORATION_BYTES = 10_000;
const MAX_NAME_LENGTH = 120;

/** Parts for programs: signatures and delivery reports. */
const FOR_PROGRAMS =
  /^(?:application\/(?:pgp-(?:signature|keys|encrypted)|(?:x-)?pkcs7-signature)|message\/(?:delivery-status|feedback-report|disposition-notification)|text\/rfc822-headers)$/;
const ENCRYPTED = /^application\/(?:pgp-encrypted|(?:x-)?pkcs7-mime)$/;

/** Parses one message (RFC 5322 and MIME). Throws {@link ExtractionError}. */
export async function parseMail(raw: Uint8Array): Promise<Mail> {
  const bytes = withUtf8(raw);
  const notes: string[] = [];
  const email = await PostalMime.parse(bytes, {
    forceRfc822Attachments: true,
    maxNestingDepth: MAX_MAIL_DEPTH,
    maxHeadersSize: bytes.length,
  }).catch((cause: unknown): Promise<Email> => {
    if (!(cause instanceof Error) || !cause.message.includes('nesting depth')) {
      throw new ExtractionError('damaged', 'This mail is damaged and could not be read.', {
        cause,
      });
    }
    notes.push(
      `The parts of this mail are nested more than ${MAX_MAIL_DEPTH} levels deep; they were read as one text.`,
    );
    return PostalMime.parse(headOf(bytes));
  });
  let { text = '' } = email;
  const start = bufferOf(bytes).toString('latin1', 0, MAX_HEADERS_CHECKED);
  const hasPlain = /^content-type:\s{0,9}text\/plain/im.test(start);
  const html = htmlToRead(text, email.html, hasPlain);
  if (text.trim() === '' && html === null && email.attachments.length === 0) {
    text = bodyText(bytes);
    if (text !== '' && notes.length === 0)
      notes.push('The parts of this mail are not marked clearly, so they were read as one.');
  }
  if (email.attachments.some(({ mimeType }) => ENCRYPTED.test(mimeType))) {
    notes.push('This mail is encrypted: only its head was read.');
  }
  return {
    subject: cleanTitle(email.subject),
    from: addressesOf(email.from ? [email.from] : [])[0] ?? null,
    to: addressesOf(email.to),
    cc: addressesOf(email.cc),
    date: dateInWords(email.headers.find(({ key }) => key === 'date')?.value),
    text: cleanText(text),
    html,
    page: email.html ?? null,
    attachments: await attachmentsOf(email.attachments),
    notes,
  };
}

export async function subjectOf(raw: Uint8Array): Promise<string | null> {
  const head = headOf(raw.subarray(0, HEAD_BYTES));
  const email = await PostalMime.parse(withUtf8(head)).catch(() => null);
  return cleanTitle(email?.subject);
}

function headOf(message: Uint8Array): Uint8Array {
  const bytes = bufferOf(message);
  return bytes.subarray(0, HEAD_END.exec(bytes.toString('latin1'))?.index);
}

const HEAD_END = /\r?\n\r?\n/;
const CHARSET = /charset\s{0,9}=\s{0,9}["']?([\w.:-]{1,40})/i;

/** Converts undeclared non-ASCII characters in headers and texts to UTF-8. */
function withUtf8(bytes: Uint8Array): Uint8Array {
  if (bytes.length > MAX_CONVERTED_BYTES || !bytes.some((byte) => byte > 0x7f)) return bytes;
  const raw = bufferOf(bytes).toString('latin1');
  const declared = CHARSET.exec(raw)?.[1];
  const headEnd = HEAD_END.exec(raw)?.index ?? raw.length;
  const head = bytes.subarray(0, headEnd);
  const body = bytes.subarray(headEnd);
  const bodyCharset = detectCharset(body);
  const parts = [asUtf8(head, declared)];
  if (declared === undefined && bodyCharset !== null) parts.push(asUtf8(body, bodyCharset));
  else if (bodyCharset === 'utf-8' && /us-ascii/i.test(raw)) {
    const text = raw.slice(headEnd).replace(/(charset\s{0,9}=\s{0,9}["']?)us-ascii/gi, '$1utf-8');
    parts.push(Buffer.from(text, 'latin1'));
    parts[0] = Buffer.from(
      Buffer.from(parts[0] ?? [])
        .toString('latin1')
        .replace(/(charset\s{0,9}=\s{0,9}["']?)us-ascii/gi, '$1utf-8'),
      'latin1',
    );
  } else parts.push(body);
  return Buffer.concat(parts);
}

function asUtf8(bytes: Uint8Array, likely: string | undefined): Uint8Array {
  const detected = detectCharset(bytes);
  if (detected === null || detected === 'utf-8') return bytes;
  const known = likely !== undefined && iconv.encodingExists(likely) && !/^utf|ascii/i.test(likely);
  return Buffer.from(decode(bytes, known ? likely : detected));
}

/** The HTML if the message has no plain text, or one that lacks what the HTML shows. */
export function htmlToRead(
  text: string,
  html: string | undefined,
  hasPlain: boolean,
): string | null {
  if (html === undefined) return null;
  const length = text.trim().length;
  const isStub = length < STUB_LENGTH && length < html.length * STUB_SHARE;
  // Plain text does not show which cells of a table belong together.
  const hasTable = /<th[\s>]/i.test(html);
  return hasPlain && !isStub && !hasTable ? null : html;
}

function bodyText(bytes: Uint8Array): string {
  const headEnd = HEAD_END.exec(bufferOf(bytes).toString('latin1'));
  if (headEnd === null) return '';
  const body = bytes.subarray(headEnd.index + headEnd[0].length);
  const charset = detectCharset(body);
  return charset === null ? '' : decode(body, charset).trim();
}

function addressesOf(addresses: readonly Address[] = []): string[] {
  return addresses.flatMap((address): string[] => {
    const name = cleanTitle(address.name);
    if (address.group !== undefined) {
      const members = addressesOf(address.group);
      return members.length > 0 ? members : name === null ? [] : [name];
    }
    const mailbox = cleanTitle(address.address);
    if (mailbox === null) return name === null ? [] : [name];
    return [name === null || name === mailbox ? mailbox : `${name} <${mailbox}>`];
  });
}

/** The local date and time of the sender, by the offset of the field (RFC 5322, 3.3). */
export function dateInWords(field: string | undefined): string | null {
  const value = cleanTitle(field);
  if (value === null) return null;
  const ms = Date.parse(value);
  if (Number.isNaN(ms)) return value;
  const [, sign, hours, minutes] = /([+-])(\d\d)(\d\d)(?!\d)/.exec(value) ?? [];
  const offset = Number(`${sign ?? ''}1`) * (Number(hours ?? 0) * 60 + Number(minutes ?? 0));
  const time = localTime(ms, offset);
  return `${dayInWords(time)}, ${clock(time)} (${isoDay(time)})`;
}

export async function attachmentsOf(attachments: readonly Attachment[]): Promise<MailAttachment[]> {
  const usedNames = new Map<string, number>();
  const results: MailAttachment[] = [];
  for (const attachment of attachments) {
    const { mimeType, related, content } = attachment;
    if (FOR_PROGRAMS.test(mimeType) || ENCRYPTED.test(mimeType) || typeof content === 'string') {
      continue;
    }
    const bytes = new Uint8Array(content);
    const isInline = related === true && mimeType.startsWith('image/');
    if (bytes.length === 0 || (isInline && (await isDecoration(bytes)))) continue;
    const contentId = attachment.contentId?.replace(/^<|>$/g, '') ?? null;
    results.push({ name: uniqueName(nameOf(attachment), usedNames), contentId, bytes });
  }
  return results;
}

async function isDecoration(bytes: Uint8Array): Promise<boolean> {
  try {
    return !isWorthReading(await openRaster(bytes));
  } catch {
    return bytes.length < DECORATION_BYTES;
  }
}

function nameOf({ filename, mimeType }: Attachment): string {
  const declaredName = cleanTitle(filename?.split(/[/\\]/).at(-1)) ?? '';
  const named = declaredName.slice(-MAX_NAME_LENGTH).toWellFormed();
  if (mimeType === 'message/rfc822') {
    if (named === '') return 'Forwarded message.eml';
    return /\.eml$/i.test(named) ? named : `${named}.eml`;
  }
  return named === '' ? 'Attachment' : named;
}

/** Makes a name unique with a number before its extension. */
export function uniqueName(name: string, usedNames: Map<string, number>): string {
  const count = (usedNames.get(name) ?? 0) + 1;
  usedNames.set(name, count);
  return count === 1
    ? name
    : uniqueName(name.replace(/(\.[^.]{1,10})?$/, ` (${count})$1`), usedNames);
}
