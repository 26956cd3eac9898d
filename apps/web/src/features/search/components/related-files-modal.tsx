import type { RelatedFile } from '@engram/contract';
import { Modal } from '@mantine/core';
import { IconBrain } from '@tabler/icons-react';
import { categoryOf, countCategories, type Category } from '../related-categories.ts';
import { RelatedFileCard } from './related-file-card.tsx';
import classes from './related-files-modal.module.css';

interface RelatedFilesModalProps {
  question: string;
  files: readonly RelatedFile[];
  /** When the files came, in milliseconds since the epoch: their links are as old. */
  receivedAt: number;
  category: Category | 'All';
  onCategory: (category: Category | 'All') => void;
  onClose: () => void;
}

/** All files that belong to an answer, by category. */
export function RelatedFilesModal(props: RelatedFilesModalProps) {
  const { question, files, receivedAt, category, onCategory, onClose } = props;
  const shown = files.filter(
    (file) => category === 'All' || categoryOf(file.fileType) === category,
  );
  const tabs = [{ category: 'All' as const, count: files.length }, ...countCategories(files)];
  return (
    <Modal
      opened
      onClose={onClose}
      size="xl"
      title={
        <span className={classes.title}>
          <IconBrain size={20} stroke={1.7} aria-hidden="true" />
          <span>{question}</span>
        </span>
      }
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      <fieldset className={classes.tabs} aria-label="Categories">
        {tabs.map((tab) => (
          <button
            key={tab.category}
            type="button"
            className={classes.tab}
            aria-pressed={tab.category === category}
            onClick={() => onCategory(tab.category)}
          >
            <span className={classes.count}>{tab.count}</span> {tab.category}
          </button>
        ))}
      </fieldset>
      <ul className={classes.grid}>
        {shown.map((file) => (
          <li key={file.artifactId}>
            <RelatedFileCard file={file} receivedAt={receivedAt} inCategory={category !== 'All'} />
          </li>
        ))}
      </ul>
    </Modal>
  );
}
