import { fieldsAt } from '../analysis/fields.ts';
import type { Field } from '../analysis/fields.ts';
import { detectLanguage, stopWords } from '../analysis/languages.ts';
import { analyzePassage } from '../analysis/passage-analysis.ts';
import { SECRET } from '../analysis/secrets.ts';
import { analyze } from '../analysis/words.ts';
import { chunk } from '../chunk.ts';
import type { LibraryDocument } from '../documents/document.ts';
import { wordsOfFileName } from '../documents/lines.ts';
import { packOf } from '../languages/index.ts';
import { analyzeQuestion } from '../question/question.ts';
import type { Passage } from '../types.ts';
import { askedOf } from './forms.ts';
import type { Made } from './forms.ts';
import { readPaper } from './papers.ts';

/** A question that one of the files answers. */
export interface Recommendation {
  question: string;
  /** The file that answers it. */
  artifactId: string;
}

/** A question that was made of something a file says, and is not yet known to be answered by it. */
export interface QuestionDraft extends Recommendation, Made {
  /** Where in the file's text that stands which answers it. */
  source: { start: number; end: number };
  /** Whether it asks for all that there is, rather than for one thing. */
  broad: boolean;
  /** The stems of what it is about. */
  terms: ReadonlySet<string>;
}

/** A draft as it is made. */
export type Draft = Made & Pick<QuestionDraft, 'source'> & { broad?: boolean };

/** In characters; a language is told by a sample. */
const LONGEST = { question: 110, sentence: 400, key: 40, value: 60, sample: 2000 } as const;
/** Of one file. */
const MOST = { drafts: 40, chunks: 12 } as const;

/**
 * The questions that files may answer, those of the person's own papers before those of manuals and
 * saved pages: of each file in turn, of each form in turn, what asks for all that there is last.
 */
export function draftQuestions(documents: readonly LibraryDocument[]): QuestionDraft[] {
  const ranked = documents.flatMap((document) => {
    const language = detectLanguage(document.text.slice(0, LONGEST.sample));
    const { own, drafts } = readPaper(document, language);
    for (const piece of chunk(document).slice(0, MOST.chunks)) {
      if (drafts.length >= MOST.drafts) break;
      drafts.push(...draftsOf(piece, language));
    }
    const turns = new Map<string, number>();
    return completed(drafts, document, language)
      .map((draft) => {
        const turn = turns.get(draft.template) ?? 0;
        turns.set(draft.template, turn + 1);
        return { draft, own, turn };
      })
      .sort((a, b) => a.turn - b.turn)
      .map((one, round) => ({ ...one, round: round + (one.draft.broad ? MOST.drafts : 0) }));
  });
  return ranked
    .sort((a, b) => Number(b.own) - Number(a.own) || a.round - b.round)
    .map(({ draft }) => draft);
}

/** The questions that passages may answer; those of the best passage come first. */
export const draftsOfPassages = (passages: readonly Passage[]): QuestionDraft[] =>
  passages.flatMap((passage) => {
    const language = detectLanguage(passage.text.slice(0, LONGEST.sample));
    return completed(draftsOf(passage, language), passage, language);
  });

/** Drafts with all that is known of them, without those that say too little or too much. */
function completed(
  drafts: readonly Draft[],
  { artifactId, fileName }: Pick<Passage, 'artifactId' | 'fileName'>,
  language: string,
): QuestionDraft[] {
  const title = new Set(analyze(wordsOfFileName(fileName), language));
  return drafts.slice(0, MOST.drafts).flatMap((draft): QuestionDraft[] => {
    const terms = termsOf(draft.question, language);
    const { question, value, broad = false } = draft;
    const says = broad || (terms.size > 0 && (value !== null || !terms.isSubsetOf(title)));
    const isShown = says && question.length <= LONGEST.question && !SECRET.test(question);
    return isShown ? [{ ...draft, broad, artifactId, terms }] : [];
  });
}

/** The stems of what a question names. */
export const termsOf = (question: string, language: string): Set<string> =>
  new Set(
    analyzeQuestion(question, [language]).terms.flatMap(({ variants }) => variants.slice(0, 1)),
  );

function draftsOf(
  { text, start, headings }: Pick<Passage, 'text' | 'start' | 'headings'>,
  language: string,
): Draft[] {
  const drafts: Draft[] = [];
  const add = (made: Made | null, from: number, to: number): void => {
    if (made !== null) drafts.push({ ...made, source: { start: start + from, end: start + to } });
  };
  add(askedOf('headings', headings.at(-1) ?? '', language), 0, text.length);
  for (const { start: from, end: to, kind } of analyzePassage(text).sentences) {
    if (to - from > LONGEST.sentence) continue;
    let at = from;
    for (const line of text.slice(from, to).split('\n')) {
      const end = at + line.length;
      for (const made of askedOfLine(text, at, end, language)) add(made, at, end);
      at = end + 1;
    }
    const said = text
      .slice(from, to)
      .replace(/\s+/gu, ' ')
      .replace(/^(?:[-*•]|\d{1,3}[.)]) /u, '');
    if (kind !== 'row') add(askedOf('sentences', said, language), from, to);
  }
  return drafts;
}

/** The questions that a line of a form or a row of a table answers. */
function askedOfLine(text: string, start: number, end: number, language: string): (Made | null)[] {
  if (!/[:：·|\t]|\s{2}/u.test(text.slice(start, end))) return [];
  const [first, ...others] = fieldsAt(text, start, end);
  if (first === undefined) return [];
  if (others.length === 0) return [askedOfField(first, language)];
  const { of } = packOf(language).recommended ?? {};
  const isKey = /^\p{Lu}[\p{L}\p{N}'’.& -]*$/u.test(first.value) && first.name !== '';
  if (!isKey || of === undefined || first.value.length > LONGEST.key) return [];
  return others.map((field) => askedOfField(field, language, ` ${of} ${first.value}`));
}

function askedOfField({ name, value }: Field, language: string, tail = ''): Made | null {
  const isLabel =
    /^[\p{L}\p{M}’' -]+$/u.test(name) &&
    !name.split(' ').some((word, at) => at !== 1 && stopWords(language).has(word.toLowerCase())) &&
    value.length <= LONGEST.value &&
    !SECRET.test(name);
  const made = isLabel ? askedOf('fields', `${name}: ${value}`, language, tail) : null;
  return made && { ...made, value: made.value ?? value };
}
