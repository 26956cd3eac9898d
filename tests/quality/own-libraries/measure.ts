import { join } from 'node:path';
import { buildPrivateLibrary, turnsBefore } from '../private-library/library.ts';
import { isRight, loadQuestions, type SetQuestion } from '../private-library/questions.ts';
import { readFolders } from '../private-library/read.ts';

/**
 * The papers and manuals of two invented persons, with questions as people type them, written without
 * a look at the engine: they tell what a rule is worth that gains elsewhere. Nothing may be fitted on
 * the guest house's.
 */
export const LIBRARIES = ['piano-tuner', 'guest-house'] as const;
export type LibraryName = (typeof LIBRARIES)[number];

type Mark = 'right' | 'wrong' | 'refused';

export interface Marked {
  asked: SetQuestion;
  mark: Mark;
  answer: string;
}

/** What an answer states to hold now: a value that it gives as the former one is not held against it. */
const held = (markdown: string): string => markdown.replace(/^Before: .*$/gmu, '');

/** Asks every question of a library and marks its answer; a refusal of what nothing answers is right. */
export async function markLibrary(name: LibraryName): Promise<Marked[]> {
  const folder = join(import.meta.dirname, 'fixtures', name);
  const { files } = await readFolders([join(folder, 'files')]);
  const library = buildPrivateLibrary(files);
  return loadQuestions(folder).map((asked): Marked => {
    const { markdown, grounded } = library.ask(asked.q, turnsBefore(library, asked)).answer;
    const isRefused = !grounded;
    const isGood = asked.refuse === true ? isRefused : grounded && isRight(held(markdown), asked);
    return { asked, mark: isGood ? 'right' : isRefused ? 'refused' : 'wrong', answer: markdown };
  });
}

export interface Figures {
  /** Of the questions that the files answer. */
  right: number;
  /** Of all answers that were given. */
  wrong: number;
  answered: number;
  /** Of the questions that no file answers. */
  refused: number;
}

export function figuresOf(marked: readonly Marked[]): Figures {
  const answerable = marked.filter(({ asked }) => asked.refuse !== true);
  const near = marked.filter(({ asked }) => asked.refuse === true);
  const right = answerable.filter(({ mark }) => mark === 'right').length;
  const wrong = marked.filter(({ mark }) => mark === 'wrong').length;
  const refused = near.filter(({ mark }) => mark === 'right').length;
  return { right, wrong, answered: right + wrong, refused };
}
