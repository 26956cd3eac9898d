import MailComposer from 'nodemailer/lib/mail-composer';
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
/** The bytes before the properties of a message, an attached message, and others ([MS-OXMSG] 2.4). */
const [MESSAGE_HEAD, EMBEDDED_HEAD, OTHER_HEAD] = [32, 24, 8];
const PROPERTY_BYTES = 16;
const CC = 2;
const BCC = 3;
/** Maximum recipients and attachments that are read. */
const MAX_STORAGES = 10_000;
/** Messages attached to messages are read up to this depth. */
const MAX_DEPTH = 10;
/** The Unix epoch in ticks of Windows, which are 100 ns. */
const EPOCH = 116_444_736_000_000_000n;

const hex = (number: number): string => number.toString(16).toUpperCase().padStart(4, '0');

/** The properties of a storage. Strings and bytes have their own streams, the others share one. */
function propertiesOf(file: CompoundFile, storage: CompoundEntry | undefined, head: number) {
  const byName = new Map(file.entriesIn(storage).map((entry) => [entry.name, entry]));
  const stream = (property: number, type: string, maxBytes = Infinity): Uint8Array | undefined => {
    const entry = byName.get(`__substg1.0_${hex(property)}${type}`);
    return entry && entry.size <= maxBytes ? file.stream(entry)?.bytes : undefined;
  };
  const fixed = new Map<number, DataView>();
  const entry = byName.get('__properties_version1.0');
  const bytes = (entry && file.stream(entry)?.bytes) ?? new Uint8Array();
  for (let offset = head; offset + PROPERTY_BYTES <= bytes.length; offset += PROPERTY_BYTES) {
    const property = viewOf(bytes.subarray(offset, offset + PROPERTY_BYTES));
    fixed.set(property.getUint16(2, true), property);
  }
  return {
    exists: entry !== undefined,
    /** The message, if this is an attached one. */
    message: byName.get(`__substg1.0_${hex(P.data)}${STORED}`),
    number: (property: number): number | undefined => fixed.get(property)?.getUint32(8, true),
    /** Milliseconds since 1970. */
    time(property: number): number | undefined {
      const ticks = fixed.get(property)?.getBigInt64(8, true) ?? 0n;
      return ticks > 0n ? Number((ticks - EPOCH) / 10_000n) : undefined;
    },
    /** Bytes, if they are no more than `most`. */
    binary: (property: number, maxBytes?: number): Uint8Array | undefined =>
      stream(property, BINARY, maxBytes),
    text(property: number, charset: string): string | undefined {
      const unicode = stream(property, UNICODE);
      const bytes = unicode ?? stream(property, STRING_8);
      const decoder = new TextDecoder(unicode === undefined ? charset : 'utf-16le');
      return bytes && decoder.decode(bytes).replaceAll('\0', '');
    },
  };
}

type Properties = ReturnType<typeof propertiesOf>;

interface OutlookFile {
  file: CompoundFile;
  charset: string;
  /**
   * Bytes of attachments that may still be read. Attachments of a hostile file may share bytes, so their
   * total is limited to the size of the file.
   */
  bytesLeft: number;
  /** Storages of messages, each of which is read once. */
  readMessages: Set<CompoundEntry>;
  leftOut: number;
}

/** Parses a message of Outlook ([MS-OXMSG]). Throws {@link ExtractionError}. */
export async function parseOutlookMail(bytes: Uint8Array): Promise<Mail> {
  const file = openCompoundFile(bytes);
  const properties = file && propertiesOf(file, undefined, MESSAGE_HEAD);
  if (!file || !properties?.exists) {
    throw new ExtractionError('damaged', 'This mail is damaged and could not be read.');
  }
  const codePage = properties.number(P.codePage) ?? properties.number(P.messageCodePage) ?? 1252;
  const charset = charsetOf(codePage);
  const opened: OutlookFile = {
    file,
    charset,
    bytesLeft: bytes.length,
    readMessages: new Set(),
    leftOut: 0,
  };
  const { date, text, html, attachments, ...head } = await messageOf(
    opened,
    properties,
    undefined,
    0,
  );
  const isCut = file.entriesIn().some((entry) => file.stream(entry)?.complete === false);
  return {
    ...head,
    date: dateInWords(date),
    text: cleanText(text),
    html: htmlToRead(text, html, text.trim() !== ''),
    page: html ?? null,
    attachments: await attachmentsOf(attachments),
    notes: [
      ...(isCut ? ['This mail is damaged or incomplete. Engram read what it could.'] : []),
      ...(opened.leftOut === 0 ? [] : [leftOutNote(opened.leftOut)]),
      ...(isEncrypted(properties.text(P.messageClass, charset))
        ? ['This mail is encrypted: only its head was read.']
        : []),
    ],
  };
}

type Message = Awaited<ReturnType<typeof messageOf>>;

async function messageOf(
  opened: OutlookFile,
  properties: Properties,
  storage: CompoundEntry | undefined,
  depth: number,
) {
  const { file, charset } = opened;
  const storages = (kind: string): Properties[] =>
    file
      .entriesIn(storage)
      .filter(({ name }) => name.startsWith(`__${kind}_version1.0_`))
      .slice(0, MAX_STORAGES)
      .map((entry) => propertiesOf(file, entry, OTHER_HEAD));
  const recipients = storages('recip');
  const people = (matches: (type: number | undefined) => boolean): string[] =>
    recipients
      .filter((person) => matches(person.number(P.recipientType)))
      .flatMap((person) => personOf(person, [P.name, P.smtpAddress, P.address], charset) ?? []);
  const attachments: Attachment[] = [];
  for (const attached of storages('attach')) {
    const attachment = attached.message
      ? await attachedMessage(opened, attached.message, depth + 1)
      : attachedFile(opened, attached);
    if (attachment) attachments.push(attachment);
  }
  return {
    subject: cleanTitle(properties.text(P.subject, charset)),
    from: personOf(properties, [P.senderName, P.senderSmtpAddress, P.senderAddress], charset),
    to: people((type) => type !== CC && type !== BCC),
    cc: people((type) => type === CC),
    date: dateOf(properties, charset),
    text: properties.text(P.body, charset) ?? '',
    html: htmlOf(properties, charset),
    attachments,
  };
}

const leftOutNote = (count: number): string =>
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
    .find((candidate) => candidate?.includes('@'));
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

function attachedFile(opened: OutlookFile, properties: Properties): Attachment | null {
  const content = properties.binary(P.data, opened.bytesLeft);
  if (content === undefined) return null;
  opened.bytesLeft -= content.length;
  const text = (property: number): string | undefined => properties.text(property, opened.charset);
  const contentId = text(P.contentId);
  const mimeType = text(P.mediaType)?.toLowerCase();
  return {
    filename: text(P.longFileName) ?? text(P.shortFileName) ?? text(P.name) ?? null,
    mimeType: mimeType ?? (contentId === undefined ? '' : 'image/*'),
    disposition: null,
    related: contentId !== undefined,
    contentId,
    content,
  };
}

async function attachedMessage(
  opened: OutlookFile,
  storage: CompoundEntry,
  depth: number,
): Promise<Attachment | null> {
  const properties = propertiesOf(opened.file, storage, EMBEDDED_HEAD);
  if (depth > MAX_DEPTH || !properties.exists || opened.readMessages.has(storage)) {
    opened.leftOut += 1;
    return null;
  }
  opened.readMessages.add(storage);
  const message = await messageOf(opened, properties, storage, depth);
  const content = await toInternetMessage(message);
  const filename = message.subject?.replace(/[/\\]/g, ' ') ?? null;
  return { filename, mimeType: 'message/rfc822', disposition: null, content };
}

/** Writes a message as a file (RFC 5322), because an attached one has no bytes of its own. */
async function toInternetMessage(message: Message): Promise<Buffer> {
  const { attachments, subject, from, html, ...rest } = message;
  const composer = new MailComposer({
    ...rest,
    ...(subject === null ? {} : { subject }),
    ...(from === null ? {} : { from }),
    ...(html === undefined ? {} : { html }),
    attachments: attachments.map(({ filename, mimeType, contentId, content }) => ({
      filename: filename ?? false,
      content: Buffer.from(content as Uint8Array),
      ...(mimeType === '' ? {} : { contentType: mimeType }),
      ...(contentId === undefined ? {} : { cid: contentId }),
    })),
    // The texts are untrusted.
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  const bytes = await composer.compile().build();
  if (message.date !== undefined) return bytes;
  // Without a date the composer writes the current one.
  return Buffer.from(bytes.toString('latin1').replace(/^Date: .*\r\n/m, ''), 'latin1');
}
