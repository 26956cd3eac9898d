import { ExtractionError } from '../errors.ts';
import { MAX_JSON_DEPTH } from '../limits.ts';

/** One step of a path: a key, or the place in a list, counted from 1. */
export type JsonStep = string | number;

const SPACE = /[\s\ufeff,]*/uy;
const SCALAR = /-?[\w.+-]+/y;

/**
 * Reads JSON or JSON Lines without recursion. Reports strings, numbers as written and booleans with
 * their paths, whose first step counts the outermost values, until `onValue` returns false. Returns
 * false for invalid JSON. Throws {@link ExtractionError} when nested too deeply.
 */
export function readJson(
  text: string,
  onValue: (path: readonly JsonStep[], value: string) => boolean,
): boolean {
  const path: JsonStep[] = [0];
  const closers: string[] = [];
  let at = 0;
  const take = (pattern: RegExp): string | null => {
    pattern.lastIndex = at;
    const found = pattern.exec(text)?.[0] ?? null;
    if (found !== null) at += found.length;
    return found;
  };

  const takeString = (): string | null => {
    const end = text[at] === '"' ? closingQuote(text, at + 1) : -1;
    if (end === -1) return null;
    const source = text.slice(at + 1, end);
    at = end + 1;
    return unescape(source);
  };

  for (;;) {
    take(SPACE);
    const char = text[at];
    if (char === undefined) return closers.length === 0 && path[0] !== 0;
    if (char === '}' || char === ']') {
      if (closers.pop() !== char) return false;
      path.pop();
      at += 1;
      continue;
    }
    const closer = closers.at(-1);
    if (closer === '}') {
      const key = takeString();
      if (key === null) return false;
      take(SPACE);
      if (text[at] !== ':') return false;
      at += 1;
      take(SPACE);
      path[path.length - 1] = key;
    } else path[path.length - 1] = Number(path.at(-1)) + 1;
    const opening = text[at];
    if (opening === '{' || opening === '[') {
      if (closers.length >= MAX_JSON_DEPTH) {
        throw new ExtractionError('damaged', 'This JSON is nested too deeply to be read.');
      }
      closers.push(opening === '{' ? '}' : ']');
      path.push(opening === '{' ? '' : 0);
      at += 1;
      continue;
    }
    const quoted = opening === '"';
    const value = quoted ? takeString() : take(SCALAR);
    if (value === null || (!quoted && !isScalar(value))) return false;
    if ((quoted || value !== 'null') && !onValue(path, value)) return true;
  }
}

function isScalar(text: string): boolean {
  return /^(?:true|false|null|NaN|-?Infinity|-?\d+(?:\.\d+)?(?:e[+-]?\d+)?)$/i.test(text);
}

/** Where the string ends that begins at `from`: the first quote that no backslash escapes. */
function closingQuote(text: string, from: number): number {
  for (let at = text.indexOf('"', from); at !== -1; at = text.indexOf('"', at + 1)) {
    let slashes = 0;
    while (at - slashes - 1 >= from && text[at - slashes - 1] === '\\') slashes += 1;
    if (slashes % 2 === 0) return at;
  }
  return -1;
}

const ESCAPES: Record<string, string> = { n: '\n', t: '\t', r: '\r', b: '', f: '\n' };

function unescape(source: string): string {
  if (!source.includes('\\')) return source;
  return source.replace(
    /\\(?:u([0-9a-f]{4})|([^]))/gi,
    (whole, hex: string | undefined, char: string | undefined) => {
      if (hex !== undefined) return String.fromCharCode(Number.parseInt(hex, 16));
      return char === undefined ? whole : (ESCAPES[char] ?? char);
    },
  );
}
