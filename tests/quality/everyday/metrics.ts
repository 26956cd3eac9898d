import { locationAt } from '../../../packages/contract/src/index.ts';
import type { Segment } from '../../../packages/extraction/src/index.ts';
import { RELEVANCE_THRESHOLD, type Section } from '../../../packages/retrieval/src/index.ts';
import { holdsAnswer } from '../retrieval/metrics.ts';
import type { EverydayLibrary, EverydayQuestion } from './library.ts';

/** The shares for one set of questions in one library. */
export interface Figures {
  /** The answer is in the first section. */
  first: number;
  /** … in one of the first three. */
  three: number;
  /** The first section is of the right file. */
  file: number;
  /** The best sentence of the first section is at the location of the answer, if one is given. */
  place: number;
  /** Share of the answerable questions that are answered with "Your files don't seem to say." */
  flagged: number;
  /** Share of the questions that no file answers. */
  flaggedUnanswerable: number;
}

const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u;

/** Scripts without spaces have no whole words to search for. */
const holds = (text: string, answers: readonly string[]): boolean =>
  holdsAnswer(text, answers) ||
  answers.some(
    (answer) => UNSPACED.test(answer) && text.toLowerCase().includes(answer.toLowerCase()),
  );

function isAt({ files }: EverydayLibrary, section: Section, place: string): boolean {
  const file = files.find(({ name }) => name === section.fileName);
  const [key = '', value] = place.split(':');
  const start = section.start + section.sentence.start;
  const end = section.start + section.sentence.end;
  const location =
    file && locationAt({ ...file, segments: file.segments as Segment[] }, { start, end });
  return Object.entries(location ?? {}).some(([name, at]) => name === key && String(at) === value);
}

const mean = (values: readonly boolean[]): number =>
  values.filter(Boolean).length / Math.max(1, values.length);

const isFlagged = ([first]: readonly Section[]): boolean =>
  (first?.relevance ?? 0) < RELEVANCE_THRESHOLD;

/** Asks each question in the library that `libraryOf` returns for it. */
export function measure(
  questions: readonly EverydayQuestion[],
  libraryOf: (question: EverydayQuestion) => EverydayLibrary,
): Figures {
  const outcomes = questions.map((expected) => {
    const library = libraryOf(expected);
    return { expected, library, sections: library.ask(expected.question).sections };
  });
  const answerable = outcomes.filter(({ expected }) => expected.file !== '-');
  const others = outcomes.filter(({ expected }) => expected.file === '-');
  const isRight = (section: Section | undefined, { file, answers }: EverydayQuestion): boolean =>
    section?.fileName === file && holds(section.text, answers);
  return {
    first: mean(answerable.map(({ expected, sections }) => isRight(sections[0], expected))),
    three: mean(
      answerable.map(({ expected, sections }) =>
        sections.some((section) => isRight(section, expected)),
      ),
    ),
    file: mean(answerable.map(({ expected, sections }) => sections[0]?.fileName === expected.file)),
    place: mean(
      answerable
        .filter(({ expected }) => expected.place !== '')
        .map(({ expected, library, sections: [first] }) =>
          first === undefined ? false : isAt(library, first, expected.place),
        ),
    ),
    flagged: mean(answerable.map(({ sections }) => isFlagged(sections))),
    flaggedUnanswerable: mean(others.map(({ sections }) => isFlagged(sections))),
  };
}
