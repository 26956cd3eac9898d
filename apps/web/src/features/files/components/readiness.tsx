import { ActionIcon, Box, Button, Group, Text, Tooltip } from '@mantine/core';
import { IconInfoCircle } from '@tabler/icons-react';
import type { Artifact } from '@engram/contract';
import { lazy, Suspense } from 'react';
import { useRetryArtifact } from '../api/retry-artifact.ts';

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

/** The colour of the dot; read to the end with nothing to search in it is neither good nor bad. */
const toneOf = ({ stage, isVectorReady }: Artifact): string => {
  if (stage === 'failed') return 'danger';
  if (stage !== 'ready') return 'warning';
  return isVectorReady ? 'success' : 'ink-faint';
};

/** 'Yes', how far the file is, or what is wrong with it. */
export function Readiness({ file }: { file: Artifact }) {
  const { isVectorReady, stage, statusReason, progress } = file;
  const hasFailed = stage === 'failed';
  // What is wrong stands there to be read; what is merely to be known of a file waits to be asked for.
  const isTold = hasFailed || (stage === 'ready' && !isVectorReady);
  const working = stageOf(file);
  return (
    <Box miw={0} maw={280}>
      <Group gap={8} wrap="nowrap">
        <Group component="span" gap={7} wrap="nowrap" fw={500}>
          <Box component="span" w={8} h={8} bdrs="50%" bg={`var(--eg-${toneOf(file)})`} />
          {isVectorReady ? 'Yes' : (working ?? (hasFailed ? 'Failed' : 'No'))}
        </Group>
        {statusReason && !isTold && <Note sentence={statusReason} file={file} />}
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
      {isTold && statusReason && (
        <Text size="sm" mt={2} mb={4} c="dimmed" lh={1.4}>
          {statusReason}
        </Text>
      )}
    </Box>
  );
}

/** What is to be known about a file that was read all the same. */
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
      onClick={() => retry.mutate(file.artifactId)}
    >
      Retry
    </Button>
  );
}
