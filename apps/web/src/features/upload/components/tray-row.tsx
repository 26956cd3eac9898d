import type { Artifact } from '@engram/contract';
import { Button, FileButton, Group, Text } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { useRetryArtifact } from '../../../artifacts/actions.ts';
import {
  fileView,
  hasEvidencePane,
  openEvidence,
  type OpenedFile,
} from '../../../artifacts/evidence.ts';
import { generatePath, useNavigate } from 'react-router';
import { paths } from '../../../app/paths.ts';
import { UnlockButton } from '../../../artifacts/unlock-button.tsx';
import { fileLook } from '../../../artifacts/file-types.ts';
import { IconButton } from '../../../components/icon-button.tsx';
import { formatBytes, formatDuration } from '../../../format/format.ts';
import type { UploadItem } from '../upload-item.ts';
import { useUploadQueue } from '../upload-queue.ts';
import { ItemRow, sendingText } from './item-row.tsx';

interface TrayRowProps {
  item: UploadItem;
  artifact: Artifact | undefined;
}

/** The type and the size of a file: 'PDF · 3.2 MB', 'MP3 · 4:12'. */
function factsOf(item: UploadItem, artifact: Artifact | undefined): string {
  if (item.note !== null) return 'Note';
  const { label } = fileLook({ fileName: item.name, fileType: item.file.type });
  const ms = artifact?.durationMs;
  return `${label} · ${ms ? formatDuration(ms) : formatBytes(item.size)}`;
}

function statusText(item: UploadItem, artifact: Artifact | undefined): string {
  const step = stateOf(item, artifact);
  if (step === 'waiting') return 'Waiting';
  if (step === 'sending') return sendingText(item);
  if (step === 'reading') return `Reading ${artifact?.progress ?? 0}%`;
  if (step === 'ready') return 'Ready';
  return artifact?.needsPassword ? 'Needs a password' : 'Failed';
}

export function TrayRow({ item, artifact }: TrayRowProps) {
  const queue = useUploadQueue();
  const navigate = useNavigate();
  const retry = useRetryArtifact();
  const step = stateOf(item, artifact);
  const { artifactId } = item;
  const file = artifactId && {
    artifactId,
    fileName: artifact?.artifactFileName ?? item.name,
    fileType: artifact?.artifactFileType ?? item.file.type,
    path: artifact?.path ?? item.path,
  };
  const ask = ({ artifactId, fileName }: OpenedFile): void =>
    void navigate(paths.search, { state: { files: [{ artifactId, fileName }] } });
  const open = (opened: OpenedFile): void => {
    if (hasEvidencePane()) openEvidence(fileView(opened));
    else void navigate(generatePath(paths.source, { artifactId: opened.artifactId }));
  };
  const reason = item.message ?? artifact?.statusReason;
  const share = step === 'reading' ? (artifact?.progress ?? 0) / 100 : item.progress;
  return (
    <ItemRow
      item={item}
      state={statusText(item, artifact)}
      progress={
        step === 'sending' || step === 'reading'
          ? { share, label: `${step === 'sending' ? 'Upload' : 'Reading'} of ${item.name}` }
          : null
      }
      failure={step === 'failed' && reason}
      buttons={
        <IconButton
          icon={IconX}
          size={26}
          iconSize={14}
          label={`${step === 'sending' || step === 'waiting' ? 'Cancel' : 'Hide'} ${item.name}`}
          onClick={() => queue.remove(item)}
        />
      }
    >
      {step === 'ready' && file && (
        <Group gap="xs" justify="space-between">
          <Text size="xs" c="dimmed">
            {factsOf(item, artifact)}
          </Text>
          <Group gap={4}>
            <Button size="compact-xs" variant="light" onClick={() => ask(file)}>
              Ask about it
            </Button>
            <Button size="compact-xs" variant="subtle" onClick={() => open(file)}>
              Open
            </Button>
          </Group>
        </Group>
      )}
      {step === 'failed' && item.problem === 'lost' && (
        <FileButton onChange={(file) => file && queue.replace(item, file)}>
          {(button) => (
            <Button {...button} {...small} aria-label={`Choose ${item.name} again`}>
              Choose again
            </Button>
          )}
        </FileButton>
      )}
      {artifact?.needsPassword && (step === 'failed' || step === 'ready') && (
        <UnlockButton file={artifact} {...small} />
      )}
      {step === 'failed' && item.problem === null && !artifact?.needsPassword && (
        <Button
          {...small}
          loading={retry.isPending}
          onClick={() =>
            artifactId ? retry.mutate({ params: { artifactId } }) : queue.retry(item)
          }
        >
          Retry
        </Button>
      )}
    </ItemRow>
  );
}

const small = { size: 'compact-xs', variant: 'light', style: { alignSelf: 'start' } } as const;

export type TrayStep = 'waiting' | 'sending' | 'reading' | 'ready' | 'failed';

/** The step of an item. A file uploaded before, without an artifact here, is ready. */
export function stateOf(item: UploadItem, artifact: Artifact | undefined): TrayStep {
  if (item.status === 'chosen') return 'waiting';
  if (item.status !== 'sent') return item.status;
  if (artifact?.stage === 'failed') return 'failed';
  if (artifact) return artifact.stage === 'ready' ? 'ready' : 'reading';
  return item.isKnown ? 'ready' : 'reading';
}
