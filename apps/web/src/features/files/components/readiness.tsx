import { ActionIcon, Box, Button, Group, Tooltip } from '@mantine/core';
import { IconInfoCircle } from '@tabler/icons-react';
import type { Artifact } from '@engram/contract';
import { lazy, Suspense } from 'react';
import { useRetryArtifact } from '../../../artifacts/actions.ts';

// Most lists contain no file that is being extracted.
const Progress = lazy(async () => ({
  default: (await import('../../../components/progress.tsx')).Progress,
}));

/** The progress of a file that is not ready yet, else null. */
function stageOf({ stage, progress }: Artifact): string | null {
  if (stage === 'stored') return 'Waiting';
  if (stage === 'reading') return `Reading ${progress}%`;
  return stage === 'indexing' ? `Indexing ${progress}%` : null;
}

const toneOf = (file: Artifact): string => {
  if (file.stage === 'failed') return 'danger';
  if (file.stage !== 'ready') return 'warning';
  return isSearchable(file) ? 'success' : 'ink-faint';
};

/** Whether answers can use the file. */
const isSearchable = ({ isVectorReady, artifactArchived }: Artifact): boolean =>
  isVectorReady && !artifactArchived;

/** Why answers cannot use a file; null if they can, or while it is being extracted. */
export function reasonOf(file: Artifact): string | null {
  if (file.stage !== 'failed' && (file.stage !== 'ready' || isSearchable(file))) return null;
  return file.artifactArchived && file.isVectorReady
    ? 'Archived: left out of search.'
    : file.statusReason;
}

/** 'Yes', 'No', 'Failed', or the progress of the extraction. */
export function Readiness({ file }: { file: Artifact }) {
  const { stage, progress, statusReason } = file;
  const hasFailed = stage === 'failed';
  const working = stageOf(file);
  return (
    <Box miw={0}>
      <Group gap={8}>
        <Group component="span" gap={7} wrap="nowrap" fw={500}>
          <Box component="span" w={8} h={8} bdrs="50%" bg={`var(--eg-${toneOf(file)})`} />
          {isSearchable(file) ? 'Yes' : (working ?? (hasFailed ? 'Failed' : 'No'))}
        </Group>
        {statusReason && reasonOf(file) === null && <Note sentence={statusReason} file={file} />}
        {hasFailed && <Retry file={file} />}
      </Group>
      {(stage === 'reading' || stage === 'indexing') && (
        <Suspense>
          <Progress
            maw={120}
            mt={2}
            size={3}
            share={Math.max(progress, 3) / 100}
            label={`Reading ${file.artifactFileName}`}
          />
        </Suspense>
      )}
    </Box>
  );
}

/** A note on a file that is ready all the same. */
function Note({ sentence, file }: { sentence: string; file: Artifact }) {
  return (
    <Tooltip label={sentence} maw={300} events={{ hover: true, focus: true, touch: true }}>
      <ActionIcon
        variant="subtle"
        color="gray"
        size={28}
        aria-label={`Note on ${file.artifactFileName}: ${sentence}`}
      >
        <IconInfoCircle size={16} stroke={1.7} aria-hidden="true" />
      </ActionIcon>
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
      onClick={() => retry.mutate({ params: { artifactId: file.artifactId } })}
    >
      Retry
    </Button>
  );
}
