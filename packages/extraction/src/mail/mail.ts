import { detectType, HEAD_BYTES } from '../detect.ts';
import type { FormatInput } from '../format.ts';
import { mailsOf } from './mailbox.ts';
import type { Mail, MailAttachment } from './message.ts';
import { showPicture, writeMarkup } from '../html/markup-blocks.ts';
import { parseHtmlDocument } from '../html/markup.ts';
import { beyondNote, MemberReader } from '../archives/members.ts';
import type { Extraction } from '../types.ts';
import { paragraphs } from '../text/txt.ts';

const MAX_ADDRESSES = 50;

export async function read(input: FormatInput): Promise<Extraction> {
  const { bytes, builder, onProgress } = input;
  const reader = new MemberReader(input);
  let title: string | null = null;
  let count = 0;
  let unread = 0;
  for await (const message of mailsOf(bytes)) {
    if (builder.full) break;
    count += 1;
    if (message.mail === null) unread += 1;
    else await writeMail(message.mail, message.prefix, reader);
    title = count === 1 ? (message.mail?.subject ?? null) : null;
    onProgress(Math.round((message.done / bytes.length) * 100));
  }
  if (unread > 0) {
    builder.note(
      unread === 1
        ? '1 message of this mailbox could not be read.'
        : `${unread} messages of this mailbox could not be read.`,
    );
  }
  reader.writeNotes();
  return builder.finish({ title });
}

async function writeMail(mail: Mail, prefix: string, reader: MemberReader): Promise<void> {
  const { builder } = reader.input;
  builder.clearHeadings();
  const sender = mail.from?.replace(/ <[^<>]*>$/, '');
  builder.heading(1, mail.subject ?? (sender === undefined ? 'Mail' : `Mail from ${sender}`));
  for (const line of headerLines(mail)) builder.block('list', line);
  // The viewer shows the HTML, although the search uses the plain text beside it.
  const page = builder.html === null ? mail.html : mail.page;
  if (page === null) {
    for (const { start, end, kind } of paragraphs(mail.text, 0, mail.text.length)) {
      builder.block(kind, mail.text.slice(start, end));
    }
  } else {
    writeMarkup(parseHtmlDocument(page).root, builder, {
      document: false,
      headingOffset: 1,
      picture(target) {
        const part = mail.attachments.find(({ contentId }) => target === `cid:${contentId}`);
        if (part === undefined) showPicture(target, builder);
        else builder.html?.picture(() => part.bytes, part.name);
      },
    });
  }
  for (const note of mail.notes)
    builder.note(prefix === '' ? note : `${prefix.slice(0, -1)}: ${note}`);
  // Attachments are files of their own.
  if (builder.html !== null) return;
  for (const [index, attachment] of mail.attachments.entries()) {
    if (builder.full) return;
    if (!reader.takeSlot()) {
      builder.note(beyondNote(mail.attachments.length - index));
      return;
    }
    const path = prefix + attachment.name;
    await reader.attempt(path, () => readAttachment(attachment, path, reader));
  }
}

function headerLines({ from, to, cc, date, attachments }: Mail): string[] {
  const line = (label: string, values: readonly string[]): string[] => {
    if (values.length === 0) return [];
    const more = values.length - MAX_ADDRESSES;
    const overflow = more > 0 ? ` and ${more} more` : '';
    return [`${label}: ${values.slice(0, MAX_ADDRESSES).join(', ')}${overflow}`];
  };
  return [
    ...line('From', from === null ? [] : [from]),
    ...line('To', to),
    ...line('Cc', cc),
    ...line('Date', date === null ? [] : [date]),
    ...line(
      'Attachments',
      attachments.map(({ name }) => name),
    ),
  ];
}

async function readAttachment(
  { name, bytes }: MailAttachment,
  path: string,
  reader: MemberReader,
): Promise<void> {
  reader.spend(bytes.length);
  const type = await detectType(bytes.subarray(0, HEAD_BYTES), name);
  if (type === null) reader.others.push(path);
  else await reader.readMember({ bytes, path, fileName: name, type }, { heading: 2 });
}
