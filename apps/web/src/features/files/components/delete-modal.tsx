import { Button, Group, Modal, Text } from '@mantine/core';
import type { Artifact } from '@engram/contract';
import { middleCut } from '../../../lib/format.ts';
import { useDeleteArtifact } from '../api/delete-artifact.ts';

interface DeleteModalProps {
  /** The file to be deleted, or null when the modal is closed. */
  file: Artifact | null;
  onClose: () => void;
}

export function DeleteModal({ file, onClose }: DeleteModalProps) {
  const remove = useDeleteArtifact(onClose);
  return (
    <Modal opened={file !== null} onClose={onClose} title="Confirm Delete" size={440}>
      {file && (
        <>
          <Text>
            Are you sure you want to delete{' '}
            <Text span fw={600} title={file.artifactFileName}>
              {middleCut(file.artifactFileName, 60)}
            </Text>
            ?
          </Text>
          <Text mt={6} size="sm" c="dimmed">
            The file, its text and its place in the search are gone for good.
          </Text>
        </>
      )}
      <Group justify="flex-end" gap={8} mt={22}>
        <Button variant="default" onClick={onClose} data-autofocus>
          Cancel
        </Button>
        <Button
          color="red"
          loading={remove.isPending}
          onClick={() => file && remove.mutate(file.artifactId)}
        >
          Delete
        </Button>
      </Group>
    </Modal>
  );
}
