import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ALL_DATA } from '../retrieval/datasets.ts';

/** The folder of the set. Its manuals may be elsewhere. */
export const SET = join(ALL_DATA, 'private-library');
const MANUALS = process.env['ENGRAM_QUALITY_MANUALS'] ?? join(SET, 'manuals');

/** The folders of the set's files. Empty if the set or its manuals are missing. */
export const FOLDERS: readonly string[] = [join(SET, 'personal'), MANUALS].every(existsSync)
  ? [join(SET, 'personal'), MANUALS]
  : [];

/** A question of the set with the text that an answer must contain, and must not contain. */
export interface SetQuestion {
  id: string;
  q: string;
  class: string;
  /** Names of the files with the answer. */
  file: string[];
  must: (string | string[])[];
  must_not: (string | string[])[];
  /** The previous question. */
  prev?: string;
  /** Whether no file has the answer. */
  refuse?: boolean;
}

/** The questions in the folder of a set. */
export const loadQuestions = (folder = SET): SetQuestion[] =>
  readFileSync(join(folder, 'questions.jsonl'), 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as SetQuestion);

/** Normalizes case, diacritics and spaces, as the scoring program of the set does. */
const plain = (text: string): string =>
  text
    .toLowerCase()
    .normalize('NFC')
    .replace(/[*_`#|~]/gu, ' ')
    .replace(/[\u2018\u2019\u02bc]/gu, "'")
    .replace(/[\u2010-\u2015\u2212]/gu, '-')
    .replace(/[\s\u00a0\u202f]+/gu, ' ');

/** Whether a text contains all required facts. A number does not match inside a longer one. */
export function contains(text: string, { must }: SetQuestion): boolean {
  const plainText = plain(text);
  const holds = (entry: string | string[]): boolean =>
    [entry].flat().some((fact) => {
      const expected = plain(fact);
      for (
        let at = plainText.indexOf(expected);
        at !== -1;
        at = plainText.indexOf(expected, at + 1)
      ) {
        const before = /\d[.,]?$/u.test(plainText.slice(Math.max(0, at - 2), at));
        const after = /^[.,]?\d/u.test(plainText.slice(at + expected.length));
        const open = /^\d/u.test(expected) && before;
        const close =
          /\d$/u.test(expected) && after && !/^[.,]00/u.test(plainText.slice(at + expected.length));
        if (!open && !close) return true;
      }
      return false;
    });
  return must.every(holds);
}
