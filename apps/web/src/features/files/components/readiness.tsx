import { Button, Text, Tooltip, UnstyledButton } from '@mantine/core';
import { IconInfoCircle } from '@tabler/icons-react';
import type { Artifact } from '@engram/contract';
import { lazy, Suspense } from 'react';
import { useRetryArtifact } from '../api/retry-artifact.ts';
import classes from './readiness.module.css';

// Most lists hold nothing that is being read.
const Progress = lazy(async () => ({
  default: (await import('../../../components/progress.tsx')).Progress,
}));

/** How far a file is that is not ready yet; null once nothing more happens by itself. */
function stageOf({ stage, progress }: Artifact): string | null {
  if (stage === 'stored') return 'Waiting';
  if (stage === 'reading') return `Reading ${progress}%`;
  return stage === 'indexing' ? `Indexing ${progress}%` : null;
}

const toneOf = ({ stage, isVectorReady }: Artifact): string => {
  if (stage === 'failed') return 'failed';
  if (stage !== 'ready') return 'waiting';
  return isVectorReady ? 'ready' : 'empty';
};

/** 'Yes', how far the file is, or what is wrong with it. */
export function Readiness({ file }: { file: Artifact }) {
  const { isVectorReady, stage, statusReason, progress } = file;
  const hasFailed = stage === 'failed';
  // What is wrong stands there to be read; what is merely to be known of a file waits to be asked for.
  const isTold = hasFailed || (stage === 'ready' && !isVectorReady);
  const working = stageOf(file);
  return (
    <div className={classes.readiness}>
      <div className={classes.line}>
        <span className={classes.answer} data-tone={toneOf(file)}>
          {isVectorReady ? 'Yes' : (working ?? (hasFailed ? 'Failed' : 'No'))}
        </span>
        {statusReason && !isTold && <Note sentence={statusReason} file={file} />}
        {hasFailed && <Retry file={file} />}
      </div>
      {(stage === 'reading' || stage === 'indexing') && (
        <Suspense>
          <Progress
            className={classes.progress ?? ''}
            size={3}
            share={Math.max(progress, 3) / 100}
            label={`Reading ${file.artifactFileName}`}
          />
        </Suspense>
      )}
      {isTold && statusReason && (
        <Text size="sm" mt={2} mb={4} c="dimmed" lh={1.4}>
          {statusReason}
        </Text>
      )}
    </div>
  );
}

/** What is to be known about a file that was read all the same. */
function Note({ sentence, file }: { sentence: string; file: Artifact }) {
  return (
    <Tooltip label={sentence} maw={300} events={{ hover: true, focus: true, touch: true }}>
      <UnstyledButton
        className={classes.note}
        aria-label={`Note on ${file.artifactFileName}: ${sentence}`}
      >
        <IconInfoCircle size={16} stroke={1.7} aria-hidden="true" />
      </UnstyledButton>
    </Tooltip>
  );
}

function Retry({ file }: { file: Artifact }) {
  const retry = useRetryArtifact();
  return (
    <Button
      variant="default"
      size="compact-xs"
      loading={retry.isPending}
      aria-label={`Retry ${file.artifactFileName}`}
      onClick={() => retry.mutate(file.artifactId)}
    >
      Retry
    </Button>
  );
}
