import { wordsOf } from '../analysis/words.ts';
import type { LibraryDocument } from '../documents/document.ts';
import { isAskingWord } from '../question/wants.ts';
import { createVocabulary } from '../ranking/vocabulary.ts';
import type { Strengths, Vocabulary } from '../ranking/vocabulary.ts';
import type { Material } from './material.ts';
import { blocksOf, sectionsOf } from './sections.ts';
import type { Block, Section } from './sections.ts';

/** A block near a passage that was found, and how well it speaks of what is asked. */
export interface MatchedBlock {
  document: LibraryDocument;
  sections: readonly Section[];
  /** The position of its section among them. */
  at: number;
  /** The blocks of its section, and its position among them. */
  blocks: readonly Block[];
  position: number;
  /** Share of what is asked that it says, or what it stands under and beside: 0 to 1. */
  coverage: number;
  /** The share that its section's own heading says. */
  headed: number;
  /** Like `coverage`, but more for what stands nearer and for a better passage: to compare blocks. */
  score: number;
}

/** Passages, best first, whose sections are looked at. */
const PASSAGES = 12;
/** Files of so many units are looked at as a whole. */
const SHORT_FILE = 12_000;
/** Units that are read of all files together. */
const MOST_READ = 120_000;

/** What a word counts, by how near to the block it is said. */
const NEAR = { heading: 1, block: 0.9, section: 0.7, above: 0.6, file: 0.35 } as const;
/** Units from which on a section says several things. */
const LONG_SECTION = 1500;
/** What being in the first passage of all counts beside the words. */
const RANK = 0.2;
/** Passages that a section is behind its file's best when it holds none itself. */
const UNRANKED = 2;

/** A section with how early a passage of it was found. */
interface Found {
  document: LibraryDocument;
  sections: readonly Section[];
  at: number;
  rank: number;
}

/** The blocks of the sections in which the best passages stand, best first. */
export function matchBlocks(material: Material): MatchedBlock[] {
  const { question } = material;
  const vocabulary = createVocabulary(question);
  const said = foundSections(material).map((found) => readSection(vocabulary, found));
  const files = new Map<string, Strengths>();
  for (const { found, section, heading, above } of said) {
    const file = files.get(found.document.artifactId) ?? vocabulary.none();
    raiseTo(file, section);
    raiseTo(file, heading);
    raiseTo(file, above);
    files.set(found.document.artifactId, file);
  }
  for (const one of said) inherit(one, said);
  const weights = weigh(vocabulary, material, said);
  const total = weights.reduce((sum, weight) => sum + weight, 0) || 1;
  const share = (strength: (at: number) => number): number =>
    weights.reduce((sum, weight, at) => sum + weight * strength(at), 0) / total;
  return said
    .flatMap(({ found, blocks, heading, section, above }): MatchedBlock[] => {
      const focus = focusOf(blocks);
      const headed = share((at) => heading[at] ?? 0);
      const file = files.get(found.document.artifactId) ?? vocabulary.none();
      return blocks.map(({ strengths }, position) => {
        const near = (at: number): number =>
          Math.max(
            NEAR.heading * (heading[at] ?? 0),
            NEAR.block * (strengths[at] ?? 0),
            NEAR.section * focus * (section[at] ?? 0),
            NEAR.above * (above[at] ?? 0),
            NEAR.file * (file[at] ?? 0),
          );
        const coverage = share((at) =>
          Math.max(
            heading[at] ?? 0,
            focus * (section[at] ?? 0),
            above[at] ?? 0,
            0.5 * (file[at] ?? 0),
          ),
        );
        const { rank, ...where } = found;
        const score = share(near) + RANK * (1 - Math.min(rank, PASSAGES) / PASSAGES);
        return {
          ...where,
          blocks: blocks.map(({ block }) => block),
          position,
          coverage,
          headed,
          score,
        };
      });
    })
    .sort((a, b) => b.score - a.score);
}

/** The sections that overlap one of the best passages, and all of a short file. */
function foundSections({ ranked, documents }: Material): Found[] {
  const found = new Map<Section, Found>();
  const cut = new Map<string, Section[]>();
  let read = 0;
  ranked.slice(0, PASSAGES).forEach(({ artifactId, start, end }, rank) => {
    const document = documents.get(artifactId);
    if (document === undefined) return;
    const short = document.text.length <= SHORT_FILE;
    const sections = cut.get(artifactId) ?? sectionsOf(document);
    cut.set(artifactId, sections);
    sections.forEach((section, at) => {
      const [first, last] = [section.segments[0], section.segments.at(-1)];
      if (first === undefined || last === undefined) return;
      const overlaps = first.start < end && last.end > start;
      const known = found.get(section);
      if (!overlaps && (!short || known !== undefined)) return;
      const own = overlaps ? rank : rank + UNRANKED;
      if (known !== undefined) known.rank = Math.min(known.rank, own);
      else if (read < MOST_READ) {
        read += last.end - first.start;
        found.set(section, { document, sections, at, rank: own });
      }
    });
  });
  return [...found.values()];
}

/** What a section says of the question, and where. */
interface Said {
  found: Found;
  blocks: { block: Block; strengths: Strengths }[];
  heading: Strengths;
  section: Strengths;
  above: Strengths;
}

function readSection(vocabulary: Vocabulary, found: Found): Said {
  const { document, sections, at } = found;
  const own = sections[at] ?? { headings: [], segments: [] };
  const section = vocabulary.none();
  const blocks = blocksOf(document.text, own).map((block) => {
    const strengths = vocabulary.none();
    for (const { start, end } of block.segments) {
      read(vocabulary, strengths, document.text.slice(start, end));
    }
    raiseTo(section, strengths);
    return { block, strengths };
  });
  const heading = vocabulary.none();
  read(vocabulary, heading, own.headings.at(-1) ?? '');
  const above = vocabulary.none();
  for (const line of [...own.headings.slice(0, -1), document.fileName]) {
    read(vocabulary, above, line);
  }
  return { found, blocks, heading, section, above };
}

/** 1 for a section of a few lines: all of it says one thing; the less, the longer it is. */
function focusOf(blocks: Said['blocks']): number {
  const segments = blocks.flatMap(({ block }) => block.segments);
  const length = segments.reduce((sum, { start, end }) => sum + end - start, 0);
  return Math.min(1, LONG_SECTION / Math.max(1, length));
}

/** A section is about what the text before its parts is about. */
function inherit(one: Said, said: readonly Said[]): void {
  const own = one.found.sections[one.found.at]?.headings ?? [];
  for (const { found, section } of said) {
    const { headings } = found.sections[found.at] ?? { headings: [] };
    const isAbove =
      found.sections === one.found.sections &&
      headings.length < own.length &&
      headings.length > 0 &&
      headings.every((heading, i) => heading === own[i]);
    if (isAbove) raiseTo(one.above, section);
  }
}

function read({ mark }: Vocabulary, into: Strengths, text: string): void {
  for (const word of wordsOf(text).words) mark(into, word);
}

function raiseTo(into: Strengths, other: Strengths): void {
  other.forEach((strength, at) => (into[at] = Math.max(into[at] ?? 0, strength)));
}

/**
 * What each of the question's terms counts: the more, the fewer of the sections say it; and as much as
 * one that none says where a file is named or headed by it, as what is asked is about that.
 */
function weigh(
  { asked }: Vocabulary,
  { question }: Material,
  said: readonly Said[],
): readonly number[] {
  return asked.demands.map((demand, at) => {
    if (isAskingWord(question.terms[at]?.surface ?? '')) return 0;
    const isSubject = said.some(({ above }) => above[at] === 1);
    const holders = isSubject
      ? []
      : said.filter(({ heading, section }) => Math.max(heading[at] ?? 0, section[at] ?? 0) > 0);
    return demand * Math.log(2 + (said.length - holders.length) / (holders.length + 1));
  });
}
