import { RELEVANCE_THRESHOLD, type Section } from '../../../packages/retrieval/src/index.ts';
import { holdsAnswer } from '../retrieval/metrics.ts';
import type { ScopeLibrary, ScopeQuestion } from './library.ts';

/** The outcome of one question. Each value is 0 or 1. */
interface ScopeOutcome {
  /** The first file found, or for a list all files, are right. */
  first: number;
  /** A right file is among the first three. */
  three: number;
  /** The answer is in a section of a right file, or an unanswerable question is flagged. */
  answered: number;
}

const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u;

/** Scripts without spaces have no whole words to search for. */
const says = ({ text }: Section, answer: string): boolean =>
  holdsAnswer(text, [answer]) || (UNSPACED.test(text) && text.includes(answer));

/** Asks a question and rates the result. */
export function judgeScope(
  library: ScopeLibrary,
  expected: ScopeQuestion,
  scoped: boolean,
): ScopeOutcome {
  const { list, sections, found } = library.ask(expected.question, scoped);
  const { files, count } = expected;
  if (expected.kind === 'list') {
    const isList = list?.grounded
      ? list.markdown.includes('\n- ')
      : list !== null && files.length === 0 && count === null;
    const expected = new Set(files);
    const right =
      isList &&
      (count === null
        ? expected.size === found.length && found.every((name) => expected.has(name))
        : list?.markdown.startsWith(`${count} `) === true);
    const near = found.slice(0, 3).some((name) => expected.has(name)) || right;
    return { first: Number(right), three: Number(near), answered: Number(right) };
  }
  if (files.length === 0) {
    const refused = Number((sections[0]?.relevance ?? 0) < RELEVANCE_THRESHOLD);
    return { first: refused, three: refused, answered: refused };
  }
  const isRight = (name: string | undefined): boolean => name !== undefined && files.includes(name);
  const answered = sections.some(
    (section) => isRight(section.fileName) && says(section, expected.answer),
  );
  return {
    first: Number(isRight(found[0])),
    three: Number(found.slice(0, 3).some(isRight)),
    answered: Number(answered),
  };
}

/** The mean outcome of some questions. */
export function measureScope(
  library: ScopeLibrary,
  questions: readonly ScopeQuestion[],
  scoped: boolean,
): ScopeOutcome & { questions: number } {
  const outcomes = questions.map((question) => judgeScope(library, question, scoped));
  const mean = (key: keyof ScopeOutcome): number =>
    outcomes.reduce((sum, outcome) => sum + outcome[key], 0) / Math.max(1, outcomes.length);
  return {
    questions: questions.length,
    first: mean('first'),
    three: mean('three'),
    answered: mean('answered'),
  };
}
