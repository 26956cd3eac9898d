import { loadEncoder } from '../apps/server/src/platform/ai/encoders/inference.ts';
import { percentile, round } from './figures.ts';
import { createLibraryText } from './library-text.ts';

const TEXTS = 24;
const ROUNDS = 5;

interface Row {
  model: string;
  threads: string;
  passagesPerSecond: number;
  /** Beside one thread of the first folder. */
  ratio: number;
}

/** Embeds the same passages with one thread and with the default, by the models of some folders in turn. */
export async function run(folders: readonly string[]): Promise<{ title: string; rows: Row[] }> {
  if (folders.length === 0) throw new Error('Name model folders: --folder=FOLDER,FOLDER');
  const library = createLibraryText(TEXTS);
  const texts = Array.from({ length: TEXTS }, () => library.file(1));
  const variants = await Promise.all(
    folders.flatMap((folder) =>
      [1, undefined].map(async (threads) => ({
        model: folder,
        threads: threads === undefined ? 'default' : '1',
        inference: await loadEncoder(folder, 'embed', threads),
        rates: [] as number[],
      })),
    ),
  );
  for (let number = 0; number < ROUNDS; number += 1) {
    for (const { inference, rates } of variants) {
      const begin = performance.now();
      for (const text of texts) await inference.run({ text, kind: 'passage' });
      rates.push((TEXTS * 1000) / (performance.now() - begin));
    }
  }
  const medians = variants.map(({ rates }) => percentile(rates, 0.5));
  const rows = variants.map(({ model, threads }, at) => ({
    model,
    threads,
    passagesPerSecond: round(medians[at] ?? 0),
    ratio: round((medians[at] ?? 0) / (medians[0] ?? 1)),
  }));
  return { title: `Passages embedded in a second, medians of ${ROUNDS} rounds`, rows };
}
