/** A mail as a mail program decodes it. */
export interface ReadMail {
  headers: Map<string, string>;
  text: string;
  html: string;
}

/** Header lines by lower-case name, unfolded. */
function readHeaders(block: string): Map<string, string> {
  const lines = block.replaceAll(/\r\n[ \t]+/gu, ' ').split('\r\n');
  return new Map(
    lines.map((line) => {
      const colon = line.indexOf(':');
      return [line.slice(0, colon).toLowerCase(), readWords(line.slice(colon + 1).trim())];
    }),
  );
}

/** Decodes the encoded words of a header (RFC 2047). */
const readWords = (value: string): string =>
  value
    .replaceAll(/\?=\s+=\?/gu, '?==?')
    .replaceAll(/=\?utf-8\?([bq])\?(.*?)\?=/giu, (_, encoding: string, word: string) =>
      encoding.toLowerCase() === 'b'
        ? Buffer.from(word, 'base64').toString()
        : unquote(word.replaceAll('_', ' ')),
    );

/** Decodes quoted-printable text (RFC 2045). */
const unquote = (text: string): string =>
  Buffer.from(
    text
      .replaceAll(/=\r?\n/gu, '')
      .replaceAll(/=([0-9A-F]{2})/giu, (_, hex: string) =>
        String.fromCharCode(Number.parseInt(hex, 16)),
      ),
    'latin1',
  ).toString();

function readBody(body: string, encoding: string | undefined): string {
  if (encoding === 'base64') return Buffer.from(body, 'base64').toString();
  return encoding === 'quoted-printable' ? unquote(body) : body;
}

const halves = (message: string): [head: string, body: string] => {
  const at = message.indexOf('\r\n\r\n');
  return [message.slice(0, at), message.slice(at + 4)];
};

/** Parses a mail with a text and an HTML alternative, as received. */
export function readMail(raw: string): ReadMail {
  const [head, body] = halves(raw);
  const headers = readHeaders(head);
  const boundary = /boundary="([^"]+)"/u.exec(headers.get('content-type') ?? '')?.[1] ?? '';
  const parts = new Map<string, string>();
  for (const piece of body.split(`--${boundary}`).slice(1, -1)) {
    const [partHead, content] = halves(piece.replace(/^\r\n/u, ''));
    const partHeaders = readHeaders(partHead);
    const type = partHeaders.get('content-type')?.split(';')[0] ?? '';
    parts.set(type, readBody(content, partHeaders.get('content-transfer-encoding')));
  }
  return { headers, text: parts.get('text/plain') ?? '', html: parts.get('text/html') ?? '' };
}
