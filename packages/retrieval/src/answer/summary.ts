import { splitSentences } from '../analysis/sentences.ts';
import type { Span } from '../analysis/sentences.ts';
import { CAPITAL, DIGIT, wordsOf } from '../analysis/words.ts';
import type { LibraryDocument } from '../documents/document.ts';
import { isInstruction } from '../question/instructions-in-text.ts';
import { asksForSummary, isAskingWord } from '../question/wants.ts';
import { createVocabulary } from '../ranking/vocabulary.ts';
import type { SourceSegment } from '../types.ts';
import { escapeMarkdown } from './markdown.ts';
import type { Answerer, Material } from './material.ts';
import { countWords } from './quote.ts';
import { sectionsOf } from './sections.ts';
import type { Section } from './sections.ts';

/** Words of a summary: some for every file, a share of its own, and no more than so many. */
const LENGTH = { least: 60, share: 0.4, most: 370 } as const;
/** Parts of a file that are told apart; the largest ones, where it has more. */
const MOST_PARTS = 14;
/** Words of a statement: less says nothing by itself, more is no main statement. */
const STATEMENT = { least: 3, most: 60 } as const;
/** Rows shown of a table, in a file of tables. */
const ROWS = 3;
/** Files, best first, of which one may be meant. */
const FILES = 5;
/** Units at a file's beginning that say what it is. */
const BEGINNING = 600;
/** Units of a file that are read: enough for what is said in its parts' beginnings. */
const MOST_READ = 200_000;
/** Share of a file below which what stands under none of its headings is no part of it. */
const BESIDE_HEADINGS = 0.15;
/** What a file's own summary is headed with. */
const OWN_SUMMARY =
  /\b(?:summary|abstract|conclusions?|key (?:points|findings)|in brief|decisions?|results?|zusammenfassung|fazit|ergebnisse?|beschlüsse|résumé|conclusions?|resumen|conclusiones|resumo|conclusões|riassunto|conclusioni)\b|要約|まとめ|摘要|结论|結論/iu;

/** A stretch of a document that says something by itself. */
interface Statement extends Span {
  segment: SourceSegment;
  part: number;
  words: number;
  score: number;
}

/** Sums the file up that a question names: its parts with their main statements, in their order. */
export const answerSummary: Answerer = (material) => {
  if (!asksForSummary(material.question.text)) return null;
  const meant = documentMeant(material);
  if (meant === null) return null;
  const { document, share } = meant;
  const parts = partsOf(document);
  const statements = chosen(document, parts, statementsOf(material, document, parts));
  if (statements.length === 0) return null;
  const citations = statements.map(({ start, end, segment: { location } }, i) => {
    const { artifactId, fileName } = document;
    const quote = document.text.slice(start, end);
    return { n: i + 1, artifactId, fileName, location, quote, start, end };
  });
  return { markdown: layOut(document, parts, statements), citations, confidence: share };
};

/** The file that is meant: what its name and its beginning say of the question, and its rank. */
function documentMeant(material: Material): { document: LibraryDocument; share: number } | null {
  const { question, ranked, documents, files } = material;
  const vocabulary = createVocabulary(question, ranked.slice(0, FILES));
  const demands = vocabulary.asked.demands.map((demand, at) =>
    isAskingWord(question.terms[at]?.surface ?? '') ? 0 : demand,
  );
  const total = demands.reduce((sum, demand) => sum + demand, 0) || 1;
  const ids = [...new Set(ranked.map(({ artifactId }) => artifactId))].slice(0, FILES);
  let best: { document: LibraryDocument; share: number; score: number } | null = null;
  for (const [rank, id] of ids.entries()) {
    const document = documents.get(id);
    if (document === undefined) continue;
    const title = files.find(({ artifactId }) => artifactId === id)?.title ?? '';
    const said = vocabulary.none();
    for (const line of [document.fileName, title, document.text.slice(0, BEGINNING)]) {
      for (const word of wordsOf(line).words) vocabulary.mark(said, word);
    }
    const share = demands.reduce((sum, demand, at) => sum + demand * (said[at] ?? 0), 0) / total;
    const score = share + 0.5 / (1 + rank);
    if (best === null || score > best.score) best = { document, share, score };
  }
  return best;
}

/** A file's parts: its sections, those of one chapter together where there are many. */
interface Part {
  heading: string;
  sections: Section[];
}

function partsOf(document: LibraryDocument): Part[] {
  const sections = withoutRunningHeads(document, sectionsOf(document));
  const shared = sharedHeadings(sections);
  for (let depth = 9; ; depth -= 1) {
    const parts = grouped(sections, shared, shared + depth);
    if (parts.length <= MOST_PARTS) return parts;
    if (depth > 1) continue;
    const sizes = parts.map(sizeOf).sort((a, b) => b - a);
    const least = sizes[MOST_PARTS - 1] ?? 0;
    return parts.filter((part) => sizeOf(part) >= least).slice(0, MOST_PARTS);
  }
}

const sizeOf = ({ sections }: Part): number =>
  sections.reduce((sum, { segments }) => sum + segments.length, 0);

/** Where a file has headings, what stands below none is a running head or foot, if it is little. */
function withoutRunningHeads({ text }: LibraryDocument, sections: Section[]): Section[] {
  const headed = sections.filter(({ headings }) => headings.length > 0);
  const others = sections.filter(({ headings }) => headings.length === 0);
  const length = others
    .flatMap(({ segments }) => segments)
    .reduce((sum, { start, end }) => sum + end - start, 0);
  return headed.length > 0 && length < BESIDE_HEADINGS * text.length ? headed : sections;
}

/** How many headings stand above all sections: they are the file's title. */
function sharedHeadings(sections: readonly Section[]): number {
  const first = sections[0]?.headings ?? [];
  let shared = 0;
  while (
    shared < first.length &&
    sections.every(({ headings }) => headings[shared] === first[shared])
  ) {
    shared += 1;
  }
  return shared;
}

function grouped(sections: readonly Section[], shared: number, depth: number): Part[] {
  const parts: Part[] = [];
  let key: string | null = null;
  for (const section of sections) {
    const path = section.headings.slice(0, depth);
    const own = JSON.stringify(path);
    const last = parts.at(-1);
    if (last !== undefined && own === key) last.sections.push(section);
    else {
      const heading = path.length > shared ? (path.at(-1) ?? '') : '';
      parts.push({ heading, sections: [section] });
    }
    key = own;
  }
  return parts;
}

function statementsOf(
  { question }: Material,
  document: LibraryDocument,
  parts: readonly Part[],
): Statement[] {
  const statements: Statement[] = [];
  const isText = ({ kind }: SourceSegment): boolean => kind !== 'code' && kind !== 'table';
  // A file of nothing but tables is summed up by what each begins with.
  const hasText = parts.some(({ sections }) => sections.some((one) => one.segments.some(isText)));
  let read = 0;
  parts.forEach(({ sections }, part) => {
    const segments = sections.flatMap((section) => section.segments);
    for (const segment of hasText ? segments.filter(isText) : segments.slice(0, ROWS)) {
      if (read > MOST_READ) return;
      read += segment.end - segment.start;
      statements.push(...statementsIn(document, segment, part, question.text));
    }
  });
  return scored(document, parts, statements);
}

function statementsIn(
  { text }: LibraryDocument,
  segment: SourceSegment,
  part: number,
  question: string,
): Statement[] {
  const { start, end, kind } = segment;
  const source = text.slice(start, end);
  const whole = kind === 'definition' || (kind === 'list' && !source.includes('\n'));
  const spans = whole ? [{ start: 0, end: end - start }] : splitSentences(source);
  return spans.flatMap((span): Statement[] => {
    const own = { start: start + span.start, end: start + span.end };
    const words = countWords(text.slice(own.start, own.end));
    if (words < STATEMENT.least || words > STATEMENT.most) return [];
    if (isInstruction(text, own, question)) return [];
    return [{ ...own, segment, part, words, score: 0 }];
  });
}

/** What counts for a statement beside the words it shares with others. */
const FIRST = 0.35;
const FIGURE = 0.25;
const NAME = 0.15;
const SUMMED_UP = 0.6;

/**
 * Scores statements by how much of what the file speaks of is in them (SumBasic, Nenkova and
 * Vanderwende, 2005: the mean frequency of their words), by figures and names, and the first of a
 * part above the rest.
 */
function scored(
  { text }: LibraryDocument,
  parts: readonly Part[],
  statements: readonly Statement[],
): Statement[] {
  const words = statements.map(({ start, end }) => wordsOf(text.slice(start, end)).words);
  const counts = new Map<string, number>();
  for (const list of words) {
    for (const lower of new Set(list.map((word) => word.lower))) {
      if (lower.length > 3) counts.set(lower, (counts.get(lower) ?? 0) + 1);
    }
  }
  const most = Math.max(1, ...counts.values());
  let before = -1;
  return statements.map((statement, i) => {
    const own = words[i] ?? [];
    const content = own.filter(({ lower }) => lower.length > 3);
    const shared = content.reduce((sum, { lower }) => sum + (counts.get(lower) ?? 0) / most, 0);
    let score = shared / Math.max(4, content.length);
    if (own.some(({ shape }) => (shape & DIGIT) !== 0)) score += FIGURE;
    if (own.slice(1).some(({ shape }) => (shape & CAPITAL) !== 0)) score += NAME;
    if (statement.part !== before) score += FIRST;
    if (OWN_SUMMARY.test(parts[statement.part]?.heading ?? '')) score += SUMMED_UP;
    before = statement.part;
    return { ...statement, score };
  });
}

/** The best statement of each part, then the best of all, for as long as there is room. */
function chosen(
  document: LibraryDocument,
  parts: readonly Part[],
  statements: readonly Statement[],
): Statement[] {
  const total = statements.reduce((sum, { words }) => sum + words, 0);
  const titles = parts.reduce((sum, { heading }) => sum + countWords(heading), 0);
  const room = Math.min(LENGTH.most, LENGTH.least + LENGTH.share * total) - titles;
  const best = [...statements].sort((a, b) => b.score - a.score);
  const leads = parts.flatMap((_, part) => best.find((one) => one.part === part) ?? []);
  const kept = new Set<Statement>();
  let words = 0;
  for (const statement of [...leads, ...best]) {
    if (kept.has(statement) || words + statement.words + 1 > room) continue;
    words += statement.words + 1;
    kept.add(statement);
  }
  return [...kept].sort((a, b) => a.start - b.start);
}

/** A line for each part: its heading, and what it says. */
function layOut(
  { text, fileName }: LibraryDocument,
  parts: readonly Part[],
  statements: readonly Statement[],
): string {
  const title = parts[0]?.sections[0]?.headings[0] ?? fileName;
  const lines = parts.flatMap(({ heading }, part): string[] => {
    const said = statements.flatMap((one, i) => {
      if (one.part !== part) return [];
      const statement = text
        .slice(one.start, one.end)
        .replace(/^\s*(?:[-*+•]|\d{1,3}[.)])\s+/u, '');
      return [`${escapeMarkdown(statement)} [${i + 1}]`];
    });
    if (said.length === 0) return [];
    if (heading === '' || heading === title) return said.map((one) => `- ${one}`);
    return [`- **${escapeMarkdown(heading)}**: ${said.join(' ')}`];
  });
  return `**${escapeMarkdown(title)}**\n\n${lines.join('\n')}`;
}
