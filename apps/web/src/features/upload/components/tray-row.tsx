import type { Artifact } from '@engram/contract';
import { Button, FileButton, Group, Text } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { useRetryArtifact } from '../../../artifacts/actions.ts';
import type { OpenedFile } from '../../../artifacts/evidence.ts';
import { fileLook } from '../../../artifacts/file-types.ts';
import { IconButton } from '../../../components/icon-button.tsx';
import { formatBytes, formatDuration } from '../../../format/format.ts';
import type { UploadItem } from '../upload-item.ts';
import type { UploadQueue } from '../upload-queue.ts';
import { ItemRow, sendingText } from './item-row.tsx';

interface TrayRowProps {
  item: UploadItem;
  queue: UploadQueue;
  reading: Artifact | undefined;
  onAsk: (file: OpenedFile) => void;
  onOpen: (file: OpenedFile) => void;
}

/** What a file is: 'PDF · 3.2 MB', 'MP3 · 4:12'. */
function factsOf(item: UploadItem, reading: Artifact | undefined): string {
  if (item.note !== null) return 'Note';
  const { label } = fileLook({ fileName: item.name, fileType: item.file.type });
  const ms = reading?.durationMs;
  return `${label} · ${ms ? formatDuration(ms) : formatBytes(item.size)}`;
}

function statusText(item: UploadItem, reading: Artifact | undefined): string {
  const step = stateOf(item, reading);
  if (step === 'waiting') return 'Waiting';
  if (step === 'sending') return sendingText(item);
  if (step === 'reading') return `Reading ${reading?.progress ?? 0}%`;
  return step === 'ready' ? 'Ready' : 'Failed';
}

export function TrayRow({ item, queue, reading, onAsk, onOpen }: TrayRowProps) {
  const again = useRetryArtifact();
  const step = stateOf(item, reading);
  const { artifactId } = item;
  const file = artifactId && {
    artifactId,
    fileName: reading?.artifactFileName ?? item.name,
    fileType: reading?.artifactFileType ?? item.file.type,
    path: reading?.path ?? item.path,
  };
  const reason = item.message ?? reading?.statusReason;
  const share = step === 'reading' ? (reading?.progress ?? 0) / 100 : item.progress;
  return (
    <ItemRow
      item={item}
      state={statusText(item, reading)}
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
            {factsOf(item, reading)}
          </Text>
          <Group gap={4}>
            <Button size="compact-xs" variant="light" onClick={() => onAsk(file)}>
              Ask about it
            </Button>
            <Button size="compact-xs" variant="subtle" onClick={() => onOpen(file)}>
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
      {step === 'failed' && item.problem === null && (
        <Button
          {...small}
          loading={again.isPending}
          onClick={() =>
            artifactId ? again.mutate({ params: { artifactId } }) : queue.retry(item)
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

/** The step of an item; a known file that is not among the newest was extracted before. */
export function stateOf(item: UploadItem, reading: Artifact | undefined): TrayStep {
  if (item.status === 'chosen') return 'waiting';
  if (item.status !== 'sent') return item.status;
  if (reading?.stage === 'failed') return 'failed';
  if (reading) return reading.stage === 'ready' ? 'ready' : 'reading';
  return item.isKnown ? 'ready' : 'reading';
}
