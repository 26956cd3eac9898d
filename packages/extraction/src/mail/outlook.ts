import type { Attachment } from 'postal-mime';
import { viewOf } from '../bytes.ts';
import { ExtractionError } from '../errors.ts';
import { htmlCharset } from '../html/html.ts';
import {
  charsetOf,
  type CompoundEntry,
  type CompoundFile,
  openCompoundFile,
} from '../office/compound-file.ts';
import { decode, detectCharset } from '../text/charset.ts';
import { cleanText, cleanTitle } from '../text-builder.ts';
import { attachmentsOf, dateInWords, htmlToRead, type Mail } from './message.ts';

/** Properties by their number ([MS-OXPROPS]). */
const P = {
  messageClass: 0x001a,
  subject: 0x0037,
  submitTime: 0x0039,
  headers: 0x007d,
  senderName: 0x0c1a,
  recipientType: 0x0c15,
  deliveryTime: 0x0e06,
  body: 0x1000,
  html: 0x1013,
  name: 0x3001,
  address: 0x3003,
  smtpAddress: 0x39fe,
  senderAddress: 0x0c1f,
  senderSmtpAddress: 0x5d01,
  data: 0x3701,
  shortFileName: 0x3704,
  longFileName: 0x3707,
  mediaType: 0x370e,
  contentId: 0x3712,
  codePage: 0x3fde,
  messageCodePage: 0x3ffd,
};
const [STORED, STRING_8, UNICODE, BINARY] = ['000D', '001E', '001F', '0102'];
/** The head of the properties of the message, and of a recipient or attachment ([MS-OXMSG] 2.4). */
const [MESSAGE_HEAD, OTHER_HEAD] = [32, 8];
const PROPERTY_BYTES = 16;
const CC = 2;
const BCC = 3;
/** Maximum recipients and attachments that are read. */
const MAX_STORAGES = 10_000;
/** The Unix epoch in ticks of Windows, which are 100 ns. */
const EPOCH = 116_444_736_000_000_000n;

const hex = (number: number): string => number.toString(16).toUpperCase().padStart(4, '0');

/** The properties of a storage. Strings and bytes have their own streams, the others share one. */
function propertiesOf(file: CompoundFile, storage?: CompoundEntry) {
  const byName = new Map(file.entriesIn(storage).map((entry) => [entry.name, entry]));
  const stream = (property: number, type: string, most = Infinity): Uint8Array | undefined => {
    const entry = byName.get(`__substg1.0_${hex(property)}${type}`);
    return entry && entry.size <= most ? file.stream(entry)?.bytes : undefined;
  };
  const fixed = new Map<number, DataView>();
  const entry = byName.get('__properties_version1.0');
  const bytes = (entry && file.stream(entry)?.bytes) ?? new Uint8Array();
  const head = storage === undefined ? MESSAGE_HEAD : OTHER_HEAD;
  for (let at = head; at + PROPERTY_BYTES <= bytes.length; at += PROPERTY_BYTES) {
    const property = viewOf(bytes.subarray(at, at + PROPERTY_BYTES));
    fixed.set(property.getUint16(2, true), property);
  }
  return {
    exists: entry !== undefined,
    hasMessage: byName.has(`__substg1.0_${hex(P.data)}${STORED}`),
    number: (property: number): number | undefined => fixed.get(property)?.getUint32(8, true),
    /** Milliseconds since 1970. */
    time(property: number): number | undefined {
      const ticks = fixed.get(property)?.getBigInt64(8, true) ?? 0n;
      return ticks > 0n ? Number((ticks - EPOCH) / 10_000n) : undefined;
    },
    /** Bytes, if they are no more than `most`. */
    binary: (property: number, most?: number): Uint8Array | undefined =>
      stream(property, BINARY, most),
    text(property: number, charset: string): string | undefined {
      const unicode = stream(property, UNICODE);
      const bytes = unicode ?? stream(property, STRING_8);
      const decoder = new TextDecoder(unicode === undefined ? charset : 'utf-16le');
      return bytes && decoder.decode(bytes).replaceAll('\0', '');
    },
  };
}

type Properties = ReturnType<typeof propertiesOf>;

/** Parses a message of Outlook ([MS-OXMSG]). Throws {@link ExtractionError}. */
export async function parseOutlookMail(bytes: Uint8Array): Promise<Mail> {
  const file = openCompoundFile(bytes);
  const message = file && propertiesOf(file);
  if (!file || !message?.exists) {
    throw new ExtractionError('damaged', 'This mail is damaged and could not be read.');
  }
  const codePage = message.number(P.codePage) ?? message.number(P.messageCodePage) ?? 1252;
  const charset = charsetOf(codePage);
  const storages = (kind: string): Properties[] =>
    file
      .entriesIn()
      .filter(({ name }) => name.startsWith(`__${kind}_version1.0_`))
      .slice(0, MAX_STORAGES)
      .map((entry) => propertiesOf(file, entry));
  const recipients = storages('recip');
  const attached = storages('attach');
  const people = (matches: (type: number | undefined) => boolean): string[] =>
    recipients
      .filter((each) => matches(each.number(P.recipientType)))
      .flatMap((each) => personOf(each, [P.name, P.smtpAddress, P.address], charset) ?? []);
  const text = message.text(P.body, charset) ?? '';
  const html = htmlOf(message, charset);
  const embedded = attached.filter(({ hasMessage }) => hasMessage).length;
  const isCut = file.entriesIn().some((entry) => file.stream(entry)?.complete === false);
  return {
    subject: cleanTitle(message.text(P.subject, charset)),
    from: personOf(message, [P.senderName, P.senderSmtpAddress, P.senderAddress], charset),
    to: people((type) => type !== CC && type !== BCC),
    cc: people((type) => type === CC),
    date: dateInWords(dateOf(message, charset)),
    text: cleanText(text),
    html: htmlToRead(text, html, text.trim() !== ''),
    page: html ?? null,
    attachments: await attachmentsOf(readAttachments(attached, charset, bytes.length)),
    notes: [
      ...(isCut ? ['This mail is damaged or incomplete. Engram read what it could.'] : []),
      ...(embedded === 0 ? [] : [embeddedNote(embedded)]),
      ...(isEncrypted(message.text(P.messageClass, charset))
        ? ['This mail is encrypted: only its head was read.']
        : []),
    ],
  };
}

const embeddedNote = (count: number): string =>
  count === 1
    ? 'A message that is attached to this mail was left out.'
    : `${count} messages that are attached to this mail were left out.`;

const isEncrypted = (messageClass = ''): boolean => /^IPM\.Note\.SMIME$/i.test(messageClass);

/** A name with its address. Exchange addresses ('/o=…') are not meant for readers. */
function personOf(
  properties: Properties,
  [nameOf, ...addresses]: readonly [name: number, ...addresses: number[]],
  charset: string,
): string | null {
  const name = cleanTitle(properties.text(nameOf, charset)?.replace(/^'(.*)'$/s, '$1'));
  const address = addresses
    .map((property) => cleanTitle(properties.text(property, charset)))
    .find((found) => found?.includes('@'));
  if (address === undefined || address === null || name === address) return name;
  return name === null ? address : `${name} <${address}>`;
}

/** The date header, which has a time zone, or else the time in UTC. */
function dateOf(message: Properties, charset: string): string | undefined {
  const headers = message.text(P.headers, charset) ?? '';
  const field = /^date:\s{0,9}(\S.{0,100})$/im.exec(headers)?.[1];
  const ms = message.time(P.submitTime) ?? message.time(P.deliveryTime);
  return field ?? (ms === undefined ? undefined : new Date(ms).toUTCString());
}

function htmlOf(message: Properties, charset: string): string | undefined {
  const bytes = message.binary(P.html);
  if (bytes === undefined || detectCharset(bytes) === null) return message.text(P.html, charset);
  return decode(bytes, htmlCharset(bytes, charset));
}

/** Attachments of a hostile file may share bytes, so their total is limited to the file's size. */
function readAttachments(
  attached: readonly Properties[],
  charset: string,
  fileBytes: number,
): Attachment[] {
  let left = fileBytes;
  return attached.flatMap((properties) => {
    const content = properties.binary(P.data, left);
    if (content === undefined) return [];
    left -= content.length;
    const text = (property: number): string | undefined => properties.text(property, charset);
    const contentId = text(P.contentId);
    const mimeType = text(P.mediaType)?.toLowerCase();
    return [
      {
        filename: text(P.longFileName) ?? text(P.shortFileName) ?? text(P.name) ?? null,
        mimeType: mimeType ?? (contentId === undefined ? '' : 'image/*'),
        disposition: null,
        related: contentId !== undefined,
        contentId,
        content,
      },
    ];
  });
}
