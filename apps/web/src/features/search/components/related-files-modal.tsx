import { Group, SimpleGrid, Text } from '@mantine/core';
import type { RelatedFile } from '@engram/contract';
import { IconBrain } from '@tabler/icons-react';
import { useState } from 'react';
import { useEvidence, useShownEvidence } from '../../../artifacts/evidence.ts';
import { Chip } from '../../../components/buttons.tsx';
import { Dialog } from '../../../components/dialog.tsx';
import { categoryOf, countEach, type Category } from '../related-categories.tsx';
import { RelatedFileCard } from './related-file-card.tsx';

interface RelatedFilesModalProps {
  question: string;
  files: readonly RelatedFile[];
  /** When the files and their links arrived, in milliseconds since the epoch. */
  receivedAt: number;
  category: Category | 'All';
  onCategory: (category: Category | 'All') => void;
  onOpen: (file: RelatedFile) => void;
  opened: boolean;
  onClose: () => void;
}

export function RelatedFilesModal(props: RelatedFilesModalProps) {
  const { question, files, category, onCategory, onClose } = props;
  const { docked } = useEvidence();
  // Escape closes the sheet above this list first.
  const covered = useShownEvidence() !== null && !docked;
  const tabs = [{ category: 'All' as const, count: files.length }, ...countEach(files)];
  return (
    <Dialog
      opened={props.opened}
      onClose={onClose}
      closeOnEscape={!covered}
      size={880}
      // Its upper edge must not move with the number of files.
      centered={false}
      title={
        <Group component="span" align="flex-start" gap={10} wrap="nowrap">
          <IconBrain color="var(--eg-accent)" size={22} stroke={1.7} aria-hidden="true" />
          <span>{question}</span>
        </Group>
      }
    >
      <Group component="fieldset" gap={8} mb={16} aria-label="Categories">
        {tabs.map((tab) => (
          <Chip
            key={tab.category}
            aria-pressed={tab.category === category}
            {...(tab.count === 0 ? { c: 'var(--eg-ink-3)' } : {})}
            onClick={() => onCategory(tab.category)}
          >
            <Text span inherit fw={650}>
              {tab.count}
            </Text>{' '}
            {tab.category}
          </Chip>
        ))}
      </Group>
      <Cards {...props} />
    </Dialog>
  );
}

function Cards({ files, receivedAt, category, onOpen }: RelatedFilesModalProps) {
  // Changes made here since the files arrived.
  const [changed, setChanged] = useState<ReadonlyMap<string, boolean>>(new Map());
  const shown = files.filter(
    (file) => category === 'All' || categoryOf(file.fileType) === category,
  );
  if (shown.length === 0) {
    return (
      <Text inherit py={40} px={16} c="dimmed" ta="center">
        No file of this kind belongs to the answer.
      </Text>
    );
  }
  return (
    <SimpleGrid component="ul" minColWidth={230} spacing={12}>
      {shown.map((file) => (
        <li key={file.artifactId}>
          <RelatedFileCard
            file={file}
            receivedAt={receivedAt}
            inCategory={category !== 'All'}
            archived={changed.get(file.artifactId) ?? file.artifactArchived}
            onArchived={(archived) =>
              setChanged((before) => new Map([...before, [file.artifactId, archived]]))
            }
            onOpen={() => onOpen(file)}
          />
        </li>
      ))}
    </SimpleGrid>
  );
}
