import { Box, Text } from '@mantine/core';
import type { Artifact } from '@engram/contract';
import { useState, type ReactNode } from 'react';
import { ConfirmModal } from '../../../components/confirm-modal.tsx';
import { Progress } from '../../../components/progress.tsx';
import { middleCut, plural } from '../../../format/format.ts';
import { useDeleteArtifact, useDeleteArtifacts } from '../api/delete-artifacts.ts';

const Name = ({ children, title }: { children: ReactNode; title?: string }) => (
  <Text span fw={600} {...(title ? { title } : {})} style={{ overflowWrap: 'anywhere' }}>
    {children}
  </Text>
);

interface DeleteModalProps {
  /** The file to be deleted, or null when the modal is closed. */
  file: Artifact | null;
  onClose: () => void;
  onDeleted: (artifactId: string) => void;
  onClosed: () => void;
}

/** Asks before a file is deleted. */
export function DeleteModal({ file, onClose, onDeleted, onClosed }: DeleteModalProps) {
  // The dialog keeps its words while it goes.
  const [asked, setAsked] = useState(file);
  if (file && file !== asked) setAsked(file);
  const remove = useDeleteArtifact((artifactId) => {
    onDeleted(artifactId);
    onClose();
  });
  return (
    <ConfirmModal
      opened={file !== null}
      title="Confirm Delete"
      question={
        <>
          Are you sure you want to delete{' '}
          {asked && (
            <Name title={asked.artifactFileName}>{middleCut(asked.artifactFileName, 60)}</Name>
          )}
          ?
        </>
      }
      yes="Delete"
      pending={remove.isPending}
      onClose={onClose}
      onClosed={onClosed}
      onConfirm={() => file && remove.mutate(file.artifactId)}
      consequence="The file, its text and its place in the search are gone for good."
    />
  );
}

interface BulkDeleteModalProps {
  opened: boolean;
  /** The files that are selected. */
  ids: ReadonlySet<string>;
  /** How many of them are on pages that are not in sight. */
  elsewhere: number;
  onClose: () => void;
  /** Called with the files of each step that are gone. */
  onGone: (ids: readonly string[]) => void;
  onClosed: () => void;
}

/** Asks before many files are deleted, and shows how far that is. */
export function BulkDeleteModal(props: BulkDeleteModalProps) {
  const { opened, ids, elsewhere, onClose, onGone, onClosed } = props;
  const remove = useDeleteArtifacts(onGone, onClose);
  const { progress } = remove;
  // What is gone leaves the selection on the way: the question stays what it was.
  const [asked, setAsked] = useState({ count: ids.size, elsewhere });
  if (
    opened &&
    !remove.isPending &&
    ids.size > 0 &&
    (asked.count !== ids.size || asked.elsewhere !== elsewhere)
  ) {
    setAsked({ count: ids.size, elsewhere });
  }
  return (
    <ConfirmModal
      opened={opened}
      title="Confirm Delete"
      question={
        <>
          Are you sure you want to delete <Name>{plural(asked.count, 'file')}</Name>
          {asked.elsewhere > 0 &&
            `, ${asked.elsewhere.toLocaleString('en-US')} of them on other pages`}
          ?
        </>
      }
      yes="Delete"
      pending={remove.isPending}
      onClose={onClose}
      onClosed={onClosed}
      onConfirm={() => remove.mutate([...ids])}
      consequence="The files, their texts and their places in the search are gone for good."
    >
      {progress && (
        <Box component="output" display="block" mt={16}>
          <Progress
            label="Deleted files"
            share={progress.done / Math.max(progress.total, 1)}
            words={
              <Text span inherit c="dimmed">
                {progress.done.toLocaleString('en-US')} of {plural(progress.total, 'file')} deleted
              </Text>
            }
          />
        </Box>
      )}
    </ConfirmModal>
  );
}
