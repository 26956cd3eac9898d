import { Box, Button, Group } from '@mantine/core';
import { IconInfoCircle } from '@tabler/icons-react';
import type { Artifact } from '@engram/contract';
import { useRetryArtifact } from '../../../artifacts/actions.ts';
import { UnlockButton } from '../../../artifacts/unlock-button.tsx';
import { IconButton } from '../../../components/icon-button.tsx';
import { lazyPart } from '../../../components/lazy-part.tsx';

const Progress = lazyPart(async () => ({
  default: (await import('../../../components/progress.tsx')).Progress,
}));

function stageOf({ stage, progress }: Artifact): string | null {
  if (stage === 'stored') return 'Waiting';
  if (stage === 'reading') return `Reading ${progress}%`;
  return stage === 'indexing' ? `Indexing ${progress}%` : null;
}

const toneOf = (file: Artifact): string => {
  if (file.stage === 'failed') return file.needsPassword ? 'warning' : 'danger';
  if (file.stage !== 'ready') return 'warning';
  return isSearchable(file) ? 'success' : 'ink-faint';
};

const isSearchable = ({ isVectorReady, artifactArchived }: Artifact): boolean =>
  isVectorReady && !artifactArchived;

/** Why answers cannot use a file; null if they can, or during extraction. */
export function reasonOf(file: Artifact): string | null {
  if (file.stage !== 'failed' && (file.stage !== 'ready' || isSearchable(file))) return null;
  return file.artifactArchived && file.isVectorReady
    ? 'Archived: left out of search.'
    : file.statusReason;
}

export function Readiness({ file }: { file: Artifact }) {
  const { stage, progress, statusReason, needsPassword } = file;
  const hasFailed = stage === 'failed';
  const failure = needsPassword ? 'Needs a password' : 'Failed';
  const working = stageOf(file);
  return (
    <Box miw={0}>
      <Group gap={8}>
        <Group component="span" gap={7} wrap="nowrap" fw={500}>
          <Box
            component="span"
            flex="none"
            w={8}
            h={8}
            bdrs="50%"
            bg={`var(--eg-${toneOf(file)})`}
          />
          {isSearchable(file) ? 'Yes' : (working ?? (hasFailed ? failure : 'No'))}
        </Group>
        {statusReason && reasonOf(file) === null && <Note sentence={statusReason} file={file} />}
        {needsPassword && <UnlockButton file={file} />}
        {hasFailed && !needsPassword && <Retry file={file} />}
      </Group>
      {(stage === 'reading' || stage === 'indexing') && (
        <Progress
          maw={120}
          mt={2}
          size={3}
          share={Math.max(progress, 3) / 100}
          label={`Reading ${file.artifactFileName}`}
        />
      )}
    </Box>
  );
}

const Note = ({ sentence, file }: { sentence: string; file: Artifact }) => (
  <IconButton
    icon={IconInfoCircle}
    size={28}
    iconSize={16}
    label={`Note on ${file.artifactFileName}: ${sentence}`}
    tooltip={sentence}
    touch
  />
);

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
