import type { Contents, StoredCitation, StoredSection } from './history.tables.ts';

export const REMOVED = 'Removed: the file was deleted.';

const marks = /(?:(?:\s?\[\d+\])+|\s?(?<!\\)\[unverified\])(?:[.!?…:;,](?=\s|$))?/gu;

const lineStart = /^\s*(?:[-*]\s+|\d+[.)]\s+|>\s*)?/u;

const repeated = new RegExp(`${REMOVED}(?:\\n+${REMOVED})+`, 'gu');

/** An unverified sentence may come from any of the files, so it counts as citing them. */
const cites = (text: string, removed: ReadonlySet<number>): boolean =>
  removed.size > 0 &&
  [...text.matchAll(/\[(\d+)\]|(?<!\\)\[unverified\]/gu)].some(
    ([, n]) => n === undefined || removed.has(Number(n)),
  );

/** Parts of a text that end with citation marks. The last one may have none. */
function citedParts(text: string): string[] {
  const ends = [...text.matchAll(marks)].map(({ 0: mark, index }) => index + mark.length);
  return [...ends, text.length].map((end, i) => text.slice(ends[i - 1] ?? 0, end)).filter(Boolean);
}

const leadOf = (line: string): string => lineStart.exec(line)?.[0] ?? '';

function redactLine(line: string, removed: ReadonlySet<number>): string {
  if (!cites(line, removed)) return line;
  // A row without one of its cells would break the table.
  if (line.startsWith('|')) return `| ${REMOVED} |`;
  const lead = leadOf(line);
  const parts = citedParts(line.slice(lead.length)).map((part) =>
    cites(part, removed) ? REMOVED : part.trim(),
  );
  return lead + parts.filter((part, i) => part !== REMOVED || parts[i - 1] !== REMOVED).join(' ');
}

function withoutQuotes(lines: readonly string[], removed: ReadonlySet<number>): string[] {
  let isRemoved = false;
  return lines.map((line) => {
    if (isRemoved && line.startsWith('>')) return '';
    if (line !== '') isRemoved = cites(line, removed);
    return line;
  });
}

/**
 * Replaces the parts of an answer that cite deleted files with a notice. Other citations keep their numbers.
 * @param lines lines of the answer that name a deleted file in a list of files, from 0
 */
export function redactAnswer(
  markdown: string,
  citations: readonly StoredCitation[],
  deleted: ReadonlySet<string>,
  lines: ReadonlySet<number> = new Set(),
): { markdown: string; citations: StoredCitation[] } {
  const removed = new Set(
    citations.filter(({ artifactId }) => deleted.has(artifactId)).map(({ n }) => n),
  );
  return {
    markdown: withoutQuotes(markdown.split('\n'), removed)
      .map((line, i) => (lines.has(i) ? leadOf(line) + REMOVED : redactLine(line, removed)))
      .join('\n')
      .replaceAll(repeated, REMOVED)
      .replace(/(?<!\n)\n+$/u, ''),
    citations: citations.filter(({ artifactId }) => !deleted.has(artifactId)),
  };
}

export const filesOf = ({
  citations,
  nearest,
  found,
  related,
  recommendations,
}: Contents): string[] =>
  [
    ...citations,
    ...nearest,
    ...found,
    ...found.flatMap(({ newer }) => newer ?? []),
    ...related,
    ...recommendations,
  ].map(({ artifactId }) => artifactId);

const namesNewer = ({ newer }: StoredSection, deleted: ReadonlySet<string>): boolean =>
  newer !== null && deleted.has(newer.artifactId);

function withoutNewer(
  { answer, found }: Pick<Contents, 'answer' | 'found'>,
  deleted: ReadonlySet<string>,
): string {
  const ends = found.filter((section) => namesNewer(section, deleted)).map(({ n }) => ` [${n}]`);
  if (ends.length === 0) return answer;
  const lines = answer.split('\n').map((line) => {
    const end = line.startsWith('**') && ends.find((mark) => line.endsWith(mark));
    // The note follows the file name, which is bold.
    const index = line.indexOf(' (newer: ', line.indexOf('**', 2));
    return end && index !== -1 ? line.slice(0, index) + end : line;
  });
  return lines.join('\n');
}

export function redactContents(entry: Contents, deleted: ReadonlySet<string>): Contents {
  const withoutDeleted = <T extends { artifactId: string }>(list: readonly T[]): T[] =>
    list.filter(({ artifactId }) => !deleted.has(artifactId));
  const named = entry.related.filter(({ artifactId }) => deleted.has(artifactId));
  const lines = new Set(named.flatMap(({ line }) => line ?? []));
  const answer = withoutNewer(entry, deleted);
  const { markdown, citations } = redactAnswer(answer, entry.citations, deleted, lines);
  return {
    answer: markdown,
    citations,
    nearest: withoutDeleted(entry.nearest),
    found: withoutDeleted(entry.found).map((section) =>
      namesNewer(section, deleted) ? { ...section, newer: null } : section,
    ),
    related: withoutDeleted(entry.related),
    recommendations: withoutDeleted(entry.recommendations),
  };
}
