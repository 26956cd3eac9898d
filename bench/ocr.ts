import { createRecognizer } from '../packages/extraction/src/index.ts';
import {
  pictures,
  printedPictures,
} from '../packages/extraction/src/tests/printed-pictures.test-setup.ts';
import { similarity } from '../packages/extraction/src/tests/similarity.test-setup.ts';
import { round } from './index-corpus.ts';

/** What counts as read: the share of a line's letters that are right. */
const READ = 0.85;

export interface OcrRow {
  picture: string;
  lines: number;
  read: number;
  ms: number;
  /** Of this process, which holds the engine too. */
  memoryMb: number;
}

/** Pictures of known text and pictures without any: what is read of them, how fast, in what memory. */
export async function run(): Promise<{ title: string; rows: OcrRow[] }> {
  const recognizer = createRecognizer({ languages: ['eng'] });
  const blank = (await pictures()).map((picture) => ({ ...picture, lines: [] as string[] }));
  const rows: OcrRow[] = [];
  try {
    for (const { name, bytes, lines } of [...(await printedPictures()), ...blank]) {
      const started = performance.now();
      const read = await recognizer.recognize(bytes);
      const ms = round(performance.now() - started);
      const text = read.map(({ words }) => words.map((word) => word.text).join(' ')).join(' ');
      rows.push({
        picture: name,
        lines: lines.length,
        read: lines.filter((line) => similarity(text, line) >= READ).length,
        ms,
        memoryMb: Math.round(process.memoryUsage.rss() / 1e6),
      });
    }
  } finally {
    await recognizer.close();
  }
  return { title: 'Recognising text in pictures', rows };
}
