import type { Citation } from '@engram/contract';
import { useMemo, type ReactNode } from 'react';
import { reachAround, useArtifactSegments, useArtifactText, type ArtifactSegment } from '../api.ts';
import { findQuote, type Stretch } from '../quote-place.ts';
import { ViewerFailure, ViewerNote, ViewerSkeleton } from './viewer-states.tsx';

export interface ReadFile {
  text: string;
  /** Where the quote stands in the text; null when it is not there any more. */
  place: Stretch | null;
}

interface ReadTextProps {
  citation: Citation;
  children: (file: ReadFile) => ReactNode;
}

/** Fetches a file's extracted text, and says so when the quote is not in it any more. */
export function ReadText({ citation, children }: ReadTextProps) {
  const { data, error, isPending, refetch } = useArtifactText(citation.artifactId);
  const place = useMemo(
    () => (data === undefined ? null : findQuote(data, citation)),
    [data, citation],
  );
  if (isPending) return <ViewerSkeleton />;
  if (data === undefined) {
    return <ViewerFailure error={error} quote={citation.quote} onRetry={() => void refetch()} />;
  }
  return (
    <>
      {!place && (
        <ViewerNote>The quote is no longer in this file’s text: “{citation.quote}”</ViewerNote>
      )}
      {children({ text: data, place })}
    </>
  );
}

interface SegmentedFile extends ReadFile {
  /** Those around the quote, of the archive's member that is cited. */
  segments: readonly ArtifactSegment[];
}

const memberOf = ({ location }: Pick<Citation, 'location'>): unknown =>
  'path' in location ? location.path : null;

/** {@link ReadText}, with where in the file each stretch of the text stands. */
export function ReadSegments({
  citation,
  children,
}: {
  citation: Citation;
  children: (file: SegmentedFile) => ReactNode;
}) {
  return (
    <ReadText citation={citation}>
      {(file) => (
        <Segmented citation={citation} file={file}>
          {children}
        </Segmented>
      )}
    </ReadText>
  );
}

interface SegmentedProps {
  citation: Citation;
  file: ReadFile;
  children: (file: SegmentedFile) => ReactNode;
}

function Segmented({ citation, file, children }: SegmentedProps) {
  const at = file.place?.[0] ?? 0;
  const { data, error, isPending, refetch } = useArtifactSegments(citation.artifactId, at);
  const member = memberOf(citation);
  const segments = useMemo(
    () => data?.filter((segment) => memberOf(segment) === member),
    [data, member],
  );
  if (isPending) return <ViewerSkeleton />;
  if (!segments) {
    return <ViewerFailure error={error} quote={citation.quote} onRetry={() => void refetch()} />;
  }
  const { from, to } = reachAround(at);
  const cut = from > 0 || file.text.length > to;
  return (
    <>
      {cut && (
        <ViewerNote>This file is very long: only the part around the quote is shown.</ViewerNote>
      )}
      {children({ ...file, segments })}
    </>
  );
}
