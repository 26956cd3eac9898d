import { Group, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { useAppSettings } from '../../../api/settings.ts';
import { FileName } from '../../../components/file-name.tsx';
import { FileTypeIcon } from '../../../components/file-type-icon.tsx';
import { Progress } from '../../../components/progress.tsx';
import { needsShrinking } from '../file-rules.ts';
import type { UploadItem } from '../upload-item.ts';

/** The progress of sending. After all bytes are sent, the server checks and stores them. */
export const sendingText = ({ progress }: UploadItem): string =>
  progress >= 1 ? 'Storing…' : `Sending ${Math.floor(progress * 100)}%`;

interface ItemRowProps {
  item: UploadItem;
  state: ReactNode;
  progress: { share: number; label: string } | null;
  failure: string | false | null | undefined;
  buttons: ReactNode;
  children: ReactNode;
  className?: string;
}

export function ItemRow(props: ItemRowProps) {
  const { item, state, progress, failure, buttons, children, className = '' } = props;
  const settings = useAppSettings();
  const note = needsShrinking(item.file, settings)
    ? `Larger than ${settings.mediaLimitMb} MB. It is shrunk before it is sent.`
    : item.notice;
  return (
    <Stack component="li" className={className} gap={6} data-failed={failure ? true : undefined}>
      <Group gap="xs" wrap="nowrap">
        <FileTypeIcon fileName={item.name} fileType={item.file.type} />
        <Text component="div" size="sm" fw={500} flex={1} miw={0}>
          <FileName name={item.name} />
        </Text>
        <Text span flex="none" size="xs" c={failure ? 'red' : 'dimmed'} fw={500}>
          {state}
        </Text>
        {buttons}
      </Group>
      {progress && <Progress size={3} {...progress} />}
      {(failure || note) && (
        <Text size="xs" c={failure ? 'red' : 'dimmed'}>
          {failure || note}
        </Text>
      )}
      {children}
    </Stack>
  );
}
