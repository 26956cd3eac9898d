import { ConfirmModal } from '../../../components/confirm-modal.tsx';
import { FailureNote } from '../../../components/failure-note.tsx';
import { useProfile } from '../../../lib/account.ts';
import { useDeleteAccount } from '../api/delete-account.ts';

interface DeleteAccountModalProps {
  opened: boolean;
  onClose: () => void;
}

/** Asks before the account is deleted. What fails is told here, and nothing has changed then. */
export function DeleteAccountModal({ opened, onClose }: DeleteAccountModalProps) {
  const { data: profile } = useProfile();
  const remove = useDeleteAccount();
  return (
    <ConfirmModal
      opened={opened}
      title="Confirm Delete"
      question="Are you sure you want to delete your Profile?"
      consequence={`${profile ? `The account ${profile.email}` : 'Your account'} goes for good, and all that is in it: files, questions, answers and keywords.`}
      yes="Delete"
      pending={remove.isPending}
      onClose={() => {
        remove.reset();
        onClose();
      }}
      onConfirm={() => remove.mutate()}
      returnFocus={false}
    >
      {remove.isError && (
        <FailureNote
          title="Your account was not deleted."
          error={remove.error}
          advice="Nothing was changed; try again in a moment."
        />
      )}
    </ConfirmModal>
  );
}
