import { ActionIcon, Box, Group, Text } from '@mantine/core';
import { IconCheck, IconTag, IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import { FileName } from '../../../components/file-name.tsx';
import { FileTypeIcon } from '../../../components/file-type-icon.tsx';
import { Progress } from '../../../components/progress.tsx';
import { formatBytes } from '../../../format/format.ts';
import type { UploadItem } from '../upload-item.ts';
import { KeywordInput } from './keyword-input.tsx';
import { ShrinkNote } from './tray-row.tsx';
import classes from './upload-panel.module.css';

interface UploadRowProps {
  item: UploadItem;
  onTag: (keywords: readonly string[]) => void;
  onRemove: () => void;
  /** True while the panel is sending. */
  locked: boolean;
}

function stateText(item: UploadItem): string {
  if (item.status === 'sent') return 'Uploaded';
  // All of it is sent, but the server still checks and stores it.
  if (item.status === 'sending' && item.progress >= 1) return 'Storing…';
  if (item.status === 'sending') return `${Math.floor(item.progress * 100)}%`;
  if (item.status === 'waiting') return 'Waiting';
  return formatBytes(item.size);
}

/** Below the name, and not below the icon. */
const below = { size: 'xs', ml: 29, mr: 6, my: 2 } as const;

/** A chosen file with its progress and its keywords. */
export function UploadRow(props: UploadRowProps) {
  const { item, onTag, onRemove, locked } = props;
  const [tagging, setTagging] = useState(false);
  return (
    <li className={classes.row} data-refused={item.status === 'failed' || undefined}>
      <Group gap={10} wrap="nowrap">
        <FileTypeIcon fileName={item.name} fileType={item.file.type} />
        <Box flex={1} miw={0} fz={14} fw={500}>
          <FileName name={item.name} />
        </Box>
        {item.status === 'sent' && (
          <IconCheck color="var(--eg-success)" size={16} stroke={2} aria-hidden="true" />
        )}
        <Text span flex="none" size="xs" c="dimmed">
          {stateText(item)}
        </Text>
        <ActionIcon
          variant="subtle"
          color="gray"
          size={30}
          aria-label={`Keywords of ${item.name}`}
          aria-expanded={tagging && !locked}
          disabled={locked}
          onClick={() => setTagging(!tagging)}
        >
          <IconTag size={16} stroke={1.7} />
        </ActionIcon>
        <ActionIcon
          variant="subtle"
          color="gray"
          size={30}
          aria-label={`Remove ${item.name}`}
          disabled={locked}
          onClick={onRemove}
        >
          <IconTrash size={16} stroke={1.7} />
        </ActionIcon>
      </Group>
      {(item.status === 'sending' || item.status === 'sent') && (
        <Progress mt={6} mr={6} size={3} share={item.progress} label={`Upload of ${item.name}`} />
      )}
      {item.message ? (
        <Text {...below} c="red">
          {item.message}
        </Text>
      ) : (
        <ShrinkNote item={item} {...below} />
      )}
      {tagging && !locked ? (
        <Box py={6} pr={6}>
          <KeywordInput label="Keywords of this file" value={item.keywords} onChange={onTag} />
        </Box>
      ) : (
        item.keywords.length > 0 && (
          <Text {...below} c="dimmed">
            {item.keywords.join(' · ')}
          </Text>
        )
      )}
    </li>
  );
}
