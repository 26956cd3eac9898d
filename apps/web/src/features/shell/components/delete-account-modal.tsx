import { Button, Group, Modal, Text } from '@mantine/core';
import { useProfile } from '../../../lib/account.ts';
import { messageOf } from '../../../lib/notify.ts';
import { useDeleteAccount } from '../api/delete-account.ts';
import classes from './delete-account-modal.module.css';

interface DeleteAccountModalProps {
  opened: boolean;
  onClose: () => void;
}

/** Asks before the account is deleted. What fails is told here, and nothing has changed then. */
export function DeleteAccountModal({ opened, onClose }: DeleteAccountModalProps) {
  const { data: profile } = useProfile();
  const remove = useDeleteAccount();
  const deleting = remove.isPending;
  const close = (): void => {
    remove.reset();
    onClose();
  };
  return (
    <Modal
      opened={opened}
      onClose={close}
      title="Confirm Delete"
      size={440}
      returnFocus={false}
      closeOnClickOutside={!deleting}
      closeOnEscape={!deleting}
      withCloseButton={!deleting}
    >
      <Text>Are you sure you want to delete your Profile?</Text>
      <Text mt={6} size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
        {profile ? `The account ${profile.email}` : 'Your account'} goes for good, and all that is
        in it: files, questions, answers and keywords.
      </Text>
      {remove.isError && (
        <p className={classes.failure} role="alert">
          <strong>Your account was not deleted.</strong> {messageOf(remove.error)} Nothing was
          changed; try again in a moment.
        </p>
      )}
      <Group justify="flex-end" gap={8} mt={22}>
        <Button variant="default" disabled={deleting} onClick={close} data-autofocus>
          Cancel
        </Button>
        <Button color="red" loading={deleting} onClick={() => remove.mutate()}>
          Delete
        </Button>
      </Group>
    </Modal>
  );
}
