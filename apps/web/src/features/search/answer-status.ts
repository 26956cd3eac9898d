import { plural } from '../../format/format.ts';
import type { Answer } from './answer.ts';

/** What a screen reader is told while an answer comes in: never its words, once when it is there. */
export function statusOf(answer: Answer, pending: boolean): string {
  const { grounded, citations, nearest, step, unverified, stopped } = answer;
  if (stopped) return 'The answer was stopped.';
  if (pending) return step ?? 'Searching your files';
  if (!grounded) {
    const shown = nearest.length > 0 ? ` Below: ${plural(nearest.length, 'nearest passage')}.` : '';
    return `Your files hold no answer.${shown}`;
  }
  const sources = `The answer is complete, with ${plural(citations.length, 'source')}.`;
  if (unverified.length === 0) return sources;
  return `${sources} Not verified: ${plural(unverified.length, 'sentence')}.`;
}

/** Who wrote an answer, in a few words; null where there is none, or where that is not known. */
export function writtenBy({ writtenBy: by, grounded, citations, stopped }: Answer): string | null {
  if (stopped) return 'Stopped before it was complete';
  if (!grounded || by === null) return null;
  if (by !== 'files') return `Written by ${by}`;
  const files = new Set(citations.map(({ artifactId }) => artifactId)).size;
  return files === 0 ? null : `Quoted from ${plural(files, 'file')}`;
}
