import { ApiError } from '@engram/client';
import { Button } from '@mantine/core';
import { IconFileOff } from '@tabler/icons-react';
import { lazy, Suspense, useState } from 'react';
import { Link, useParams, useSearchParams } from 'react-router';
import { EmptyState } from '../components/empty-state.tsx';
import { ErrorState } from '../components/error-state.tsx';
import { LoadingBlocks } from '../components/loading-blocks.tsx';
import { Page } from '../components/page.tsx';
import {
  type LinkedStretch,
  useLinkedCitation,
} from '../features/viewer/api/get-linked-citation.ts';
import { PassageCard } from '../features/viewer/components/passage-card.tsx';
import { paths } from './paths.ts';
import classes from './source-page.module.css';

const SourceViewer = lazy(() => import('../features/viewer/components/source-viewer.tsx'));

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

interface SourceProps {
  artifactId: string;
  stretch: LinkedStretch | null;
}

function Source({ artifactId, stretch }: SourceProps) {
  const { citation, error, retry } = useLinkedCitation(artifactId, stretch);
  const [open, setOpen] = useState(true);
  const n = citation?.n ?? 0;
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
          <div className={classes.card}>
            <PassageCard
              artifactId={artifactId}
              start={citation.start}
              end={citation.end}
              terms={[]}
            />
          </div>
          <div className={classes.buttons}>
            <Button onClick={() => setOpen(true)}>Open at this place</Button>
            <Button variant="default" component={Link} to={paths.files}>
              All files
            </Button>
          </div>
          <Suspense>
            <SourceViewer
              citations={[citation]}
              n={open ? n : null}
              noun="passage"
              onNavigate={() => setOpen(true)}
              onClose={() => setOpen(false)}
            />
          </Suspense>
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
