import { bufferOf } from '../bytes.ts';
import { ExtractionError } from '../errors.ts';
import { cleanTitle } from '../text-builder.ts';
import { isCompoundFile } from '../office/compound-file.ts';
import { type Mail, parseMail, subjectOf, uniqueName } from './message.ts';
import { parseOutlookMail } from './outlook.ts';

/** The separator line before each message of a mailbox (RFC 4155, appendix A). */
const SEPARATOR = /^From \S.{0,200}\d\d:\d\d/;
const FIELD = /^[!-9;-~]{1,80}:/;
const FROM = Buffer.from('From ');
const NEXT = Buffer.from('\nFrom ');
const LINE_BYTES = 300;

const isMailbox = (bytes: Buffer): boolean => bytes.subarray(0, FROM.length).equals(FROM);

const lineAt = (bytes: Buffer, offset: number): string =>
  bytes.toString('latin1', offset, offset + LINE_BYTES).split(/\r?\n/, 1)[0] ?? '';

const nextLine = (bytes: Buffer, offset: number): number => {
  const end = bytes.indexOf(0x0a, offset);
  return end === -1 ? bytes.length : end + 1;
};

/** Whether a message begins at the line at `at`. Sentences begin with 'From' too. */
const beginsMessage = (bytes: Buffer, offset: number): boolean =>
  SEPARATOR.test(lineAt(bytes, offset)) && FIELD.test(lineAt(bytes, nextLine(bytes, offset)));

/** The messages of a mailbox without separator lines, in linear time. Other files are one message. */
function* messagesOf(file: Uint8Array): Generator<Uint8Array> {
  const bytes = bufferOf(file);
  if (!isMailbox(bytes)) {
    yield file;
    return;
  }
  let start = nextLine(bytes, 0);
  for (let offset = start - 1; ;) {
    offset = bytes.indexOf(NEXT, offset);
    if (offset === -1) break;
    if (beginsMessage(bytes, offset + 1)) {
      yield unescapeFrom(bytes.subarray(start, offset));
      start = nextLine(bytes, offset + 1);
      offset = start - 1;
    } else offset += 1;
  }
  yield unescapeFrom(bytes.subarray(start));
}

/** Mailboxes escape lines that begin with 'From ' as '>From '. */
function unescapeFrom(message: Buffer): Uint8Array {
  if (!message.includes('\n>From ') && !message.includes('\n>>From ')) return message;
  return Buffer.from(message.toString('latin1').replaceAll(/\n>(?=>{0,9}From )/g, '\n'), 'latin1');
}

const folderName = (subject: string | null): string =>
  cleanTitle(subject?.replaceAll(/[/\\]/g, ' ').slice(0, 60).toWellFormed()) ?? 'Mail';

interface PlacedMessage {
  message: Uint8Array;
  /** Start of the paths of its attachments. '' in a file of one message. */
  prefix: string;
  /** Bytes of the file up to the end of the message. */
  done: number;
}

async function* placedMessages(bytes: Uint8Array): AsyncGenerator<PlacedMessage> {
  const messages = messagesOf(bytes);
  const usedNames = new Map<string, number>();
  let done = 0;
  let next = messages.next();
  while (!next.done) {
    const message = next.value;
    next = messages.next();
    const single = done === 0 && next.done === true;
    done += message.length;
    const folder = single ? '' : uniqueName(folderName(await subjectOf(message)), usedNames);
    yield { message, prefix: single ? '' : `${folder}/`, done };
  }
}

const mailOf = (message: Uint8Array): Promise<Mail> =>
  isCompoundFile(message) ? parseOutlookMail(message) : parseMail(message);

/** The messages of a mail or mailbox, null for unreadable ones. Throws if the only one is damaged. */
export async function* mailsOf(
  bytes: Uint8Array,
): AsyncGenerator<{ mail: Mail | null; prefix: string; done: number }> {
  for await (const { message, prefix, done } of placedMessages(bytes)) {
    const mail = await mailOf(message).catch((error: unknown) => {
      if (prefix === '' || !(error instanceof ExtractionError)) throw error;
      return null;
    });
    yield { prefix, mail, done };
  }
}

/** The attachment with this path, or the one that contains the file with this path. */
export async function findAttachment(
  bytes: Uint8Array,
  path: string,
): Promise<{ path: string; bytes: Uint8Array } | null> {
  for await (const { message, prefix } of placedMessages(bytes)) {
    if (!path.startsWith(prefix)) continue;
    const { attachments } = await mailOf(message);
    for (const { name, bytes: content } of attachments) {
      const attachmentPath = prefix + name;
      if (path === attachmentPath || path.startsWith(`${attachmentPath}/`))
        return { path: attachmentPath, bytes: content };
    }
  }
  return null;
}
