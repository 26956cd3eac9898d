import * as cfb from 'cfb';
import { expect, test } from 'vitest';
import { extract, memberOf } from '../../index.ts';

interface OutlookMessage {
  subject: string;
  body: string;
  /** Names and texts of attached files. */
  files?: Record<string, string>;
  messages?: OutlookMessage[];
}

const HEADS = { root: 32, attached: 24, attachment: 8 };

/** Writes a message of Outlook ([MS-OXMSG]) with the streams that most programs write. */
function outlookFile(message: OutlookMessage): Uint8Array {
  const container = cfb.utils.cfb_new();
  const add = (path: string, bytes: Buffer) => cfb.utils.cfb_add(container, path, bytes);
  const text = (path: string, property: string, value: string) =>
    add(`${path}/__substg1.0_${property}001F`, Buffer.from(value, 'utf16le'));
  const write = (path: string, { subject, body, files = {}, messages = [] }: OutlookMessage) => {
    const head = path === '' ? HEADS.root : HEADS.attached;
    add(`${path}/__properties_version1.0`, Buffer.alloc(head));
    text(path, '0037', subject);
    text(path, '1000', body);
    text(path, '0C1A', 'Ida Nord');
    text(path, '5D01', 'ida@harbour.example');
    const attachments = [...Object.entries(files), ...messages];
    for (const [index, attached] of attachments.entries()) {
      const storage = `${path}/__attach_version1.0_#${String(index).padStart(8, '0')}`;
      add(`${storage}/__properties_version1.0`, Buffer.alloc(HEADS.attachment));
      if (!Array.isArray(attached)) write(`${storage}/__substg1.0_3701000D`, attached);
      else {
        text(storage, '3707', attached[0]);
        add(`${storage}/__substg1.0_37010102`, Buffer.from(attached[1]));
      }
    }
  };
  write('', message);
  return new Uint8Array(cfb.write(container, { type: 'buffer' }) as Buffer);
}

const nested = (depth: number): OutlookMessage => ({
  subject: `Level ${depth}`,
  body: `This is level ${depth}.`,
  messages: depth === 0 ? [] : [nested(depth - 1)],
});

test('a message attached to an Outlook message is read with its own files', async () => {
  const bytes = outlookFile({
    subject: 'Forwarded',
    body: 'See the message below.',
    messages: [
      {
        subject: 'Berths: north/south',
        body: 'The ferry takes berth 4 until Friday.\n\nGrüße, Ida',
        files: { 'note.txt': 'The crane is out of order.' },
        messages: [{ subject: 'Weather', body: 'A storm comes on Sunday.' }],
      },
    ],
  });
  const { text, notes, segments } = await extract({ bytes, fileName: 'a.msg', type: 'msg' });
  const paths = segments.flatMap(({ location }) => ('path' in location ? [location.path] : []));
  expect([...new Set(paths)]).toEqual([
    'Berths: north south.eml',
    'Berths: north south.eml/note.txt',
    'Berths: north south.eml/Weather.eml',
  ]);
  for (const part of [
    'From: Ida Nord <ida@harbour.example>',
    'The ferry takes berth 4 until Friday.',
    'Grüße, Ida',
    'The crane is out of order.',
    'A storm comes on Sunday.',
  ]) {
    expect(text).toContain(part);
  }
  expect(text).not.toContain('Date:');
  expect(notes).toEqual([]);
  const note = await memberOf(bytes, 'Berths: north south.eml/note.txt');
  expect(Buffer.from(note.bytes).toString()).toBe('The crane is out of order.');
});

test('messages that are nested too deeply are left out with a note', async () => {
  const bytes = outlookFile(nested(14));
  const { text, notes } = await extract({ bytes, fileName: 'a.msg', type: 'msg' });
  expect(text).toContain('This is level 14.');
  expect(text).not.toContain('This is level 0.');
  expect(notes).toContain('A message that is attached to this mail was left out.');
});
