import { locationAt } from '../../../packages/contract/src/index.ts';
import type { Segment } from '../../../packages/extraction/src/index.ts';
import type { Citation } from '../../../packages/retrieval/src/index.ts';
import type { EverydayLibrary, EverydayQuestion } from './library.ts';
import { firstSentences, holdsAnswer } from '../retrieval/metrics.ts';

/** What became of a question that a file answers; each is 0 or 1. */
export interface Outcome {
  /** The answer stands in the first two sentences or rows. */
  answered: number;
  /** … in the first one. */
  answeredFirst: number;
  /** The first citation is of the right file. */
  file: number;
  /** The citation that shows the answer names its place; null where no place is set. */
  place: number | null;
  refused: number;
  /** Sentences or rows of the answer. */
  sentences: number;
}

const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u;

function holds(text: string, answers: readonly string[]): boolean {
  const plain = text.toLowerCase();
  // Scripts without spaces have no whole words to look for.
  return (
    holdsAnswer(text, answers) ||
    answers.some((answer) => UNSPACED.test(answer) && plain.includes(answer.toLowerCase()))
  );
}

function isAt({ files }: EverydayLibrary, cited: Citation, place: string): boolean {
  const file = files.find(({ name }) => name === cited.fileName);
  const [key = '', value] = place.split(':');
  const location =
    file && Object.entries(locationAt({ ...file, segments: file.segments as Segment[] }, cited));
  return location?.some(([name, at]) => name === key && String(at) === value) === true;
}

/** Asks a question that a file answers. */
export function judge(library: EverydayLibrary, expected: EverydayQuestion): Outcome {
  const { answer } = library.ask(expected.question);
  const { citations, markdown, grounded } = answer;
  const right = citations.find(
    ({ fileName, quote }) => fileName === expected.file && holds(quote, expected.answers),
  );
  const two = holds(firstSentences(markdown, 2), expected.answers) && (right?.n ?? 9) <= 2;
  return {
    answered: Number(two),
    answeredFirst: Number(right?.n === 1),
    file: Number(citations[0]?.fileName === expected.file),
    place:
      expected.place === ''
        ? null
        : Number(right !== undefined && isAt(library, right, expected.place)),
    refused: Number(!grounded),
    sentences: citations.length,
  };
}

/** The figures of one set of questions asked of one library. */
export interface Figures {
  answered: number;
  answeredFirst: number;
  file: number;
  place: number;
  refused: number;
  /** Of the questions that no file answers. */
  refusedUnanswerable: number;
  sentences: number;
}

const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);

/** Asks all questions of the library that `libraryOf` names for each. */
export function measure(
  questions: readonly EverydayQuestion[],
  libraryOf: (question: EverydayQuestion) => EverydayLibrary,
): Figures {
  const outcomes: Outcome[] = [];
  const refusals: number[] = [];
  questions.forEach((expected) => {
    const library = libraryOf(expected);
    if (expected.file === '-') {
      refusals.push(Number(!library.ask(expected.question).answer.grounded));
    } else outcomes.push(judge(library, expected));
  });
  return {
    answered: mean(outcomes.map(({ answered }) => answered)),
    answeredFirst: mean(outcomes.map(({ answeredFirst }) => answeredFirst)),
    file: mean(outcomes.map(({ file }) => file)),
    place: mean(outcomes.flatMap(({ place }) => place ?? [])),
    refused: mean(outcomes.map(({ refused }) => refused)),
    refusedUnanswerable: mean(refusals),
    sentences: mean(outcomes.map(({ sentences }) => sentences)),
  };
}
