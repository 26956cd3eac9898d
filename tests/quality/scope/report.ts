import { hasDataset } from '../retrieval/datasets.ts';
import {
  buildScopeLibrary,
  loadOtherFiles,
  loadScopeFiles,
  loadScopeQuestions,
} from './library.ts';
import type { ScopeLibrary, ScopeQuestion } from './library.ts';
import { judgeScope, measureScope } from './metrics.ts';

const KINDS = ['name', 'date', 'upload', 'list', 'everyday'] as const;

/** Articles on other subjects that are added for a second run of the questions. */
const OTHERS = 250;

type Row = Record<string, string | number>;

function rowsOf(
  library: ScopeLibrary,
  half: string,
  group: string,
  questions: readonly ScopeQuestion[],
): Row[] {
  return [false, true].map((scoped): Row => {
    const { questions: asked, ...figures } = measureScope(library, questions, scoped);
    const shares = Object.entries(figures).map(([key, value]) => [key, value.toFixed(3)]);
    return {
      half,
      group,
      scope: scoped ? 'with' : 'without',
      asked,
      ...Object.fromEntries(shares),
    };
  });
}

function printFailures(library: ScopeLibrary, questions: readonly ScopeQuestion[]): void {
  for (const expected of questions) {
    const { first, answered } = judgeScope(library, expected, true);
    if (first === 1 && answered === 1) continue;
    const { sections, found } = library.ask(expected.question, true);
    console.log(
      `\n${expected.kind}: ${expected.question}  (${expected.files.join('|')}: ${expected.answer})`,
    );
    console.log(`${found.slice(0, 3).join(' | ')}\n${sections[0]?.text ?? ''}`);
  }
}

/**
 * Prints the figures of both halves. With the argument `development` or `crowded` it also prints
 * the failures of that half, without or with the other articles.
 */
async function report(): Promise<void> {
  const files = await loadScopeFiles();
  const library = buildScopeLibrary(files);
  const crowded = hasDataset('squad')
    ? buildScopeLibrary([...files, ...(await loadOtherFiles(OTHERS))])
    : null;
  const rows = (['development', 'held-out'] as const).flatMap((half) => {
    const questions = loadScopeQuestions(half);
    const languages = [...new Set(questions.map(({ language }) => language))].sort();
    const everyday = questions.filter(({ kind }) => kind === 'everyday');
    return [
      ...KINDS.flatMap((kind) =>
        rowsOf(
          library,
          half,
          kind,
          questions.filter((question) => question.kind === kind),
        ),
      ),
      ...languages.flatMap((language) => {
        const ofLanguage = everyday.filter((question) => question.language === language);
        return ofLanguage.length === 0
          ? []
          : rowsOf(library, half, `everyday ${language}`, ofLanguage).slice(1);
      }),
      ...rowsOf(library, half, 'all', questions),
      ...(crowded === null
        ? []
        : rowsOf(
            crowded,
            half,
            `among ${OTHERS} others`,
            questions.filter(({ count }) => count === null),
          )),
    ];
  });
  console.table(rows);
  const [, , shown] = process.argv;
  if (shown === 'development') printFailures(library, loadScopeQuestions(shown));
  if (shown === 'crowded' && crowded) printFailures(crowded, loadScopeQuestions('development'));
}

await report();
