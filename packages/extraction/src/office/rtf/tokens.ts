/** What {@link readTokens} finds in an RTF file, in its order. */
export interface RtfVisitor {
  open(): void;
  close(): void;
  /** A control word with its number, or a control symbol, whose name is its character. */
  word(name: string, value: number | null): void;
  /** Plain text from one byte up to another, without line ends, which mean nothing in RTF. */
  bytes(start: number, end: number): void;
  /** A byte of text that is written as two hexadecimal digits. */
  hex(byte: number): void;
  readonly done: boolean;
}

const OPEN = 0x7b;
const CLOSE = 0x7d;
const BACKSLASH = 0x5c;
const LF = 0x0a;
const CR = 0x0d;
const SPACE = 0x20;
const MINUS = 0x2d;
/** Control words are shorter; more letters are text behind a stray backslash. */
const MAX_WORD = 40;

const isLetter = (byte: number): boolean =>
  (byte >= 0x61 && byte <= 0x7a) || (byte >= 0x41 && byte <= 0x5a);
const isDigit = (byte: number): boolean => byte >= 0x30 && byte <= 0x39;

/** Reads an RTF file from its begin to its end, each byte once, and shows `visitor` what is there. */
export function readTokens(bytes: Uint8Array, visitor: RtfVisitor): void {
  let at = 0;
  while (at < bytes.length && !visitor.done) {
    const byte = bytes[at];
    if (byte === OPEN || byte === CLOSE) {
      if (byte === OPEN) visitor.open();
      else visitor.close();
      at += 1;
    } else if (byte === BACKSLASH) at = readControl(bytes, at + 1, visitor);
    else if (byte === LF || byte === CR || byte === 0) at += 1;
    else {
      const start = at;
      while (at < bytes.length && isPlain(bytes[at] ?? 0)) at += 1;
      visitor.bytes(start, at);
    }
  }
}

function isPlain(byte: number): boolean {
  return (
    byte !== OPEN &&
    byte !== CLOSE &&
    byte !== BACKSLASH &&
    byte !== LF &&
    byte !== CR &&
    byte !== 0
  );
}

/** Reads what follows a backslash, and answers where it ends. */
function readControl(bytes: Uint8Array, start: number, visitor: RtfVisitor): number {
  const first = bytes[start] ?? 0;
  if (first === 0x27) {
    const digits = String.fromCharCode(bytes[start + 1] ?? 0, bytes[start + 2] ?? 0);
    if (!/^[\da-f]{2}$/i.test(digits)) return start + 1;
    visitor.hex(Number.parseInt(digits, 16));
    return start + 3;
  }
  if (!isLetter(first)) {
    if (first === LF || first === CR) visitor.word('par', null);
    else if (start < bytes.length) visitor.word(String.fromCharCode(first), null);
    return start + (first === CR && bytes[start + 1] === LF ? 2 : 1);
  }
  let at = start;
  while (at - start < MAX_WORD && isLetter(bytes[at] ?? 0)) at += 1;
  const name = String.fromCharCode(...bytes.subarray(start, at));
  const digits = bytes[at] === MINUS && isDigit(bytes[at + 1] ?? 0) ? at + 1 : at;
  let end = digits;
  let size = 0;
  for (; end - digits < 10 && isDigit(bytes[end] ?? 0); end += 1) {
    size = size * 10 + (bytes[end] ?? 0) - 0x30;
  }
  const value = end === digits ? null : digits > at ? -size : size;
  if (bytes[end] === SPACE) end += 1;
  // A picture in bytes: any of them may look like a brace.
  if (name === 'bin') return end + Math.max(0, value ?? 0);
  visitor.word(name, value);
  return end;
}
