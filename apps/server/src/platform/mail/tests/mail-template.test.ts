import * as fc from 'fast-check';
import sanitizeHtml from 'sanitize-html';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type MailServer, startMailServer } from '../../../tests/mail-server.test-setup.ts';
import { type ReadMail, readMail } from '../../../tests/read-mail.test-setup.ts';
import { renderMail, type MailPart } from '../mail-template.ts';
import { createMailer, type Mailer } from '../mailer.ts';

const TO = 'ada@example.org';
let server: MailServer;
let mailer: Mailer;

beforeAll(async () => {
  server = await startMailServer();
  const log = { warn: () => undefined };
  mailer = createMailer({ smtpUrl: server.url, from: 'Engram <engram@example.org>', log });
});
afterAll(async () => {
  mailer.close();
  await server.close();
});

/** The mail as its recipient gets it from the mail server. */
async function received(parts: readonly MailPart[], subject = 'A letter'): Promise<ReadMail> {
  await mailer.send(renderMail({ to: TO, subject, parts }));
  return readMail((await server.next(TO)).text);
}

const words = (text: string): string[] => text.split(/\s+/u).filter(Boolean);

/** The text of the HTML below the logo, parsed as HTML. The address of a link follows its label. */
function wordsOfHtml(html: string): string[] {
  const card = html
    .replace(/<td class="brand".*?<\/td>/u, '')
    .replaceAll(/<a href="([^"]*)"[^>]*>([^<]*)<\/a>/gu, '$2: $1')
    .replaceAll('</th>', ':</th> ');
  const nonTextTags = ['style', 'title', 'script'];
  const text = sanitizeHtml(card, { allowedTags: [], nonTextTags });
  const characters: Record<string, string> = { lt: '<', gt: '>', quot: '"', amp: '&' };
  return words(text.replaceAll(/&(\w+);/gu, (entity, name: string) => characters[name] ?? entity));
}

test('the text and the HTML have the same content', async () => {
  const { headers, text, html } = await received(
    [
      { text: 'Thank you, Ada.' },
      { code: '123456' },
      { button: { label: 'Open Engram', url: 'https://engram.example.org/profile?a=1&b=2' } },
      {
        rows: [
          ['Plan', 'Engram - Pro - monthly'],
          ['Amount', '$5.00'],
        ],
      },
      { text: 'Grüße aus Zürich, 東京 and beyond.' },
    ],
    'Your receipt – 東京',
  );
  expect(headers.get('subject')).toBe('Your receipt – 東京');
  expect(text.replaceAll('\r\n', '\n').trim()).toBe(
    [
      'Thank you, Ada.',
      '123456',
      'Open Engram: https://engram.example.org/profile?a=1&b=2',
      'Plan: Engram - Pro - monthly\nAmount: $5.00',
      'Grüße aus Zürich, 東京 and beyond.',
    ].join('\n\n'),
  );
  expect(wordsOfHtml(html)).toEqual(words(text));
  expect(html).toContain('<html lang="en">');
  expect(html).toContain('href="https://engram.example.org/profile?a=1&amp;b=2"');
  expect(html).toContain('<th scope="row"');
  expect(html).toContain('prefers-color-scheme: dark');
  expect(html).toContain('max-width:440px');
  expect(html).not.toMatch(/<(?:img|script|link)\b/u);
});

test('hostile input is shown as plain text, and never as markup', async () => {
  const hostile = `<img src=x onerror=alert(1)></td></table>"'&amp;<!--`;
  const { text, html } = await received([
    { text: hostile },
    { code: hostile },
    { rows: [[hostile, hostile]] },
    { button: { label: hostile, url: `https://example.org/"><script>` } },
  ]);
  expect(text.split(hostile)).toHaveLength(6);
  expect(html).not.toMatch(/<(?:img|script)|<!--/u);
  expect(html.match(/<\/table>/gu)).toHaveLength(2);
  expect(html).toContain('&lt;img src=x onerror=alert(1)&gt;');
  expect(html).toContain('&quot;&#39;&amp;amp;&lt;!--');
});

test('no subject and no part can end a header or a paragraph', async () => {
  const { headers, text } = await received(
    [{ text: 'One\r\n\r\nYour code is 111111\u2028\u0000\u202Etxt' }],
    'Hello\r\nBcc: eve@example.org\r\n\r\n<h1>Forged</h1>',
  );
  expect(headers.get('subject')).toBe('Hello Bcc: eve@example.org <h1>Forged</h1>');
  expect(headers.has('bcc')).toBe(false);
  expect(text.trim()).toBe('One Your code is 111111 txt');
  const long = renderMail({ to: TO, subject: '😀'.repeat(1000), parts: [] });
  expect([...long.subject]).toHaveLength(150);
});

test('links lead only to web addresses', () => {
  for (const url of ['javascript:alert(1)', 'data:text/html,x', 'file:///etc/passwd', 'profile']) {
    const parts = [{ button: { label: 'Open', url } }];
    expect(() => renderMail({ to: TO, subject: 'A letter', parts })).toThrow(TypeError);
  }
});

test('text and HTML have the same content for any input', () => {
  const anything = fc.string({ unit: 'binary', minLength: 1 });
  fc.assert(
    fc.property(anything, anything, anything, (subject, text, value) => {
      const mail = renderMail({ to: TO, subject, parts: [{ text }, { rows: [[text, value]] }] });
      expect(mail.subject).not.toMatch(/[\r\n]/u);
      expect(mail.text.trimEnd().split('\n').length).toBeLessThanOrEqual(3);
      expect(wordsOfHtml(mail.html).join('')).toBe(words(mail.text).join(''));
    }),
  );
});
