import { join } from 'node:path';
import { buildPrivateLibrary, turnsBefore } from '../private-library/library.ts';
import { contains, loadQuestions, type SetQuestion } from '../private-library/questions.ts';
import { readFolders } from '../private-library/read.ts';

/** The documents and manuals of two fictional users, with questions as users type them. */
export const LIBRARIES = ['piano-tuner', 'guest-house'] as const;
export type LibraryName = (typeof LIBRARIES)[number];

export const folderOf = (name: LibraryName): string => join(import.meta.dirname, 'fixtures', name);

/** The results for one question. */
export interface Outcome {
  asked: SetQuestion;
  /** The number of leading sections that together contain all required facts. Null if above three. */
  needed: number | null;
  grounded: boolean;
  /** The files of the first three sections. */
  files: string[];
}

const MAX_SECTIONS = 3;

/** Asks every question of a library. */
export async function askLibrary(
  name: LibraryName,
  otherFolders: readonly string[] = [],
): Promise<Outcome[]> {
  const folder = folderOf(name);
  const { files } = await readFolders([join(folder, 'files'), ...otherFolders]);
  const library = await buildPrivateLibrary(files);
  const outcomes = loadQuestions(folder).map(async (asked): Promise<Outcome> => {
    const { sections, grounded } = await library.ask(asked.q, turnsBefore(asked));
    const shown = sections.slice(0, MAX_SECTIONS);
    const at = shown.findIndex((_, i) => {
      const text = shown.slice(0, i + 1).map((section) => section.text);
      return contains(text.join('\n'), asked);
    });
    const isNeeded = asked.refuse !== true && at !== -1;
    return {
      asked,
      needed: isNeeded ? at + 1 : null,
      grounded,
      files: shown.map(({ fileName }) => fileName),
    };
  });
  return Promise.all(outcomes);
}

export interface Figures {
  answerable: number;
  /** Answerable questions with all required facts in the first section, or in the first three. */
  first: number;
  three: number;
  /** Questions that are answered with "Your files don't seem to say." */
  flaggedAnswerable: number;
  unanswerable: number;
  flaggedUnanswerable: number;
}

export function figuresOf(outcomes: readonly Outcome[]): Figures {
  const [unanswerable = [], answerable = []] = [true, false].map((refuse) =>
    outcomes.filter(({ asked }) => (asked.refuse === true) === refuse),
  );
  const flagged = (of: readonly Outcome[]): number =>
    of.filter((outcome) => !outcome.grounded).length;
  return {
    answerable: answerable.length,
    first: answerable.filter(({ needed }) => needed === 1).length,
    three: answerable.filter(({ needed }) => needed !== null).length,
    flaggedAnswerable: flagged(answerable),
    unanswerable: unanswerable.length,
    flaggedUnanswerable: flagged(unanswerable),
  };
}
