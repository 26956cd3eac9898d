import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  detectType,
  extract,
  type Extraction,
  ExtractionError,
  FILE_TYPES,
  type FileType,
  HEAD_BYTES,
} from '../index.ts';

/** Real files of every type, stored outside the project. */
const root = join(import.meta.dirname, '../../../../../shared/evaldata/files');

interface Row {
  file: string;
  kind?: string;
  upload_as?: string;
  must_contain?: string[];
  must_contain_if_indexed?: string[];
  must_not_contain?: string[];
  order?: string[][];
}

function rows(file: string): Row[] {
  const path = join(root, file);
  if (!existsSync(path)) return [];
  const lines = readFileSync(path, 'utf8').trim().split('\n');
  return lines.map((line) => JSON.parse(line) as Row);
}

const normal = (text: string): string => text.toLowerCase().replace(/\s+/gu, ' ');

async function open(file: string, name: string): Promise<{ bytes: Buffer; type: FileType | null }> {
  const bytes = readFileSync(join(root, file));
  return { bytes, type: await detectType(bytes.subarray(0, HEAD_BYTES), name) };
}

/** The missing or invalid parts of an extraction. */
function flaws(extraction: Extraction, row: Row): string[] {
  const text = normal(extraction.text);
  const expected = [...(row.must_contain ?? []), ...(row.must_contain_if_indexed ?? [])];
  const disordered = (row.order ?? []).filter(
    ([before = '', after = '']) => text.indexOf(normal(before)) > text.indexOf(normal(after)),
  );
  return [
    ...expected.filter((phrase) => !text.includes(normal(phrase))),
    ...(row.must_not_contain ?? []).filter((phrase) => text.includes(normal(phrase))),
    ...disordered.map((pair) => `order of ${pair.join(', ')}`),
  ];
}

/** The result for a file: not accepted, refused with a code, or extracted with these flaws. */
async function outcome(row: Row): Promise<string | string[]> {
  const name = row.upload_as ?? row.file;
  const { bytes, type } = await open(join('hostile', row.file), name);
  if (type === null) return 'not accepted';
  try {
    return [type, ...flaws(await extract({ bytes, fileName: name, type }), row)];
  } catch (error) {
    return error instanceof ExtractionError ? error.code : String(error);
  }
}

describe.runIf(existsSync(root))('the evaluation files', () => {
  const readNow = rows('expected.jsonl').filter(({ file, kind = '' }) => {
    const type = file.split('/')[0] ?? '';
    return Object.hasOwn(FILE_TYPES, type) && ['text', 'noText', 'robust'].includes(kind);
  });

  test.for(rows('expected.jsonl'))('the type of $file is detected', async ({ file }) => {
    const type = file.split('/')[0];
    expect((await open(file, file)).type).toBe(type);
    // Text types are detected by name, and so may be a truncated OLE container.
    if (['csv', 'html', 'ppt'].includes(type ?? '')) return;
    expect((await open(file, 'unnamed.bin')).type).toBe(type);
  });

  test.for(readNow)('$file is extracted', async (row) => {
    const { bytes, type } = await open(row.file, row.file);
    if (type === null) throw new Error('not recognized');
    expect(flaws(await extract({ bytes, fileName: row.file, type }), row)).toEqual([]);
  });

  /** The expected results for hostile files. Other files are extracted by the type of their name. */
  const outcomes: Record<string, string | string[]> = {
    'enc_pdf_pw_1234.pdf': 'password_needed',
    'enc_testWORD_protected_passtika.docx': 'password_needed',
    'trunc.docx': 'damaged',
    'trunc.mp4': 'damaged',
    'jpg_trunc.jpg': ['jpeg'],
    'png_30000x30000.png': 'too_large',
    'gif_65535.gif': 'too_large',
    'deep_100k.json': 'damaged',
    'enc_testPPT_protected_passtika.ppt': 'encrypted',
    'bomb_flat_256mb.zip': 'too_large',
    'bomb_overlap.zip': 'too_large',
    'moby_implode.zip': 'unsupported',
    'elf_named.jpg': 'not accepted',
    'binary_noise.txt': 'not accepted',
    'pdf_named.txt': ['pdf'],
    'text_named.mp3': ['txt'],
  };

  test.for(rows('hostile/manifest.jsonl'))('hostile $file is handled safely', async (row) => {
    const [base = '', extension = ''] = row.file.split('.');
    const expected = outcomes[row.file] ?? (base === 'empty' ? 'empty' : [extension]);
    expect(await outcome(row)).toEqual(expected);
  });
});

test.skipIf(existsSync(root))(
  'the evaluation files are missing: ../shared/evaldata was not checked',
  () => {
    expect(existsSync(root)).toBe(false);
  },
);
