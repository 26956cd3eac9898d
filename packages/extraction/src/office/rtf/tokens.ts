export type RtfToken =
  | { kind: 'open' }
  | { kind: 'close' }
  /** A control word with its number, or a control symbol, whose name is its character. */
  | { kind: 'word'; name: string; value: number | null }
  /** Plain text from one byte up to another, without line ends, which mean nothing in RTF. */
  | { kind: 'text'; start: number; end: number }
  /** A byte of text that is written as two hexadecimal digits. */
  | { kind: 'hex'; byte: number };

/** Bounded, so that a long text does not overflow the stack of the pattern. */
const TOKEN =
  /([{}])|\\'([\da-f]{2})?|\\([a-z]{1,40})(-?\d{1,10})?( ?)|\\(\r\n|[^])|[^\\{}\r\n\0]{1,4096}|[^]/giy;

export function* rtfTokens(bytes: Uint8Array): Generator<RtfToken> {
  const source = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
  let at = 0;
  while (at < source.length) {
    TOKEN.lastIndex = at;
    const match = TOKEN.exec(source);
    if (match === null) return;
    const [all, brace, hex, word, number, , symbol] = match;
    const start = at;
    at += all.length;
    if (brace !== undefined) yield brace === '{' ? { kind: 'open' } : { kind: 'close' };
    else if (hex !== undefined) yield { kind: 'hex', byte: Number.parseInt(hex, 16) };
    else if (word !== undefined) {
      const value = number === undefined ? null : Number(number);
      // A picture in bytes, any of which may look like a brace.
      if (word === 'bin') at += Math.max(0, value ?? 0);
      else yield { kind: 'word', name: word, value };
    } else if (symbol !== undefined) {
      const name = /^[\r\n]/.test(symbol) ? 'par' : symbol;
      yield { kind: 'word', name, value: null };
    } else if (!/^[\\\r\n\0]/.test(all)) yield { kind: 'text', start, end: at };
  }
}
