import { evidenceOf } from '../../../apps/server/src/features/search/model/evidence-files.ts';
import type { EvidenceFiles } from '../../../apps/server/src/features/search/model/evidence-files.ts';
import type { Document } from '../../../apps/server/src/features/search/model/document-parts.ts';
import {
  chooseEvidence,
  createEvidenceBudget,
} from '../../../apps/server/src/platform/ai/answering/evidence-budget.ts';
import { folderOf, LIBRARIES } from '../own-libraries/measure.ts';
import { buildPrivateLibrary, turnsBefore } from '../private-library/library.ts';
import { FOLDERS, loadQuestions, SET } from '../private-library/questions.ts';
import { readAnswer } from '../private-library/reader.ts';
import { readFolders } from '../private-library/read.ts';

/** Estimated tokens of evidence: a slow model, a model with 4 billion parameters on a CPU, large models. */
const BUDGETS = [600, 1000, 1500, 3000, 8000];

/** The number of questions that the evidence within each budget answers. */
async function answeredOf(folder: string, folders: readonly string[]) {
  const { files } = await readFolders(folders);
  const library = await buildPrivateLibrary(files);
  const documents = new Map(
    files.map(({ name, ...file }): [string, Document] => [
      name,
      { ...file, artifactId: name, fileName: name },
    ]),
  );
  const evidenceFiles = {
    read: () => Promise.resolve(documents),
    toEvidence: (passages: unknown) => Promise.resolve(passages),
  } as unknown as EvidenceFiles;
  const questions = loadQuestions(folder).filter(({ refuse }) => refuse !== true);
  const answered = new Map(BUDGETS.map((tokens) => [`${tokens} tokens`, 0]));
  for (const question of questions) {
    const { sections, ranked } = await library.ask(question.q, turnsBefore(question));
    const evidence = await evidenceOf(evidenceFiles, sections, ranked);
    for (const tokens of BUDGETS) {
      const text = createEvidenceBudget(tokens).add(chooseEvidence(evidence, tokens));
      const key = `${tokens} tokens`;
      if (readAnswer(question, text) !== null) answered.set(key, (answered.get(key) ?? 0) + 1);
    }
  }
  return { questions: questions.length, ...Object.fromEntries(answered) };
}

/**
 * Prints how many answerable questions have all required facts in the evidence of a model without
 * tools. ENGRAM_QUALITY_MANUALS names a folder of manuals that is added to the libraries.
 */
export async function reportOnEvidence(): Promise<void> {
  const manuals = process.env['ENGRAM_QUALITY_MANUALS'];
  const rows: Record<string, object> = {};
  for (const name of LIBRARIES) {
    const more = manuals === undefined ? [] : [manuals];
    rows[name] = await answeredOf(folderOf(name), [`${folderOf(name)}/files`, ...more]);
  }
  if (FOLDERS.length > 0) rows['private library'] = await answeredOf(SET, FOLDERS);
  console.log('\nQuestions that a reader can answer from the evidence');
  console.table(rows);
}
