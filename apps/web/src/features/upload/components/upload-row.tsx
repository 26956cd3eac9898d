import { Text } from '@mantine/core';
import { IconTag, IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import { useUploadQueue } from '../upload-queue.ts';
import { IconButton } from '../../../components/icon-button.tsx';
import { formatBytes } from '../../../format/format.ts';
import type { UploadItem } from '../upload-item.ts';
import { ItemRow, sendingText } from './item-row.tsx';
import { KeywordInput } from './keyword-input.tsx';
import classes from './upload-panel.module.css';

interface UploadRowProps {
  item: UploadItem;
  locked: boolean;
}

function stateText(item: UploadItem): string {
  if (item.status === 'sent') return 'Uploaded';
  if (item.status === 'sending') return sendingText(item);
  return item.status === 'waiting' ? 'Waiting' : formatBytes(item.size);
}

const small = { size: 30, iconSize: 16 };

export function UploadRow({ item, locked }: UploadRowProps) {
  const queue = useUploadQueue();
  const [isOpen, setOpen] = useState(false);
  const isTagging = isOpen && !locked;
  const { name, status, progress, keywords } = item;
  return (
    <ItemRow
      className={classes.row ?? ''}
      item={item}
      state={stateText(item)}
      progress={
        status === 'sending' || status === 'sent'
          ? { share: progress, label: `Upload of ${name}` }
          : null
      }
      failure={item.message}
      buttons={
        <>
          <IconButton
            {...small}
            icon={IconTag}
            label={`Keywords of ${name}`}
            aria-expanded={isTagging}
            disabled={locked}
            onClick={() => setOpen(!isOpen)}
          />
          <IconButton
            {...small}
            icon={IconTrash}
            label={`Remove ${name}`}
            disabled={locked}
            onClick={() => queue.remove(item)}
          />
        </>
      }
    >
      {isTagging && (
        <KeywordInput
          label="Keywords of this file"
          value={keywords}
          onChange={(chosen) => queue.tag(item, chosen)}
        />
      )}
      {!isTagging && keywords.length > 0 && (
        <Text size="xs" c="dimmed">
          {keywords.join(' · ')}
        </Text>
      )}
    </ItemRow>
  );
}
