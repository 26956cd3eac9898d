import {
  buildEverydayLibrary,
  loadFiles,
  loadQuestions,
  readFileInto,
  smallLibrary,
} from './library.ts';
import type { EverydayFile, EverydayLibrary, EverydayQuestion } from './library.ts';
import { judge, measure } from './metrics.ts';
import type { Figures } from './metrics.ts';
import { hasDataset, loadDataset } from '../retrieval/datasets.ts';

const HALVES = ['tuned', 'held-out'] as const;

const row = (library: string, half: string, figures: Figures): Record<string, string> => ({
  library,
  half,
  ...Object.fromEntries(Object.entries(figures).map(([key, value]) => [key, value.toFixed(3)])),
});

/** The everyday files among 250 articles of another kind. */
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
  const all = buildEverydayLibrary(files);
  const crowded = await crowdedLibrary(files);
  const rows = HALVES.flatMap((half) => {
    const questions = loadQuestions(half);
    return [
      row(
        `all ${files.length} files`,
        half,
        measure(questions, () => all),
      ),
      row(
        'three files',
        half,
        measure(questions, (question) => smallLibrary(all, question)),
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
  const [, , only] = process.argv;
  for (const half of HALVES) if (only === half) printFailures(all, loadQuestions(half));
}

function printFailures(library: EverydayLibrary, questions: readonly EverydayQuestion[]): void {
  for (const expected of questions) {
    const { answer, confidence } = library.ask(expected.question);
    const good =
      expected.file === '-'
        ? !answer.grounded
        : judge(library, expected).answeredFirst === 1 && answer.citations.length === 1;
    if (good) continue;
    const gold = expected.file === '-' ? 'nothing' : expected.answers.join(' | ');
    console.log(`\n${expected.question}  (${expected.file}: ${gold})  ${confidence.toFixed(2)}`);
    console.log(
      `${answer.markdown}\n${answer.citations.map(({ fileName }) => fileName).join(', ')}`,
    );
  }
}

await report();
