import { wordsOf } from '../analysis/words.ts';
import type { LibraryDocument } from '../documents/document.ts';
import { wordsOfFileName } from '../documents/lines.ts';
import { sayIn } from '../documents/words/paper-words.ts';
import type { ListAsked } from './list-asked.ts';
import { createVocabulary } from '../ranking/vocabulary.ts';
import { fitOf } from '../scope/calendar.ts';
import { findDates } from '../scope/dates.ts';
import type { Citation, SourceSegment } from '../types.ts';
import { layOutSegments } from './lay-out.ts';
import { escapeMarkdown } from './markdown.ts';
import type { Material, Proposal } from './material.ts';
import { countWords } from './quote.ts';
import { sectionsOf } from './sections.ts';
import type { Section } from './sections.ts';

/** Files, best first, whose headings are read, and the segments of each. */
const FILES = 6;
const MOST_SEGMENTS = 3000;
const MOST_WORDS = 370;
const MOST_ITEMS = 40;
/** Items that make a list where the question narrows nothing. */
const FEWEST = 2;
/** How plainly a term must be said. */
const SAID = 0.7;
/** Segments without a bullet among a heading's items, as a share of them: it introduces them. */
const MOST_PROSE = 0.5;
const SURE = { told: 0.85, untold: 0.6 } as const;

/** What stands one by one under a heading that names it. */
interface Collection {
  document: LibraryDocument;
  heading: string;
  items: SourceSegment[];
  /** How many of the question's terms its items or its place say. */
  told: number;
}

type SaysAll = (lines: readonly string[], terms: readonly number[]) => boolean;

/**
 * The items, rows or subheadings under the heading that names what is asked for, each with its
 * place: those that say the rest of the question, unless the heading or its file says it for all.
 */
export function answerItemList(material: Material, asked: ListAsked): Proposal | null {
  const { question, ranked, documents, files } = material;
  const { mark, none } = createVocabulary(question, ranked);
  const saysAll: SaysAll = (lines, terms) => {
    const said = none();
    for (const line of lines) for (const word of wordsOf(line).words) mark(said, word);
    return terms.every((at) => (said[at] ?? 0) >= SAID);
  };
  const ids = [...new Set(ranked.map(({ artifactId }) => artifactId))].slice(0, FILES);
  let best: Collection | null = null;
  for (const id of ids) {
    const document = documents.get(id);
    if (document === undefined) continue;
    const title = files.find(({ artifactId }) => artifactId === id)?.title ?? '';
    const names = [wordsOfFileName(document.fileName), title];
    for (const found of collectionsIn(document, names, material, asked, saysAll))
      if (best === null || found.told > best.told) best = found;
  }
  return best === null ? null : write(material, asked, best);
}

function collectionsIn(
  document: LibraryDocument,
  names: readonly string[],
  { question }: Material,
  { noun, about }: ListAsked,
  saysAll: SaysAll,
): Collection[] {
  const { text, segments } = document;
  const sections = sectionsOf({ ...document, segments: segments.slice(0, MOST_SEGMENTS) });
  const paths = new Map<string, readonly string[]>();
  for (const { headings } of sections)
    headings.forEach((_, depth) => {
      const path = headings.slice(0, depth + 1);
      paths.set(JSON.stringify(path), path);
    });
  return [...paths.values()].flatMap((path): Collection[] => {
    const heading = path.at(-1) ?? '';
    if (noun.length === 0 || !saysAll([heading], noun)) return [];
    const all = itemsUnder(document, path, sections);
    const place = [...names, ...path];
    const left = about.filter((at) => !saysAll(place, [at]));
    const placed = question.dates.filter(
      ({ range }) => !place.some((line) => saysDate(line, range)),
    );
    const items = all.filter((item) => {
      const own = text.slice(item.start, item.end);
      return saysAll([own], left) && placed.every(({ range }) => saysDate(own, range));
    });
    const narrowed = left.length + placed.length > 0;
    if (items.length < (narrowed ? 1 : FEWEST)) return [];
    return [{ document, heading, items, told: about.length + question.dates.length }];
  });
}

const saysDate = (text: string, range: Parameters<typeof fitOf>[1]): boolean =>
  /\d/u.test(text) &&
  findDates(text.slice(0, 400), ['en', 'de', 'fr', 'es', 'it', 'pt', 'nl']).some(
    (mention) => fitOf(mention, range) > 0,
  );

/** The bullets, rows or definitions directly under a heading, or else the headings under it. */
function itemsUnder(
  { text, segments }: LibraryDocument,
  path: readonly string[],
  sections: readonly Section[],
): SourceSegment[] {
  const isUnder = (headings: readonly string[]): boolean =>
    headings.length >= path.length && path.every((heading, i) => headings[i] === heading);
  const direct = sections
    .filter(({ headings }) => headings.length === path.length && isUnder(headings))
    .flatMap((section) => section.segments);
  const items = direct.filter(({ kind }) => kind === 'list' || kind === 'definition');
  const prose = direct.filter(({ kind }) => kind === 'prose');
  if (items.length > 0) return prose.length > MOST_PROSE * items.length + 1 ? [] : items;
  const rows = direct.filter(({ kind }) => kind === 'table');
  if (rows.length > 1) return withoutHeader(rows, text);
  return segments.slice(0, MOST_SEGMENTS).filter((segment) => {
    const { kind, headings, start, end } = segment;
    if (kind !== 'heading' || !isUnder(headings)) return false;
    const own = text.slice(start, end).trim();
    const above = headings.at(-1) === own ? headings.slice(0, -1) : headings;
    return above.length === path.length && own !== path.at(-1);
  });
}

/** The first row names the columns where it is the only one without a figure. */
function withoutHeader(rows: SourceSegment[], text: string): SourceSegment[] {
  const hasFigure = ({ start, end }: SourceSegment): boolean =>
    /\p{N}/u.test(text.slice(start, end));
  const [first, ...rest] = rows;
  return first !== undefined && !hasFigure(first) && rest.every(hasFigure) ? rest : rows;
}

function write(
  { question }: Material,
  { about }: ListAsked,
  { document, heading, items, told }: Collection,
): Proposal {
  const shown: SourceSegment[] = [];
  let words = 20;
  for (const item of items.slice(0, MOST_ITEMS)) {
    words += countWords(document.text.slice(item.start, item.end)) + 2;
    if (words > MOST_WORDS && shown.length > 0) break;
    shown.push(item);
  }
  const laid = layOutSegments(
    document,
    shown.map((item) => (item.kind === 'heading' ? { ...item, kind: 'list' as const } : item)),
    1,
  );
  const citations: Citation[] = laid.citations;
  const more = items.length - shown.length;
  const rest = more > 0 ? `\n- ${sayIn(question.language).more.replace('{}', String(more))}` : '';
  const lead = `**${escapeMarkdown(heading)}** (${items.length}), ${escapeMarkdown(document.fileName)}:`;
  const sure = told > 0 || about.length > 0 ? SURE.told : SURE.untold;
  return { markdown: `${lead}\n\n${laid.markdown}${rest}`, citations, confidence: sure };
}
