import type { Citation } from '@engram/contract';
import { useMemo, type ReactNode } from 'react';
import {
  segmentRange,
  useArtifactSegments,
  useArtifactText,
  type ArtifactSegment,
} from '../api.ts';
import { findQuote, type TextRange } from '../find-in-text.ts';
import { Skeleton, Stack } from '@mantine/core';
import { IconFileOff } from '@tabler/icons-react';
import { ErrorState } from '../../../components/empty-state.tsx';
import { Notice } from '../../../components/notice.tsx';
import { Prose } from '../../../components/prose.tsx';

export interface ReadFile {
  text: string;
  /** The quote's range in the text, or null if it is no longer there. */
  place: TextRange | null;
}

interface ReadTextProps<File> {
  citation: Citation;
  children: (file: File) => ReactNode;
}

export function ReadText({ citation, children }: ReadTextProps<ReadFile>) {
  const { data, error, isPending, refetch } = useArtifactText(citation.artifactId);
  const place = useMemo(
    () => (data === undefined ? null : findQuote(data, citation)),
    [data, citation],
  );
  if (isPending) return <ViewerSkeleton />;
  if (data === undefined) {
    return <ViewerFailure error={error} quote={citation.quote} onRetry={refetch} />;
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

export interface SegmentedFile extends ReadFile {
  /** The segments around the quote, of the cited member of an archive. */
  segments: readonly ArtifactSegment[];
}

const memberOf = ({ location }: Pick<Citation, 'location'>): unknown =>
  'path' in location ? location.path : null;

export function ReadSegments(props: ReadTextProps<SegmentedFile>) {
  return <ReadText {...props}>{(file) => <Segmented {...props} file={file} />}</ReadText>;
}

function Segmented({
  citation,
  file,
  children,
}: ReadTextProps<SegmentedFile> & { file: ReadFile }) {
  const quoteStart = file.place?.[0] ?? 0;
  const { data, error, isPending, refetch } = useArtifactSegments(citation.artifactId, quoteStart);
  const member = memberOf(citation);
  const segments = useMemo(
    () => data?.filter((segment) => memberOf(segment) === member),
    [data, member],
  );
  if (isPending) return <ViewerSkeleton />;
  if (!segments) {
    return <ViewerFailure error={error} quote={citation.quote} onRetry={refetch} />;
  }
  const { from, to } = segmentRange(quoteStart);
  const isCut = from > 0 || file.text.length > to;
  return (
    <>
      {isCut && (
        <ViewerNote>This file is very long, so only the part around the quote is shown.</ViewerNote>
      )}
      {children({ ...file, segments })}
    </>
  );
}

export const ViewerSkeleton = () => (
  <Stack component="section" gap={14} p={32} aria-busy="true" aria-label="Loading the file">
    {['92%', '97%', '88%', '95%', '40%', '93%', '90%', '60%'].map((width) => (
      <Skeleton key={width} height={14} width={width} />
    ))}
  </Stack>
);

export const ViewerNote = ({ children }: { children: ReactNode }) => (
  <Notice tone="warning" live="status" flex="none" bdrs={0}>
    {children}
  </Notice>
);

interface ViewerFailureProps {
  error: unknown;
  quote: string;
  onRetry: () => unknown;
}

/** Why a file cannot be shown. A deleted file has no retry. */
export const ViewerFailure = ({ error, quote, onRetry }: ViewerFailureProps) => (
  <ErrorState
    title="The file could not be opened"
    error={error}
    onRetry={onRetry}
    missing={{
      icon: <IconFileOff size={24} stroke={1.6} />,
      title: 'This file was deleted',
      text: 'It was deleted after the answer was given. Ask again to get an answer from your current files.',
    }}
  >
    {quote !== '' && (
      <Prose maw="62ch" mx="auto" px={16}>
        <blockquote>{quote}</blockquote>
      </Prose>
    )}
  </ErrorState>
);
