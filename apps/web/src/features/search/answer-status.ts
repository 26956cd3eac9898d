import { plural } from '../../format/format.ts';
import type { Answer } from './answer.ts';
import { isFound } from './found-places.ts';

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
