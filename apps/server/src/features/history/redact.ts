import type { Citation } from '@engram/contract';

/** What stands in an answer in place of a sentence whose file was deleted. */
export const REMOVED = 'Removed: the file was deleted.';

/** Citation marks in a row, with the closing punctuation. */
const marks = /(?:\s?\[\d+\])+(?:[.!?…:;,](?=\s|$))?/gu;

const lineStart = /^\s*(?:[-*]\s+|\d+[.)]\s+|>\s*)?/u;

const repeated = new RegExp(`${REMOVED}(?:\\n+${REMOVED})+`, 'gu');

const cites = (text: string, gone: ReadonlySet<number>): boolean =>
  [...text.matchAll(/\[(\d+)\]/gu)].some((match) => gone.has(Number(match[1])));

/** Text up to and with its citation marks; the last stretch may cite nothing. */
function stretchesOf(text: string): string[] {
  const ends = [...text.matchAll(marks)].map(({ 0: found, index }) => index + found.length);
  return [...ends, text.length].map((end, i) => text.slice(ends[i - 1] ?? 0, end)).filter(Boolean);
}

const leadOf = (line: string): string => lineStart.exec(line)?.[0] ?? '';

function redactLine(line: string, gone: ReadonlySet<number>): string {
  if (!cites(line, gone)) return line;
  // A table row that lost a cell would break the table.
  if (line.startsWith('|')) return `| ${REMOVED} |`;
  const lead = leadOf(line);
  const kept = stretchesOf(line.slice(lead.length)).map((part) =>
    cites(part, gone) ? REMOVED : part.trim(),
  );
  return lead + kept.filter((part, i) => part !== REMOVED || kept[i - 1] !== REMOVED).join(' ');
}

/**
 * Takes what deleted files said out of an answer: each stretch of text that cites one of them
 * becomes a notice, their citations go, and the others keep their numbers.
 *
 * @param lines lines of the answer, counted from 0, that name one of them: in a list of files
 */
export function redactAnswer(
  markdown: string,
  citations: readonly Citation[],
  deleted: ReadonlySet<string>,
  lines: ReadonlySet<number> = new Set(),
): { markdown: string; citations: Citation[] } {
  const gone = new Set(
    citations.filter(({ artifactId }) => deleted.has(artifactId)).map(({ n }) => n),
  );
  return {
    markdown: markdown
      .split('\n')
      .map((line, at) => (lines.has(at) ? leadOf(line) + REMOVED : redactLine(line, gone)))
      .join('\n')
      // Said once for paragraphs that follow each other.
      .replaceAll(repeated, REMOVED),
    citations: citations.filter(({ artifactId }) => !deleted.has(artifactId)),
  };
}
