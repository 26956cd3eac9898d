import { ApiError } from '@engram/client';
import type { Citation } from '@engram/contract';
import { Button, Group, Paper } from '@mantine/core';
import { IconFileOff } from '@tabler/icons-react';
import { useCallback, useEffect, useRef } from 'react';
import { Link, useParams, useSearchParams } from 'react-router';
import { useEvidence } from '../artifacts/evidence.ts';
import { EmptyState } from '../components/empty-state.tsx';
import { ErrorState } from '../components/error-state.tsx';
import { LoadingBlocks } from '../components/loading-blocks.tsx';
import { Page } from '../components/page.tsx';
import { type LinkedStretch, useLinkedCitation } from '../features/viewer/use-linked-citation.ts';
import { PassageCard } from '../features/viewer/components/passage-card.tsx';
import { paths } from './paths.ts';

const isOffset = (text: string | null): text is string => text !== null && /^\d{1,9}$/u.test(text);

/** The stretch that the address names; null where it names the file alone. */
function stretchIn(address: URLSearchParams): LinkedStretch | null {
  const [from, to] = [address.get('from'), address.get('to')];
  if (!isOffset(from) || !isOffset(to) || Number(to) <= Number(from)) return null;
  return { start: Number(from), end: Number(to) };
}

/** One place of a file, for whoever follows a link that an assistant gave. */
export function SourcePage() {
  const { artifactId = '' } = useParams();
  const [address] = useSearchParams();
  return (
    <Source key={`${artifactId} ${address}`} artifactId={artifactId} stretch={stretchIn(address)} />
  );
}

/** Opens what the link leads to as soon as it is known, and again when it is asked for. */
function useOpenAtOnce(citation: Citation | null): () => void {
  const { open: openEvidence } = useEvidence();
  const isOpen = useRef(false);
  const open = useCallback(() => {
    if (!citation) return;
    const noun = citation.quote === '' ? 'file' : 'passage';
    openEvidence({ list: [citation], n: citation.n, noun });
  }, [citation, openEvidence]);
  useEffect(() => {
    if (!citation || isOpen.current) return;
    isOpen.current = true;
    open();
  }, [citation, open]);
  return open;
}

interface SourceProps {
  artifactId: string;
  stretch: LinkedStretch | null;
}

function Source({ artifactId, stretch }: SourceProps) {
  const { citation, error, retry } = useLinkedCitation(artifactId, stretch);
  const open = useOpenAtOnce(citation);
  return (
    <Page title={citation?.fileName ?? 'Source'} width="text">
      {citation === null &&
        (error === null ? (
          <LoadingBlocks label="Loading the file" heights={[96]} />
        ) : (
          <Missing error={error} onRetry={retry} />
        ))}
      {citation && (
        <>
          <Paper withBorder p={16} radius={12}>
            <PassageCard
              artifactId={artifactId}
              start={citation.start}
              end={citation.end}
              terms={[]}
            />
          </Paper>
          <Group mt={16} gap={8} align="stretch">
            <Button onClick={open}>Open at this place</Button>
            <Button variant="default" component={Link} to={paths.files}>
              All files
            </Button>
          </Group>
        </>
      )}
    </Page>
  );
}

/** The file is gone, or is somebody else's; or the server cannot be asked. */
function Missing({ error, onRetry }: { error: Error; onRetry: () => void }) {
  if (error instanceof ApiError && (error.status === 404 || error.status === 400)) {
    return (
      <EmptyState
        icon={<IconFileOff size={24} stroke={1.6} />}
        title="This file is not among yours"
        text="It may have been deleted, or the link may belong to somebody else."
      />
    );
  }
  return <ErrorState title="The file could not be loaded" error={error} onRetry={onRetry} />;
}
