import { plural } from '../../format/format.ts';
import type { Answer } from './answer.ts';
import { isFound } from './found-places.ts';
import { withoutEscapes } from '../../components/markdown/markdown-text.ts';

export function statusOf(answer: Answer, pending: boolean): string {
  const { grounded, citations, found, nearest, step, unverified, stopped } = answer;
  if (stopped) return 'The answer was stopped.';
  if (pending) return step ?? 'Searching your files';
  if (!grounded) {
    const shown = nearest.length > 0 ? ` Below: ${plural(nearest.length, 'nearest passage')}.` : '';
    return `Your files hold no answer.${shown}`;
  }
  if (isFound(answer)) return `Found in your files: ${plural(found.length, 'place')}.`;
  const sources = `The answer is complete, with ${plural(citations.length, 'source')}.`;
  if (unverified.length === 0) return sources;
  return `${sources} Not verified: ${plural(unverified.length, 'sentence')}.`;
}

export function originOf(answer: Answer): string | null {
  const { writtenBy, grounded, citations, nearest, stopped } = answer;
  if (stopped) return 'Stopped before it was complete';
  if (!grounded) return nearest.length > 0 ? plural(nearest.length, 'nearest passage') : null;
  if (writtenBy !== null && writtenBy !== 'files') return `Written by ${writtenBy}`;
  const files = new Set(citations.map(({ artifactId }) => artifactId)).size;
  if (files === 0) return null;
  return `${writtenBy === null ? 'From' : 'Quoted from'} ${plural(files, 'file')}`;
}

/** Two or three lines, in UTF-16 units. */
const PREVIEW_LENGTH = 220;
/** The beginning of an answer that is read for it: Markdown takes some of it. */
const READ_LENGTH = 1200;

/** The beginning of an answer as plain text on one line, without its formatting and its citations. */
export function previewOf(markdown: string): string {
  const plain = markdown
    .slice(0, READ_LENGTH)
    .replaceAll(/^[ \t]*(?:[-*+]|\d+[.)]|#{1,6}|>|\|[ \t:|-]+$)\s*/gmu, '')
    .replaceAll(/(?<!\\)\[\d+\]/gu, '')
    .replaceAll('[unverified]', '(not verified)')
    .replaceAll(/!?\[([^[\]]*)\]\([^()]*(?:\([^()]*\)[^()]*)*\)/gu, '$1')
    .replaceAll(/(?<!\\)(?:\*{1,3}|`+|~~)/gu, '')
    .replaceAll(/(?<![\p{L}\p{N}\\])_{1,2}(?=\S)|(?<=\S)(?<!\\)_{1,2}(?![\p{L}\p{N}])/gu, '')
    .replaceAll('|', ' ');
  const text = withoutEscapes(plain)
    .replaceAll(/\s+/gu, ' ')
    .replaceAll(/ (?=[.,;:!?])/gu, '')
    .trim();
  return text.length <= PREVIEW_LENGTH
    ? text
    : `${text.slice(0, PREVIEW_LENGTH).trimEnd().toWellFormed()}…`;
}
