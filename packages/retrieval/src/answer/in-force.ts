import type { LibraryFile } from '../documents/document.ts';
import { sayIn, wordPattern } from '../documents/words/paper-words.ts';
import type { Question } from '../question/question.ts';
import type { Citation } from '../types.ts';
import { citationIn } from './citation.ts';
import { changesOf } from './changes.ts';
import type { Change, Said } from './changes.ts';
import { escapeMarkdown } from './markdown.ts';
import type { Answerer, Material, Proposal } from './material.ts';
import { dayInFull } from './row-layout.ts';
import { createCoverage } from './statements.ts';
import { kindFit, wantedKinds } from './value-kind.ts';

/**
 * What a share of the question is worth that the two statements themselves say: the heads of their
 * papers alone name the paper, not what is asked of it.
 */
const OWN_WORTH = 2;

/**
 * The value in force, and the one it replaced: from a row that says both, or from two papers of which
 * one amends the other or is a later version of it. A question that asks for the old one gets that.
 * Null where nothing changed.
 */
export const answerInForce: Answerer = (material) => {
  const { question, files } = material;
  if (question.type === 'reason') return null;
  const [change] = changesOf(material).sort((a, b) => b.score - a.score);
  if (change === undefined || !isOfKind(question, change)) return null;
  const isNamed = namedBy(question);
  const [namesOld, namesNew] = [change.old, change.new].map(({ statement }) =>
    files.some((file) => file.artifactId === statement.artifactId && isNamed(file)),
  );
  const wantsOld =
    namesOld === namesNew
      ? wordPattern(question.languages, 'before').test(question.text)
      : namesOld === true;
  const coverageOf = createCoverage(question);
  const fit = coverageOf(change.around) ** 2 * (0.7 + 0.3 * change.pairing);
  const own = [change.old, change.new].flatMap(({ statement: { text, columns } }) => [
    text,
    ...columns,
  ]);
  const confidence = Math.min(0.95, fit, coverageOf(own) * OWN_WORTH);
  return { ...write(material, change, wantsOld), confidence };
};

/** Whether the values are of the kind that is asked for. */
function isOfKind(question: Question, { new: { statement, value } }: Change): boolean {
  const kinds = wantedKinds(question);
  const said = statement.text.slice(value.start, value.end);
  return kinds.length === 0 || kindFit(said, kinds, question) > 0;
}

/** The files that a question names by their version or year. */
function namedBy({ text, languages, dates }: Question): (file: LibraryFile) => boolean {
  const version = new RegExp(
    String.raw`(?:${wordPattern(languages, 'version').source} ?|(?<!\p{L})v)(\d{1,4}(?:\.\d+)?)`,
    'iu',
  ).exec(text)?.[1];
  const years = new Set([
    ...dates.map(({ range }) => String(range.from).slice(0, 4)),
    ...(text.match(/(?<!\d)(?:19|20)\d\d(?!\d)/gu) ?? []),
  ]);
  return (file) => {
    const own = /\d+(?:\.\d+)?/u.exec(file.version ?? '')?.[0];
    return version === undefined
      ? years.has(file.date?.value.slice(0, 4) ?? own ?? '')
      : own === version;
  };
}

/** The value that was asked for, its sentence, and, unless it is the old one, the other value. */
function write(
  { question: { language }, documents, today }: Material,
  { old, new: fresh, since }: Change,
  wantsOld: boolean,
): Omit<Proposal, 'confidence'> {
  const say = sayIn(language);
  const day = since === null ? '' : dayInFull(since, language);
  const [from, until] = [say.from, say.until].map((word) =>
    day === '' ? '' : ` (${word} ${day})`,
  );
  const isOld = wantsOld || (since !== null && since > today);
  const [shown, other] = isOld ? [old, fresh] : [fresh, old];
  const inOne = old.statement === fresh.statement;
  const { text, cells } = shown.statement;
  const sentence = escapeMarkdown(inOne ? (cells[0]?.text ?? '') : text);
  const lines = [`**${textOf(shown)}**${isOld ? until : from} – ${sentence} [1]`];
  const cite = ({ statement }: Said, n: number): Citation[] => {
    const document = documents.get(statement.artifactId);
    return document === undefined ? [] : [citationIn(document, statement, n)];
  };
  const citations = cite(shown, 1);
  if (!wantsOld) {
    if (!inOne) citations.push(...cite(other, 2));
    const capital = say.from.charAt(0).toUpperCase() + say.from.slice(1);
    const lead = isOld ? `${capital} ${day}` : say.before;
    lines.push(`${lead}: ${textOf(other)}${isOld ? '' : until} [${citations.length}]`);
  }
  return { markdown: lines.join('\n\n'), citations };
}

const textOf = ({ statement, value }: Said): string =>
  escapeMarkdown(statement.text.slice(value.start, value.end));
