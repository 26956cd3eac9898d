import type { LibraryDocument, LibraryFile } from '../documents/document.ts';
import { sayIn, wordPattern } from '../documents/words/paper-words.ts';
import type { Citation, Location } from '../types.ts';
import { changesOf } from './changes.ts';
import type { Change, Said } from './changes.ts';
import { escapeMarkdown } from './markdown.ts';
import type { Answerer, Material, Proposal } from './material.ts';
import { createCoverage } from './statements.ts';
import type { Statement } from './statements.ts';
import { kindFit, wantedKinds } from './value-kind.ts';

/** What the question says of time. */
interface Stance {
  /** The value that held before is asked for. */
  before: boolean;
  /** It asks for the present in so many words. */
  now: boolean;
  /** Documents that it names by year or version. */
  isNamed: (file: LibraryFile) => boolean;
}

/**
 * The value in force, and the one it replaced: from a sentence or a row that says both, or from two
 * papers of which one amends the other or is a later version of it. A question that asks for the old
 * one gets that. Null where nothing changed.
 */
export const answerInForce: Answerer = (material) => {
  const { question, ranked, files, today } = material;
  const stance = stanceOf(material);
  if (stance === null) return null;
  const changes = changesOf(material);
  const change = changes.reduce<Change | null>(
    (kept, one) => (kept === null || one.score > kept.score ? one : kept),
    null,
  );
  if (change === null || !isOfKind(material, change)) return null;
  const fileOf = (said: Said): LibraryFile | undefined =>
    files.find(({ artifactId }) => artifactId === said.statement.artifactId);
  const [oldFile, newFile] = [fileOf(change.old), fileOf(change.new)];
  const namesOld = oldFile !== undefined && oldFile !== newFile && stance.isNamed(oldFile);
  const namesNew = newFile !== undefined && oldFile !== newFile && stance.isNamed(newFile);
  const wantsOld = namesNew ? false : namesOld || stance.before;
  const future = change.since !== null && change.since > today;
  const coverageOf = createCoverage(question, ranked);
  const fit = coverageOf(change.around) ** 2 * (0.7 + 0.3 * change.pairing);
  const own = coverageOf([change.old, change.new].flatMap(({ statement }) => tellsOf(statement)));
  const confidence = Math.min(0.95, fit, own * OWN_WORTH);
  return { ...write(material, change, { wantsOld, future }), confidence };
};

/**
 * What a share of the question is worth that the two statements themselves say: the heads of their
 * papers alone name the paper, not what is asked of it.
 */
const OWN_WORTH = 2;

const tellsOf = ({ text, columns }: Statement): string[] => [text, ...columns];

/** Whether the values are of the kind that is asked for. */
function isOfKind({ question }: Material, { new: { statement, value } }: Change): boolean {
  const kinds = wantedKinds(question);
  return (
    kinds.length === 0 || kindFit(statement.text.slice(value.start, value.end), kinds, question) > 0
  );
}

/** Null for a question that asks for no state of things: how, why, or how it came about. */
function stanceOf({ question }: Material): Stance | null {
  const { text, type, languages, dates } = question;
  if (type === 'reason') return null;
  const before = wordPattern(languages, 'before').test(text);
  const now = wordPattern(languages, 'now').test(text);
  const version = new RegExp(
    String.raw`${wordPattern(languages, 'version').source} ?(\d{1,4}(?:\.\d+)?)|(?<!\p{L})v(\d{1,3})(?!\p{L})`,
    'iu',
  ).exec(text);
  const number = version?.[1] ?? version?.[2];
  const years = new Set([
    ...dates.map(({ range }) => String(range.from).slice(0, 4)),
    ...(text.match(/(?<!\d)(?:19|20)\d\d(?!\d)/gu) ?? []),
  ]);
  const isNamed = (file: LibraryFile): boolean => {
    const own = /\d+(?:\.\d+)?/u.exec(file.version ?? '')?.[0];
    if (number !== undefined) return own === number;
    const year = file.date?.value.slice(0, 4) ?? own;
    return year !== undefined && years.has(year);
  };
  return { before, now, isNamed };
}

/** The value that was asked for, its sentence, and the other one. */
function write(
  { question, documents }: Material,
  change: Change,
  { wantsOld, future }: { wantsOld: boolean; future: boolean },
): Omit<Proposal, 'confidence'> {
  const say = sayIn(question.language);
  const format = new Intl.DateTimeFormat(question.language === 'en' ? 'en-GB' : question.language, {
    dateStyle: 'long',
    timeZone: 'UTC',
  });
  const dayText = (day: string): string => format.format(Date.parse(day));
  const inForce = future ? change.old : change.new;
  const shown = wantsOld ? change.old : inForce;
  const citations = [citationOf(shown, documents, 1)];
  const one = change.old.statement === change.new.statement;
  const since = change.since === null ? '' : ` (${say.from} ${dayText(change.since)})`;
  const ended = change.since === null ? '' : ` (${say.until} ${dayText(change.since)})`;
  const sentence = one ? subjectText(change) : escapeMarkdown(shown.statement.text);
  const lines = [`**${textOf(shown)}**${shown === change.new ? since : ended} – ${sentence} [1]`];
  if (!wantsOld) {
    const other = shown === change.new ? change.old : change.new;
    if (!one) citations.push(citationOf(other, documents, 2));
    const mark = `[${one ? 1 : 2}]`;
    lines.push(
      shown === change.new
        ? `${say.before}: ${textOf(other)}${ended} ${mark}`
        : `${capital(say.from)} ${change.since === null ? '' : dayText(change.since)}: ${textOf(other)} ${mark}`,
    );
  }
  return { markdown: lines.join('\n\n'), citations };
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

const textOf = ({ statement, value }: Said): string =>
  escapeMarkdown(statement.text.slice(value.start, value.end));

/** What a statement that names both values says of them: all of it but the older one. */
function subjectText({ old, new: fresh }: Change): string {
  const { text, cells, columns } = fresh.statement;
  if (cells.length > 1 && columns.length === cells.length)
    return escapeMarkdown(cells[0]?.text ?? '');
  const first = Math.min(old.value.start, fresh.value.start);
  const lead = text.slice(0, first).replace(/(?<![\s,;:(–-])[\s,;:(–-]+$/u, '');
  return escapeMarkdown(lead === '' ? text.slice(fresh.value.end) : lead);
}

function citationOf(
  { statement }: Said,
  documents: ReadonlyMap<string, LibraryDocument>,
  n: number,
): Citation {
  const { artifactId, start, end, text } = statement;
  const document = documents.get(artifactId);
  const segment = document?.segments.findLast((each) => each.start <= start);
  const location: Location = segment?.location ?? { line: 1 };
  return { n, artifactId, fileName: document?.fileName ?? '', location, quote: text, start, end };
}
