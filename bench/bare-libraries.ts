import { createRequire } from 'node:module';
import path from 'node:path';
import * as xlsx from '@e965/xlsx';
import { parse } from 'csv-parse/sync';
import { unzipSync } from 'fflate';
import { parseHTML } from 'linkedom';
import mammoth from 'mammoth';
import { createWorker, type Worker } from 'tesseract.js';
import { extractText, getDocumentProxy } from 'unpdf';

type Read = (bytes: Uint8Array) => unknown;

const decode = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);
let recognizer: Worker | null = null;

async function recognize(bytes: Uint8Array): Promise<string> {
  if (recognizer === null) {
    const data = createRequire(path.resolve('packages/extraction/package.json'));
    const folder = path.dirname(data.resolve('@tesseract.js-data/eng/package.json'));
    recognizer = await createWorker('eng', 1, {
      langPath: path.join(folder, '4.0.0_best_int'),
      cacheMethod: 'none',
      gzip: true,
    });
  }
  return (await recognizer.recognize(Buffer.from(bytes))).data.text;
}

/** What each library alone makes of a file: its text, without places, chunks or an index. */
export const bareLibraries: Record<string, { name: string; read: Read }> = {
  txt: { name: 'TextDecoder', read: decode },
  csv: {
    name: 'csv-parse',
    read: (bytes) => parse(decode(bytes), { relax_column_count: true }),
  },
  json: { name: 'JSON.parse', read: (bytes) => JSON.parse(decode(bytes)) as unknown },
  html: {
    name: 'linkedom',
    read: (bytes) => parseHTML(decode(bytes)).document.body.textContent,
  },
  docx: {
    name: 'mammoth',
    read: (bytes) => mammoth.extractRawText({ buffer: Buffer.from(bytes) }),
  },
  xlsx: {
    name: 'SheetJS',
    read: (bytes) => {
      const { Sheets } = xlsx.read(bytes);
      return Object.values(Sheets).map((sheet) => xlsx.utils.sheet_to_json(sheet, { header: 1 }));
    },
  },
  pdf: {
    name: 'unpdf',
    read: async (bytes) => extractText(await getDocumentProxy(new Uint8Array(bytes))),
  },
  zip: { name: 'fflate', read: (bytes) => Object.values(unzipSync(bytes)).map(decode) },
  'png (scan)': { name: 'tesseract.js', read: recognize },
};

/** Ends what a library left running. */
export async function closeBareLibraries(): Promise<void> {
  await recognizer?.terminate();
  recognizer = null;
}
