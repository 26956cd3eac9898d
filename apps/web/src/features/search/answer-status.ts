import { plural } from '../../format/format.ts';
import type { Answer } from './answer.ts';
import { isFound } from './found-places.ts';
import { withoutEscapes } from '../../components/markdown/plain-text.ts';

/** What a screen reader is told while an answer comes in: never its words, once when it is there. */
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

/** Where an answer comes from, in a few words; null where it comes from nowhere. */
export function originOf(answer: Answer): string | null {
  const { writtenBy, grounded, citations, nearest, stopped } = answer;
  if (stopped) return 'Stopped before it was complete';
  if (!grounded) return nearest.length > 0 ? plural(nearest.length, 'nearest passage') : null;
  if (writtenBy !== null && writtenBy !== 'files') return `Written by ${writtenBy}`;
  const files = new Set(citations.map(({ artifactId }) => artifactId)).size;
  if (files === 0) return null;
  return `${writtenBy === null ? 'From' : 'Quoted from'} ${plural(files, 'file')}`;
}

/** As much as two or three lines hold, in UTF-16 units. */
const LONGEST = 220;
/** Longest beginning of an answer that is looked at: Markdown takes some of it. */
const LOOKED_AT = 1200;

/** The beginning of an answer as plain text on one line, without its formatting and its citations. */
export function previewOf(markdown: string): string {
  const plain = markdown
    .slice(0, LOOKED_AT)
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
  return text.length <= LONGEST ? text : `${text.slice(0, LONGEST).trimEnd().toWellFormed()}…`;
}
