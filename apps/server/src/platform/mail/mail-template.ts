import type { MailMessage } from './mailer.ts';

export type MailPart =
  | { text: string }
  /** A code in large type. */
  | { code: string }
  | { button: { label: string; url: string } }
  /** Labels with values. */
  | { rows: readonly (readonly [label: string, value: string])[] };

interface Mail {
  to: string;
  subject: string;
  parts: readonly MailPart[];
}

const SUBJECT_LIMIT = 150;

// Line breaks end a header or paragraph, and direction marks make text misleading.
const UNPRINTABLE = /[\p{Cc}\p{Zl}\p{Zp}\u{202a}-\u{202e}\u{2066}-\u{2069}\s]+/gu;

const ENTITIES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

const DARK = `@media (prefers-color-scheme: dark) {
.page { background: #141416 !important }
.card { background: #1d1d21 !important; border-color: #34343b !important }
.words, .value { color: #ececf1 !important }
.note, .label { color: #a5a5b3 !important }
.brand { color: #a5a0ff !important }
.code { background: #2a2850 !important; color: #dedcff !important }
.row { border-color: #34343b !important }
}`;

const FONT = "Inter,-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif";
const MONO = 'ui-monospace,SFMono-Regular,Menlo,Consolas,monospace';

const oneLine = (text: string): string => text.toWellFormed().replaceAll(UNPRINTABLE, ' ').trim();

const escape = (text: string): string =>
  oneLine(text).replaceAll(/[&<>"']/gu, (character) => ENTITIES[character] ?? '');

function subjectOf(text: string): string {
  const characters = [...oneLine(text)];
  return characters.length <= SUBJECT_LIMIT
    ? characters.join('')
    : `${characters.slice(0, SUBJECT_LIMIT - 1).join('')}…`;
}

/** @throws TypeError unless the address is http or https */
function addressOf(url: string): string {
  const { protocol, href } = new URL(url);
  if (protocol !== 'https:' && protocol !== 'http:') {
    throw new TypeError('The address of a button must be http or https.');
  }
  return href;
}

function asText(part: MailPart): string {
  if ('text' in part) return oneLine(part.text);
  if ('code' in part) return oneLine(part.code);
  if ('button' in part) return `${oneLine(part.button.label)}: ${addressOf(part.button.url)}`;
  return part.rows.map(([label, value]) => `${oneLine(label)}: ${oneLine(value)}`).join('\n');
}

const cell = (content: string): string =>
  `<tr><td style="padding:16px 32px 0">${content}</td></tr>`;

/** @param isNote whether it is a footnote */
function asHtml(part: MailPart, isNote: boolean): string {
  if ('text' in part) {
    const [name, style] = isNote
      ? ['note', 'font-size:14px;line-height:1.6;color:#5c5c68']
      : ['words', 'font-size:17px;line-height:1.5;color:#1c1c22'];
    return cell(`<p class="${name}" style="margin:0;${style}">${escape(part.text)}</p>`);
  }
  if ('code' in part) {
    return cell(
      `<div class="code" style="padding:16px;border-radius:10px;background:#f1f0fe;color:#2e2a85;font-family:${MONO};font-size:34px;font-weight:700;letter-spacing:8px;text-align:center">${escape(part.code)}</div>`,
    );
  }
  if ('button' in part) {
    const { label, url } = part.button;
    return cell(
      `<a href="${escape(addressOf(url))}" style="display:inline-block;padding:12px 24px;border-radius:10px;background:#4c46c9;color:#ffffff;font-size:16px;font-weight:600;line-height:1.5;text-decoration:none">${escape(label)}</a>`,
    );
  }
  const rows = part.rows.map(
    ([label, value]) =>
      `<tr><th scope="row" width="40%" class="row label" style="padding:8px 16px 8px 0;border-top:1px solid #e3e3e8;color:#5c5c68;font-weight:400;text-align:left;vertical-align:top">${escape(label)}</th><td class="row value" style="padding:8px 0;border-top:1px solid #e3e3e8;color:#1c1c22;text-align:right;vertical-align:top">${escape(value)}</td></tr>`,
  );
  return cell(
    `<table width="100%" cellpadding="0" cellspacing="0" style="border-collapse:collapse;font-size:15px;line-height:1.5">${rows.join('\n')}</table>`,
  );
}

/** A mail in HTML and plain text. @throws TypeError if a button's address is not http or https */
export function renderMail({ to, subject, parts }: Mail): MailMessage {
  const title = subjectOf(subject);
  const last = parts.findLastIndex((part) => !('text' in part));
  const body = parts.map((part, index) => asHtml(part, last >= 0 && index > last));
  return {
    to,
    subject: title,
    text: `${parts.map((part) => asText(part)).join('\n\n')}\n`,
    html: `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${escape(title)}</title>
<style>
${DARK}
</style>
</head>
<body class="page" style="margin:0;padding:32px 16px;background:#f4f4f6;font-family:${FONT};overflow-wrap:anywhere">
<table role="presentation" class="card" align="center" width="100%" cellpadding="0" cellspacing="0" style="max-width:440px;margin:0 auto;background:#ffffff;border:1px solid #e3e3e8;border-radius:10px;border-collapse:separate">
<tr><td class="brand" style="padding:32px 32px 0;font-size:16px;font-weight:700;color:#4c46c9">Engram</td></tr>
${body.join('\n')}
<tr><td style="padding:0 32px 32px;font-size:0;line-height:0">&nbsp;</td></tr>
</table>
</body>
</html>
`,
  };
}
