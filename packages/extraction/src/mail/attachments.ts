import { ExtractionError } from '../errors.ts';
import { folderName, messagesOf } from './mailbox.ts';
import { parseMail, subjectOf, uniqueName, type Mail } from './message.ts';

interface PlacedMessage {
  message: Uint8Array;
  /** Start of the paths of its attachments. '' in a file of one message. */
  prefix: string;
  /** Bytes of the file up to the end of the message. */
  done: number;
}

async function* placedMessages(bytes: Uint8Array): AsyncGenerator<PlacedMessage> {
  const messages = messagesOf(bytes);
  const taken = new Map<string, number>();
  let done = 0;
  let next = messages.next();
  while (!next.done) {
    const message = next.value;
    next = messages.next();
    const single = done === 0 && next.done === true;
    done += message.length;
    const folder = single ? '' : uniqueName(folderName(await subjectOf(message)), taken);
    yield { message, prefix: single ? '' : `${folder}/`, done };
  }
}

/** The messages of a mail or mailbox, null for unreadable ones. Throws if the only one is damaged. */
export async function* mailsOf(
  bytes: Uint8Array,
): AsyncGenerator<{ mail: Mail | null; prefix: string; done: number }> {
  for await (const { message, prefix, done } of placedMessages(bytes)) {
    const mail = await parseMail(message).catch((error: unknown) => {
      if (prefix === '' || !(error instanceof ExtractionError)) throw error;
      return null;
    });
    yield { prefix, mail, done };
  }
}

/** The attachment with this path, or the one that holds the file with this path. */
export async function attachmentOnTheWay(
  bytes: Uint8Array,
  path: string,
): Promise<{ path: string; bytes: Uint8Array } | null> {
  for await (const { message, prefix } of placedMessages(bytes)) {
    if (!path.startsWith(prefix)) continue;
    const { attachments } = await parseMail(message);
    for (const { name, bytes: content } of attachments) {
      const own = prefix + name;
      if (path === own || path.startsWith(`${own}/`)) return { path: own, bytes: content };
    }
  }
  return null;
}
