import { fieldsAt } from '../analysis/fields.ts';
import { splitSentences } from '../analysis/sentences.ts';
import type { Span } from '../analysis/sentences.ts';
import { CAPITAL, DIGIT, wordsOf } from '../analysis/words.ts';
import type { LibraryDocument, LibraryFile } from '../documents/document.ts';
import { wordPattern } from '../documents/words/paper-words.ts';
import { isInstruction } from '../question/instructions-in-text.ts';
import type { Question } from '../question/question.ts';
import { asksForSummary, isAskingWord } from '../question/wants.ts';
import { createVocabulary } from '../ranking/vocabulary.ts';
import { citationIn } from './citation.ts';
import { escapeMarkdown } from './markdown.ts';
import type { Answerer, Material } from './material.ts';
import { countWords } from './quote.ts';
import { sectionsOf } from './sections.ts';
import type { Section } from './sections.ts';

/** Words of a summary: some for every file, a share of its own, and no more than so many. */
const LENGTH = { least: 60, share: 0.4, most: 370 } as const;
/** Words of a statement: less says nothing by itself, more is no main statement. */
const STATEMENT = { least: 3, most: 60 } as const;
/** Files, best first, of which one may be meant. */
const FILES = 5;
/** Units at a file's beginning that say what it is. */
const BEGINNING = 600;
/** Units of a file that are read: enough for what is said in its parts' beginnings. */
const MOST_READ = 200_000;
/** Parts of a file that are told apart: its sections, or, where it has more, its chapters. */
const MOST_PARTS = 14;
const DEPTHS = [9, 8, 7, 6, 5, 4, 3, 2, 1] as const;
/** Share of a file below which what stands under none of its headings is no part of it. */
const BESIDE = 0.15;
/** Words this short are in every file. */
const SHORT_WORD = 3;
/** What counts for a statement beside the words it shares with others. */
const WORTH = { first: 0.35, figure: 0.25, name: 0.15, summary: 0.6 } as const;

/** A stretch of a document that says something by itself. */
interface Statement extends Span {
  /** The headings of the part that it stands in. */
  part: string;
  heading: string;
  words: number;
  score: number;
}

/** Sums the file up that a question names: its parts with their main statements, in their order. */
export const answerSummary: Answerer = (material) => {
  const { question } = material;
  if (!asksForSummary(question.text)) return null;
  const [meant] = filesMeant(material);
  if (meant === undefined) return null;
  const { document, file, share } = meant;
  const statements = chosen(statementsOf(document, file, question));
  if (statements.length === 0) return null;
  const citations = statements.map((span, i) => citationIn(document, span, i + 1));
  return { markdown: layOut(document, statements), citations, confidence: share };
};

interface Meant {
  document: LibraryDocument;
  file: LibraryFile | undefined;
  /** The share of the question that its name and its beginning say. */
  share: number;
  score: number;
}

/** The files that may be meant, likeliest first. */
function filesMeant({ question, ranked, documents, files }: Material): Meant[] {
  const { asked, mark, none } = createVocabulary(question);
  const demands = asked.demands.map((demand, at) =>
    isAskingWord(question.terms[at]?.surface ?? '') ? 0 : demand,
  );
  const total = demands.reduce((sum, demand) => sum + demand, 0) || 1;
  const ids = [...new Set(ranked.map(({ artifactId }) => artifactId))].slice(0, FILES);
  return ids
    .flatMap((id, rank): Meant[] => {
      const document = documents.get(id);
      if (document === undefined) return [];
      const file = files.find(({ artifactId }) => artifactId === id);
      const said = none();
      const shareAfter = (lines: readonly string[]): number => {
        for (const line of lines) for (const word of wordsOf(line).words) mark(said, word);
        return demands.reduce((sum, demand, at) => sum + demand * (said[at] ?? 0), 0) / total;
      };
      const named = shareAfter([document.fileName, file?.title ?? '']);
      const share = shareAfter([document.text.slice(0, BEGINNING)]);
      return [{ document, file, share, score: named + share + 0.5 / (1 + rank) }];
    })
    .sort((a, b) => b.score - a.score);
}

/** What a document says, sentence by sentence; its tables only where it has nothing else. */
function statementsOf(
  document: LibraryDocument,
  file: LibraryFile | undefined,
  question: Question,
): Statement[] {
  const { text } = document;
  const sections = withoutRunningHeads(document);
  const partAt = (section: Section, depth: number): string =>
    JSON.stringify(section.headings.slice(0, depth));
  const depth = DEPTHS.find(
    (each) => new Set(sections.map((section) => partAt(section, each))).size <= MOST_PARTS,
  );
  const hasText = sections.some(({ segments }) => segments.some(({ kind }) => kind !== 'table'));
  let read = 0;
  const statements = sections.flatMap((section) => {
    const part = partAt(section, depth ?? 1);
    const heading = section.headings.slice(0, depth ?? 1).at(-1) ?? '';
    return section.segments.flatMap(({ kind, start, end }): Statement[] => {
      if (kind === 'code' || (kind === 'table' && hasText) || read > MOST_READ) return [];
      read += end - start;
      const whole = kind === 'definition' ? [{ start: 0, end: end - start }] : null;
      return (whole ?? splitSentences(text.slice(start, end))).flatMap((span): Statement[] => {
        const own = { start: start + span.start, end: start + span.end };
        const words = countWords(text.slice(own.start, own.end));
        if (words < STATEMENT.least || words > STATEMENT.most) return [];
        if (isInstruction(text, own, question.text)) return [];
        if (file?.kind === 'mail' && isMailHead(text, own, question)) return [];
        return [{ ...own, part, heading, words, score: 0 }];
      });
    });
  });
  return scored(text, statements);
}

/** Where a file has headings, what stands below none is a running head or foot, if it is little. */
function withoutRunningHeads(document: LibraryDocument): Section[] {
  const sections = sectionsOf(document);
  const isHeaded = ({ headings }: Section): boolean => headings.length > 0;
  const beside = sections
    .flatMap((section) => (isHeaded(section) ? [] : section.segments))
    .reduce((sum, { start, end }) => sum + end - start, 0);
  const isLittle = beside < BESIDE * document.text.length;
  return sections.some(isHeaded) && isLittle ? sections.filter(isHeaded) : sections;
}

/** 'From: …', 'Date: …': who wrote a mail to whom, and when, is nothing that it says. */
function isMailHead(text: string, { start, end }: Span, { languages }: Question): boolean {
  const name = fieldsAt(text, start, end)[0]?.name ?? '';
  const names = (['parties', 'dated', 'subject'] as const).map((one) =>
    wordPattern(languages, one),
  );
  return names.some((words) => words.exec(name)?.[0] === name);
}

/**
 * Scores statements by how much of what the file speaks of is in them (SumBasic, Nenkova and
 * Vanderwende, 2005: the mean frequency of their words), by figures and names, and the first of a
 * part and what stands under 'Summary' above the rest.
 */
function scored(text: string, statements: readonly Statement[]): Statement[] {
  const words = statements.map(({ start, end }) => wordsOf(text.slice(start, end)).words);
  const counts = new Map<string, number>();
  for (const own of words) {
    for (const lower of new Set(own.map((word) => word.lower)))
      if (lower.length > SHORT_WORD) counts.set(lower, (counts.get(lower) ?? 0) + 1);
  }
  const most = Math.max(1, ...counts.values());
  return statements.map((statement, i) => {
    const own = words[i] ?? [];
    const content = own.filter(({ lower }) => lower.length > SHORT_WORD);
    const shared = content.reduce((sum, { lower }) => sum + (counts.get(lower) ?? 0) / most, 0);
    const hasFigure = own.some(({ shape }) => (shape & DIGIT) !== 0);
    const hasName = own.slice(1).some(({ shape }) => (shape & CAPITAL) !== 0);
    const isFirst = statement.part !== statements[i - 1]?.part;
    const score =
      shared / Math.max(4, content.length) +
      WORTH.figure * Number(hasFigure) +
      WORTH.name * Number(hasName) +
      WORTH.first * Number(isFirst) +
      WORTH.summary * Number(asksForSummary(statement.heading));
    return { ...statement, score };
  });
}

/** The best statement of each part, then the best of all, for as long as there is room. */
function chosen(statements: readonly Statement[]): Statement[] {
  const total = statements.reduce((sum, { words }) => sum + words, 0);
  let room = Math.min(LENGTH.most, LENGTH.least + LENGTH.share * total);
  const best = [...statements].sort((a, b) => b.score - a.score);
  const leads = new Map(best.toReversed().map((one) => [one.part, one]));
  const isLead = (one: Statement): boolean => leads.get(one.part) === one;
  const kept = [...best.filter(isLead), ...best.filter((one) => !isLead(one))].filter((one) => {
    const words = one.words + 1 + (isLead(one) ? countWords(one.heading) : 0);
    if (words > room) return false;
    room -= words;
    return true;
  });
  return kept.sort((a, b) => a.start - b.start);
}

/** A line for each part: its heading, and what it says. */
function layOut(
  { text, fileName, segments }: LibraryDocument,
  statements: readonly Statement[],
): string {
  const start = statements[0]?.start ?? 0;
  const title = segments.findLast((one) => one.start <= start)?.headings[0] ?? fileName;
  const numbered = statements.map((one, i) => {
    const said = text.slice(one.start, one.end).replace(/^\s*(?:[-*+•]|\d{1,3}[.)])\s+/u, '');
    return { ...one, line: `${escapeMarkdown(said)} [${i + 1}]` };
  });
  const parts = Map.groupBy(numbered, ({ part }) => part).values();
  const lines = [...parts].flatMap((own) => {
    const said = own.map(({ line }) => line);
    const heading = own[0]?.heading ?? '';
    if (heading === '' || heading === title) return said.map((line) => `- ${line}`);
    return `- **${escapeMarkdown(heading)}**: ${said.join(' ')}`;
  });
  return `**${escapeMarkdown(title)}**\n\n${lines.join('\n')}`;
}
