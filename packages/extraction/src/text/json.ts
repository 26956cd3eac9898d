import { decodeText } from './charset.ts';
import { ExtractionError } from '../errors.ts';
import type { FormatInput } from '../format.ts';
import { MAX_JSON_DEPTH } from '../limits.ts';
import { cleanText, type TextBuilder, truncationNote } from '../text-builder.ts';
import type { Extraction } from '../types.ts';
import { readPlainText } from './txt.ts';

/** Longer records are written as several lines. */
const MAX_RECORD_LENGTH = 1500;

/** JSON and JSON Lines: records as rows, other values as 'path: value'. */
export function read(input: FormatInput): Extraction {
  const { bytes, limits, builder } = input;
  let text = decodeText(bytes, 'This file is not text: it could not be read as JSON.');
  const cut = text.length > limits.maxLength;
  if (cut) text = cleanText(text.slice(0, limits.maxLength));
  const writer = createRecordWriter(builder);
  const skipped = isJsonLines(text) ? 0 : 1;
  const complete = readJson(text, (path, value) => {
    writer.value(path.slice(skipped), value);
    return !builder.full;
  });
  if (!complete && !cut) {
    if (text.trim() === '') return builder.finish({});
    const plain = readPlainText(input);
    return {
      ...plain,
      notes: [...plain.notes, 'This file is not valid JSON and was read as plain text.'],
    };
  }
  writer.end();
  if (cut) builder.note(truncationNote(limits, 'length'));
  return builder.finish({});
}

function isJsonLines(text: string): boolean {
  const [first, second] = text.trimStart().slice(0, 1_000_000).split('\n', 2);
  if (first === undefined || second === undefined || !/^[[{]/.test(second)) return false;
  return readJson(first, () => true);
}

function createRecordWriter(builder: TextBuilder) {
  let prefix = '';
  let steps: readonly JsonStep[] | null = null;
  let fields: [path: string, value: string][] = [];

  const flush = (): void => {
    if (fields.length === 0) return;
    const row = fields
      .map(([path, value]) => (path === '' ? value : `${path}: ${value}`))
      .join(' · ');
    if (prefix !== '' && row.length <= MAX_RECORD_LENGTH && !row.includes('\n')) {
      builder.block('table', fields.length > 1 ? row : `${prefix}: ${row}`);
    } else {
      for (const [path, value] of fields) {
        const name = [prefix, path].filter((part) => part !== '').join('.');
        builder.block(
          value.length > 300 ? 'prose' : 'table',
          name === '' ? value : `${name}: ${value}`,
        );
      }
    }
    fields = [];
  };

  return {
    value(path: readonly JsonStep[], value: string): void {
      const record = path.findIndex((step) => typeof step === 'number') + 1;
      const same = steps?.length === record && steps.every((step, index) => step === path[index]);
      if (!same) {
        flush();
        steps = path.slice(0, record);
        prefix = pathText(steps);
      }
      if (value !== '') fields.push([pathText(path.slice(record)), value]);
      if (record === 0) flush();
    },
    end: flush,
  };
}

function pathText(path: readonly JsonStep[]): string {
  let text = '';
  for (const step of path) {
    if (typeof step === 'number') text += `[${step}]`;
    else text += text === '' ? step : `.${step}`;
  }
  return text;
}

type JsonStep = string | number;

const SPACE = /[\s\ufeff,]*/uy;
const SCALAR = /-?[\w.+-]+/y;

/**
 * Reads JSON or JSON Lines without recursion. Reports strings, numbers as written and booleans with
 * their paths, whose first step counts the outermost values, until `onValue` returns false. Returns
 * false for invalid JSON. Throws {@link ExtractionError} when nested too deeply.
 */
function readJson(
  text: string,
  onValue: (path: readonly JsonStep[], value: string) => boolean,
): boolean {
  const path: JsonStep[] = [0];
  const closers: string[] = [];
  let position = 0;
  const take = (pattern: RegExp): string | null => {
    pattern.lastIndex = position;
    const match = pattern.exec(text)?.[0] ?? null;
    if (match !== null) position += match.length;
    return match;
  };

  const takeString = (): string | null => {
    const end = text[position] === '"' ? closingQuote(text, position + 1) : -1;
    if (end === -1) return null;
    const source = text.slice(position + 1, end);
    position = end + 1;
    return unescape(source);
  };

  for (;;) {
    take(SPACE);
    const char = text[position];
    if (char === undefined) return closers.length === 0 && path[0] !== 0;
    if (char === '}' || char === ']') {
      if (closers.pop() !== char) return false;
      path.pop();
      position += 1;
      continue;
    }
    const closer = closers.at(-1);
    if (closer === '}') {
      const key = takeString();
      if (key === null) return false;
      take(SPACE);
      if (text[position] !== ':') return false;
      position += 1;
      take(SPACE);
      path[path.length - 1] = key;
    } else path[path.length - 1] = Number(path.at(-1)) + 1;
    const opening = text[position];
    if (opening === '{' || opening === '[') {
      if (closers.length >= MAX_JSON_DEPTH) {
        throw new ExtractionError('damaged', 'This JSON is nested too deeply to be read.');
      }
      closers.push(opening === '{' ? '}' : ']');
      path.push(opening === '{' ? '' : 0);
      position += 1;
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

/** The end of the string that begins at `from`. */
function closingQuote(text: string, from: number): number {
  for (let i = text.indexOf('"', from); i !== -1; i = text.indexOf('"', i + 1)) {
    let slashes = 0;
    while (i - slashes - 1 >= from && text[i - slashes - 1] === '\\') slashes += 1;
    if (slashes % 2 === 0) return i;
  }
  return -1;
}

const ESCAPES: Record<string, string> = { n: '\n', t: '\t', r: '\r', b: '', f: '\n' };

function unescape(source: string): string {
  if (!source.includes('\\')) return source;
  return source.replace(
    /\\(?:u([0-9a-f]{4})|([^]))/gi,
    (match, hex: string | undefined, char: string | undefined) => {
      if (hex !== undefined) return String.fromCharCode(Number.parseInt(hex, 16));
      return char === undefined ? match : (ESCAPES[char] ?? char);
    },
  );
}
