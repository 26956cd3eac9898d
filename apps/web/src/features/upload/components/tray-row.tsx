import type { Artifact } from '@engram/contract';
import { ActionIcon, Button, FileButton, Group, Stack, Text, type TextProps } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { useRetryArtifact } from '../../../artifacts/actions.ts';
import type { OpenedFile } from '../../../artifacts/evidence.ts';
import { fileLook } from '../../../artifacts/file-types.ts';
import { FileName } from '../../../components/file-name.tsx';
import { FileTypeIcon } from '../../../components/file-type-icon.tsx';
import { Progress } from '../../../components/progress.tsx';
import { formatBytes, formatDuration } from '../../../format/format.ts';
import type { UploadItem } from '../upload-item.ts';
import type { UploadQueue } from '../upload-queue.ts';
import { useAppSettings } from '../../../api/settings.ts';
import { needsShrinking } from '../file-rules.ts';

interface TrayRowProps {
  item: UploadItem;
  queue: UploadQueue;
  /** The file on the server, once it is known. */
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
  // All of it is sent, but the server still checks and stores it.
  if (step === 'sending' && item.progress >= 1) return 'Storing…';
  if (step === 'sending') return `Sending ${Math.floor(item.progress * 100)}%`;
  if (step === 'reading') return `Reading ${reading?.progress ?? 0}%`;
  return step === 'ready' ? 'Ready' : 'Failed';
}

/** One file of the tray: how far it is, and what can be done with it. */
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
    <Stack component="li" gap={6}>
      <Group gap="xs" wrap="nowrap">
        <FileTypeIcon fileName={item.name} fileType={item.file.type} />
        <Text component="div" size="sm" fw={500} flex={1} miw={0}>
          <FileName name={item.name} />
        </Text>
        <Text size="xs" c={step === 'failed' ? 'red' : 'dimmed'} fw={500} flex="none">
          {statusText(item, reading)}
        </Text>
        <ActionIcon
          variant="subtle"
          color="gray"
          size={26}
          aria-label={
            step === 'sending' || step === 'waiting' ? `Cancel ${item.name}` : `Hide ${item.name}`
          }
          onClick={() => queue.remove(item)}
        >
          <IconX size={14} />
        </ActionIcon>
      </Group>
      {(step === 'sending' || step === 'reading') && (
        <Progress
          size={3}
          share={share}
          label={`${step === 'sending' ? 'Upload' : 'Reading'} of ${item.name}`}
        />
      )}
      {step === 'failed' ? (
        <Text size="xs" c="red">
          {reason}
        </Text>
      ) : (
        <ShrinkNote item={item} />
      )}
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
    </Stack>
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

/** Says that a picture is or was shrunk. */
export function ShrinkNote({ item, ...text }: TextProps & { item: UploadItem }) {
  const settings = useAppSettings();
  const notice = needsShrinking(item.file, settings)
    ? `Larger than ${settings.mediaLimitMb} MB: it is shrunk before it is sent.`
    : item.notice;
  return (
    notice && (
      <Text size="xs" c="dimmed" {...text}>
        {notice}
      </Text>
    )
  );
}
