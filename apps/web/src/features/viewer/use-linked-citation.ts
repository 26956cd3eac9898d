import type { Citation } from '@engram/contract';
import { locationAt } from '@engram/contract/browser';
import { useArtifactText, useSegmentAt } from './api.ts';
import { useSignedFile } from '../../artifacts/signed-file.ts';
import { wholeFile } from '../../artifacts/evidence.ts';

/** A stretch of a file's text, in UTF-16 units. */
export interface LinkedStretch {
  start: number;
  end: number;
}

/** What a link to a file leads to: a stretch of its text at its place, or the file's beginning. */
export function useLinkedCitation(artifactId: string, stretch: LinkedStretch | null) {
  const file = useSignedFile(artifactId);
  const known = file.data !== undefined;
  const text = useArtifactText(artifactId, known && stretch !== null);
  const segment = useSegmentAt(artifactId, stretch?.start ?? 0);

  const citationOf = (): Citation | null => {
    if (file.data === undefined) return null;
    const whole = wholeFile({ ...file.data, artifactId });
    if (stretch === null) return whole;
    if (text.data === undefined || segment.data === undefined) return null;
    const quote = text.data.slice(stretch.start, stretch.end);
    // The file was read anew, and is shorter now.
    if (quote === '' || segment.data === null) return whole;
    const location = locationAt({ text: text.data, segments: [segment.data] }, stretch);
    return { ...whole, n: 1, location, quote, ...stretch };
  };
  return {
    citation: citationOf(),
    error: file.error ?? (stretch === null ? null : (text.error ?? segment.error)),
    retry: () => void Promise.all([file.refetch(), stretch && text.refetch(), segment.refetch()]),
  };
}
