import type { Citation } from '@engram/contract';
import { locationAt } from '@engram/contract/browser';
import { Button, Group, Paper } from '@mantine/core';
import { IconFileOff } from '@tabler/icons-react';
import { useEffect, useRef } from 'react';
import { Link, useParams, useSearchParams } from 'react-router';
import { fileCitation, openEvidence } from '../artifacts/evidence.ts';
import { useSignedFile } from '../artifacts/signed-file.ts';
import { ErrorState } from '../components/empty-state.tsx';
import { LoadingBlocks } from '../components/loading-blocks.tsx';
import { Page } from '../components/page.tsx';
import { useArtifactText, useSegmentAt } from '../features/viewer/api.ts';
import { PassageCard } from '../features/viewer/components/passage-card.tsx';
import { paths } from './paths.ts';

interface LinkedRange {
  start: number;
  end: number;
}

function useLinkedCitation(artifactId: string, range: LinkedRange | null) {
  const file = useSignedFile(artifactId);
  const isLoaded = file.data !== undefined;
  const text = useArtifactText(artifactId, isLoaded && range !== null);
  const segment = useSegmentAt(artifactId, range?.start ?? 0);

  const citationOf = (): Citation | null => {
    if (file.data === undefined) return null;
    const whole = fileCitation({ ...file.data, artifactId });
    if (range === null) return whole;
    if (text.data === undefined || segment.data === undefined) return null;
    const quote = text.data.slice(range.start, range.end);
    // After another extraction the text may be shorter.
    if (quote === '' || segment.data === null) return whole;
    const location = locationAt({ text: text.data, segments: [segment.data] }, range);
    return { ...whole, n: 1, location, quote, ...range };
  };
  return {
    citation: citationOf(),
    error: file.error ?? (range === null ? null : (text.error ?? segment.error)),
    retry: () => Promise.all([file.refetch(), range && text.refetch(), segment.refetch()]),
  };
}

const isOffset = (text: string | null): text is string => text !== null && /^\d{1,9}$/u.test(text);

function parseRange(address: URLSearchParams): LinkedRange | null {
  const [from, to] = [address.get('from'), address.get('to')];
  if (!isOffset(from) || !isOffset(to) || Number(to) <= Number(from)) return null;
  return { start: Number(from), end: Number(to) };
}

export default function SourcePage() {
  const { artifactId = '' } = useParams();
  const [address] = useSearchParams();
  return (
    <Source key={`${artifactId} ${address}`} artifactId={artifactId} range={parseRange(address)} />
  );
}

/** Opens the citation once it is loaded. Returns a function that opens it again. */
function useOpenOnLoad(citation: Citation | null): () => void {
  const isOpen = useRef(false);
  const open = (): void => {
    if (!citation) return;
    const noun = citation.quote === '' ? 'file' : 'passage';
    openEvidence({ list: [citation], n: citation.n, noun });
  };
  useEffect(() => {
    if (!citation || isOpen.current) return;
    isOpen.current = true;
    open();
  });
  return open;
}

function Source({ artifactId, range }: { artifactId: string; range: LinkedRange | null }) {
  const { citation, error, retry } = useLinkedCitation(artifactId, range);
  const open = useOpenOnLoad(citation);
  return (
    <Page title={citation?.fileName ?? 'Source'} width="text">
      {citation === null &&
        (error === null ? (
          <LoadingBlocks label="Loading the file" heights={[96]} />
        ) : (
          <ErrorState
            title="The file could not be loaded"
            error={error}
            onRetry={retry}
            missing={{
              icon: <IconFileOff size={24} stroke={1.6} />,
              title: 'This file is not in your library',
              text: 'It may have been deleted, or the link may be for another user.',
            }}
          />
        ))}
      {citation && (
        <>
          <Paper withBorder p={16} radius={12}>
            <PassageCard {...citation} terms={[]} />
          </Paper>
          <Group mt={16} gap={8} align="stretch">
            <Button onClick={open}>Open this passage</Button>
            <Button variant="default" component={Link} to={paths.files}>
              All files
            </Button>
          </Group>
        </>
      )}
    </Page>
  );
}
