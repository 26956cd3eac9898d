import { isRow, splitSentences } from '../analysis/sentences.ts';
import { createVocabulary } from '../ranking/vocabulary.ts';
import { analyze, wordsOf } from '../analysis/words.ts';
import type { LibraryDocument } from '../documents/document.ts';
import { wordPattern } from '../documents/words/paper-words.ts';
import type { Question } from '../question/question.ts';
import { valuesOf } from './values.ts';
import type { Value } from './values.ts';

/** A sentence or a row of a document that names values. */
export interface Statement {
  artifactId: string;
  /** Offsets in the document's text. */
  start: number;
  end: number;
  text: string;
  values: Value[];
  /** Its words but for its values, stemmed: what it is about. */
  words: ReadonlySet<string>;
  /** The sentence before it, which may say from when it holds. */
  before: string;
  /** The cells of the row of names above it, where it is a row under such. */
  columns: readonly string[];
  /** The cells of the row itself. */
  cells: readonly { text: string; start: number; end: number }[];
}

/** How much of a document is read for statements, in UTF-16 units. */
const LONGEST_READ = 40_000;
const LONGEST_STATEMENT = 600;
const ROWS_ABOVE = 12;

/** The statements of a document's begin, those that name no value left out. */
export function statementsOf(
  { artifactId, text }: LibraryDocument,
  languages: readonly string[],
): Statement[] {
  const stretch = text.slice(0, LONGEST_READ);
  const spans = splitSentences(stretch);
  return spans.flatMap(({ start, end }, i): Statement[] => {
    if (end - start > LONGEST_STATEMENT) return [];
    const own = stretch.slice(start, end);
    const values = valuesOf(own, languages);
    if (values.length === 0) return [];
    const cells = isRow(own) ? cellsOf(own) : [];
    const before = spans[i - 1];
    return [
      {
        artifactId,
        start,
        end,
        text: own,
        values,
        words: subjectOf(own, values, languages[0] ?? 'en'),
        before:
          before === undefined
            ? ''
            : stretch.slice(before.start, before.end).slice(0, LONGEST_STATEMENT),
        columns: cells.length > 1 ? columnsAbove(stretch, start, cells.length) : [],
        cells,
      },
    ];
  });
}

/** What a statement is about: its words, with the units of its values in their place. */
export function subjectOf(
  text: string,
  values: readonly Value[],
  language: string,
): ReadonlySet<string> {
  // '28 Nm' and '20 Nm' are of the same thing, but 'clause 3' is another clause than 4.
  const bare = values
    .filter(({ unit }) => unit !== '')
    .reduceRight(
      (rest, { start, end, unit }) => `${rest.slice(0, start)} ${unit} ${rest.slice(end)}`,
      text,
    );
  return new Set(analyze(bare, language).filter((word) => word.length > 1 || /\d/u.test(word)));
}

function cellsOf(row: string): { text: string; start: number; end: number }[] {
  const cells: { text: string; start: number; end: number }[] = [];
  for (const match of row.matchAll(/[^\t|]+/gu)) {
    const text = match[0].trim();
    if (text === '') continue;
    const start = match.index + match[0].indexOf(text);
    cells.push({ text, start, end: start + text.length });
  }
  return cells;
}

/** The first row of the table above a row, where it has as many cells. */
function columnsAbove(text: string, start: number, count: number): string[] {
  let columns: string[] = [];
  let from = start;
  for (let rows = 0; rows < ROWS_ABOVE && from > 1; rows += 1) {
    const line = text.lastIndexOf('\n', from - 2) + 1;
    const row = text.slice(line, from).trim();
    from = line;
    if (row === '' || /^\|?[\s:|-]+\|?$/u.test(row)) continue;
    const cells = cellsOf(row);
    if (cells.length > count || cells.length < Math.max(2, count - 1)) break;
    // The first column may have no name: 'Until May | From June' above 'Rent | 1 | 2'.
    columns = cells.map((cell) => cell.text);
    if (cells.length < count) columns.unshift('');
  }
  return columns;
}

/** Tells which share of a question some texts say, between 0 and 1, in any of its words' forms. */
export function createCoverage(question: Question): (texts: readonly string[]) => number {
  const { share, mark, none } = createVocabulary(question);
  const { languages } = question;
  const [now, before] = [wordPattern(languages, 'now'), wordPattern(languages, 'before')];
  // That something is asked for as it is now, or was, need not be said beside it.
  const stance = question.terms.map(
    ({ surface }) => now.test(surface) || before.test(surface) || /^(?:19|20)\d\d$/u.test(surface),
  );
  return (texts) => {
    const said = none();
    for (const text of texts) for (const word of wordsOf(text).words) mark(said, word);
    return share((at) => (stance[at] === true ? 1 : (said[at] ?? 0)));
  };
}
