import { cleanTitle } from '../text-builder.ts';

/** The separator line before each message of a mailbox (RFC 4155, appendix A). */
const SEPARATOR = /^From \S.{0,200}\d\d:\d\d/;
const FIELD = /^[!-9;-~]{1,80}:/;
const FROM = Buffer.from('From ');
const NEXT = Buffer.from('\nFrom ');
const LINE_BYTES = 300;

const isMailbox = (bytes: Buffer): boolean => bytes.subarray(0, FROM.length).equals(FROM);

const lineAt = (bytes: Buffer, at: number): string =>
  bytes.toString('latin1', at, at + LINE_BYTES).split(/\r?\n/, 1)[0] ?? '';

const nextLine = (bytes: Buffer, at: number): number => {
  const end = bytes.indexOf(0x0a, at);
  return end === -1 ? bytes.length : end + 1;
};

/** Whether a message begins at the line at `at`. Sentences begin with 'From' too. */
const beginsMessage = (bytes: Buffer, at: number): boolean =>
  SEPARATOR.test(lineAt(bytes, at)) && FIELD.test(lineAt(bytes, nextLine(bytes, at)));

/** The messages of a mailbox without separator lines, in linear time. Other files are one message. */
export function* messagesOf(file: Uint8Array): Generator<Uint8Array> {
  const bytes = Buffer.from(file.buffer, file.byteOffset, file.byteLength);
  if (!isMailbox(bytes)) {
    yield file;
    return;
  }
  let start = nextLine(bytes, 0);
  for (let at = start - 1; ;) {
    at = bytes.indexOf(NEXT, at);
    if (at === -1) break;
    if (beginsMessage(bytes, at + 1)) {
      yield unquoted(bytes.subarray(start, at));
      start = nextLine(bytes, at + 1);
      at = start - 1;
    } else at += 1;
  }
  yield unquoted(bytes.subarray(start));
}

/** A mailbox quotes lines that begin with 'From ' as '>From '. */
function unquoted(message: Buffer): Uint8Array {
  if (!message.includes('\n>From ') && !message.includes('\n>>From ')) return message;
  return Buffer.from(message.toString('latin1').replaceAll(/\n>(?=>{0,9}From )/g, '\n'), 'latin1');
}

export const folderName = (subject: string | null): string =>
  cleanTitle(subject?.replaceAll(/[/\\]/g, ' ').slice(0, 60).toWellFormed()) ?? 'Mail';
