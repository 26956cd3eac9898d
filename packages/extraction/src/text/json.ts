import { decodeText } from './charset.ts';
import type { FormatInput } from '../format.ts';
import { type JsonStep, readJson } from './json-reader.ts';
import { cleanText, type TextBuilder, truncationNote } from '../text-builder.ts';
import type { Extraction } from '../types.ts';
import { readPlainText } from './txt.ts';

/** A record is written as one row when it is this flat and short. */
const MAX_RECORD_LENGTH = 1500;

/** JSON and JSON Lines: records as rows, all else as lines of 'path: value'. */
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
      const same = steps?.length === record && steps.every((step, at) => step === path[at]);
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
