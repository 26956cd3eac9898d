import { type InfoRecord, parse } from 'csv-parse/sync';
import { decodeText } from './charset.ts';
import type { FormatInput } from '../format.ts';
import { createTableWriter } from './tables.ts';
import { cleanText, truncationNote } from '../text-builder.ts';
import type { Extraction } from '../types.ts';
import { readPlainText } from './txt.ts';

const DELIMITERS = [',', ';', '\t', '|'];

/** Delimited text. Each row is a segment, numbered as in a spreadsheet. */
export function read(input: FormatInput): Extraction {
  const { bytes, fileName, limits, builder } = input;
  let text = decodeText(bytes, 'This file is not text: it could not be read as a table.');
  if (text.length > limits.maxLength) {
    text = text.slice(0, text.lastIndexOf('\n', limits.maxLength) + 1);
    builder.note(truncationNote(limits, 'length'));
  }
  const hint = /^sep=(.)\n/.exec(text);
  const delimiter = hint?.[1] ?? detectDelimiter(text);
  const sheet = baseName(fileName);
  let row = 0;
  let done = 0;
  const writer = createTableWriter(builder, (number) => ({ sheet, row: number }), 1);
  const options = {
    delimiter,
    quote: '"',
    relax_quotes: true,
    relax_column_count: true,
    skip_empty_lines: false,
    from_line: hint === null ? 1 : 2,
    on_record: (cells: string[], { bytes: read }: InfoRecord): null => {
      row += 1;
      done = read;
      if (!builder.full) writer.row({ row, cells });
      return null;
    },
  };
  try {
    parse(text, options);
  } catch {
    if (row === 0) return readPlainText(input);
    // An unclosed quotation mark would turn the rest into one cell.
    parse(Buffer.from(text).subarray(done), { ...options, from_line: 1, quote: null });
    builder.note(
      'A quotation mark in this table is not closed: from there on, quotation marks were read as text.',
    );
  }
  writer.end();
  return builder.finish({ parts: 1 });
}

/** The delimiter with the most regular count in the first lines, ignoring quoted parts. */
function detectDelimiter(text: string): string {
  const lines = text
    .slice(0, 20_000)
    .replace(/"(?:[^"]|"")*"/g, '')
    .split('\n')
    .filter((line) => line.trim() !== '')
    .slice(0, 30);
  let best = ',';
  let bestScore = 0;
  for (const delimiter of DELIMITERS) {
    const counts = lines.map((line) => {
      const source = delimiter === ',' ? withoutDecimalCommas(line) : line;
      return source.split(delimiter).length - 1;
    });
    const present = counts.filter((count) => count > 0).length;
    if (present === 0) continue;
    const usual = mostFrequent(counts.filter((count) => count > 0));
    const matching = counts.filter((count) => count === usual).length;
    const score = (matching / lines.length) * (1 + Math.log2(1 + usual));
    if (score > bestScore) [best, bestScore] = [delimiter, score];
  }
  return best;
}

/** Removes decimal commas from the cells of a line. */
function withoutDecimalCommas(line: string): string {
  if (!/[;\t|]/.test(line)) return line;
  return line.replace(/(?<![^;\t|])([^;\t|,]*\d),(?=\d[^;\t|,]*(?:[;\t|]|$))/g, '$1');
}

function mostFrequent(numbers: number[]): number {
  const times = new Map<number, number>();
  for (const number of numbers) times.set(number, (times.get(number) ?? 0) + 1);
  return [...times].sort((a, b) => b[1] - a[1] || b[0] - a[0])[0]?.[0] ?? 0;
}

function baseName(fileName: string): string {
  const name = cleanText(fileName).replace(/^.*[/\\]/s, '');
  return name.replace(/\.[a-z0-9]{1,8}$/i, '') || name || 'Table';
}
