import {
  buildEverydayLibrary,
  loadFiles,
  loadQuestions,
  readFileInto,
  smallLibrary,
} from './library.ts';
import type { EverydayFile, EverydayLibrary } from './library.ts';
import { measure } from './metrics.ts';
import type { Figures } from './metrics.ts';
import { hasDataset, loadDataset } from '../retrieval/datasets.ts';

const HALVES = ['tuned', 'held-out'] as const;

const row = (library: string, half: string, figures: Figures): Record<string, string> => ({
  library,
  half,
  ...Object.fromEntries(Object.entries(figures).map(([key, value]) => [key, value.toFixed(3)])),
});

/** The everyday files among 250 articles on other subjects. */
async function crowdedLibrary(files: readonly EverydayFile[]): Promise<EverydayLibrary | null> {
  if (!hasDataset('squad')) return null;
  const encoder = new TextEncoder();
  const others = await Promise.all(
    loadDataset('squad')
      .documents.slice(0, 250)
      .map(({ title, text }) => readFileInto(`${title}.txt`, encoder.encode(text))),
  );
  return buildEverydayLibrary([...files, ...others]);
}

async function report(): Promise<void> {
  const files = await loadFiles();
  const library = buildEverydayLibrary(files);
  const crowded = await crowdedLibrary(files);
  const rows = HALVES.flatMap((half) => {
    const questions = loadQuestions(half);
    return [
      row(
        `all ${files.length} files`,
        half,
        measure(questions, () => library),
      ),
      row(
        'three files',
        half,
        measure(questions, (question) => smallLibrary(library, question)),
      ),
      ...(crowded === null
        ? []
        : [
            row(
              `${crowded.files.length} files`,
              half,
              measure(questions, () => crowded),
            ),
          ]),
    ];
  });
  console.table(rows);
}

await report();
