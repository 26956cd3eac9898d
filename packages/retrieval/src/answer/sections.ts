import type { SourceDocument, SourceSegment } from '../types.ts';

/** What stands under one heading, up to the next. */
export interface Section {
  /** The headings above it and its own, outermost first; empty before the first heading. */
  headings: readonly string[];
  /** In the order of the document, the own heading left out. */
  segments: readonly SourceSegment[];
}

/**
 * Segments that belong together: a procedure with its lead-in and what stands between its steps,
 * a list, code with the sentence that explains it, a definition, rows of a table, a paragraph.
 */
export interface Block {
  kind: 'steps' | 'list' | 'code' | 'definition' | 'table' | 'prose';
  segments: SourceSegment[];
}

/** A document cut at its headings. */
export function sectionsOf({ segments }: SourceDocument): Section[] {
  const sections: { headings: string[]; segments: SourceSegment[] }[] = [];
  for (const segment of segments) {
    if (segment.kind === 'heading') continue;
    const last = sections.at(-1);
    if (last !== undefined && sameHeadings(last.headings, segment.headings)) {
      last.segments.push(segment);
    } else sections.push({ headings: segment.headings, segments: [segment] });
  }
  return sections;
}

const sameHeadings = (a: readonly string[], b: readonly string[]): boolean =>
  a === b || (a.length === b.length && a.every((heading, i) => heading === b[i]));

/** The number of an ordered step, or null. */
export function stepNumber(text: string): number | null {
  const number = /^\s*\(?(\d{1,3})[.)]\s/u.exec(text)?.[1];
  return number === undefined ? null : Number(number);
}

/** Paragraphs between two steps that still belong to the one before. */
const BETWEEN_STEPS = 4;

/** The blocks of a section, in its order. */
export function blocksOf(text: string, { segments }: Section): Block[] {
  const blocks: Block[] = [];
  for (let at = 0; at < segments.length;) {
    const end = blockEnd(text, segments, at);
    const own = segments.slice(at, end);
    const kind = kindOf(text, own);
    const before = blocks.at(-1);
    const leads = kind === 'steps' || kind === 'list' || kind === 'code';
    if (leads && before?.kind === 'prose' && before.segments.length === 1) blocks.pop();
    const lead = leads && before?.kind === 'prose' ? before.segments.slice(-1) : [];
    blocks.push({ kind, segments: [...lead, ...own] });
    at = end;
  }
  return blocks;
}

function kindOf(text: string, segments: readonly SourceSegment[]): Block['kind'] {
  const first = segments[0];
  if (first === undefined || first.kind === 'heading') return 'prose';
  if (first.kind !== 'list') return first.kind;
  return isProcedure(text, segments) ? 'steps' : 'list';
}

/** Characters of steps on average at most: the numbered items of minutes and contracts are longer. */
const LONGEST_STEPS = 160;
/** A name and a colon: what opens the clauses of a contract and the items of a form. */
const LABEL = /^\s*\(?\d{1,3}[.)]\s+\p{L}[^.:\n]{1,30}:\s/u;

/** Whether a list is one of steps: numbered, short, and few of them with a label. */
function isProcedure(text: string, segments: readonly SourceSegment[]): boolean {
  const lines = segments.flatMap(({ start, end }) => text.slice(start, end).split('\n'));
  if (stepNumber(lines[0] ?? '') === null) return false;
  const steps = lines.filter((line) => stepNumber(line) !== null);
  const length = steps.reduce((sum, step) => sum + step.length, 0);
  const labelled = steps.filter((step) => LABEL.test(step));
  return length <= LONGEST_STEPS * steps.length && labelled.length * 2 < steps.length;
}

function blockEnd(text: string, segments: readonly SourceSegment[], at: number): number {
  const first = segments[at];
  if (first === undefined || first.kind === 'prose' || first.kind === 'heading') return at + 1;
  const number = first.kind === 'list' ? stepNumber(text.slice(first.start, first.end)) : null;
  if (number !== null) return stepsEnd(text, segments, at);
  let end = at + 1;
  if (first.kind === 'definition') {
    // What follows a definition is said of it as long as it is no plain text.
    while (segments[end]?.kind === 'code' || segments[end]?.kind === 'list') end += 1;
  } else while (segments[end]?.kind === first.kind) end += 1;
  return end;
}

/** Where the steps end that begin at `at`: behind the last one that counts on, and its list and code. */
function stepsEnd(text: string, segments: readonly SourceSegment[], at: number): number {
  let end = at + 1;
  for (let next = end; next < segments.length && next - end <= BETWEEN_STEPS; next += 1) {
    const segment = segments[next];
    if (segment === undefined || segment.kind === 'table') break;
    const ofStep = segment.kind === 'list' || segment.kind === 'code';
    if (ofStep && (next === end || stepNumber(text.slice(segment.start, segment.end)) !== null)) {
      end = next + 1;
    }
  }
  return end;
}
