import { Text, type TextProps } from '@mantine/core';
import { useAppSettings } from '../../../api/settings.ts';
import { needsShrinking } from '../file-rules.ts';
import type { UploadItem } from '../upload-item.ts';

/** Says that a picture is shrunk before it is sent, and by how much it was. */
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
