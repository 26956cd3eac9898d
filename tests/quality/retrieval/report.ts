import { hasDataset, loadDataset } from './datasets.ts';
import { buildLibrary } from './library.ts';
import { openMeaning } from './meaning.ts';
import type { EmbedLibrary } from './meaning.ts';
import { rankingRows } from './rankings.ts';
import type { Row } from './rankings.ts';
import { denseVariants, lexicalVariants } from './variants.ts';

const SETS = ['squad', 'cranfield', 'chunking_eval', 'financebench', 'essays_needle'];

function print(title: string, rows: readonly Row[]): void {
  console.log(`\n${title}`);
  console.table(rows);
}

/** Prints the figures of one set for each variant. */
async function reportOn(name: string, embed: EmbedLibrary | null): Promise<void> {
  const dataset = loadDataset(name);
  const library = buildLibrary(dataset.documents);
  const dense = embed === null ? [] : denseVariants(library, await embed(library, dataset.queries));
  const variants = [...lexicalVariants(dataset, library), ...dense];
  const { length } = dataset.queries;
  print(`${name}: ${length} questions, ${library.size} chunks`, rankingRows(dataset, variants));
}

async function report(): Promise<void> {
  const present = SETS.filter(hasDataset);
  if (present.length === 0) {
    console.log('The evaluation data (../shared/evaldata) is not here: nothing was measured.');
    return;
  }
  console.log('Means over questions with 95% bootstrap intervals; differences are paired.');
  const embed = await openMeaning(process.env['ENGRAM_EMBEDDINGS']);
  if (embed === null) {
    console.log(
      'Without ENGRAM_EMBEDDINGS=local:FOLDER there is no model for the rows dense, fused by rank and ranked with meaning.',
    );
  }
  for (const name of present) await reportOn(name, embed);
}

await report();
