import { deleteAccount } from '@engram/contract/browser';
import { TextInput } from '@mantine/core';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { useAction } from '../../../api/use-action.ts';
import { paths } from '../../../app/paths.ts';
import { leaveSession } from '../../../session/session.ts';
import { ConfirmModal } from '../../../components/confirm-modal.tsx';
import { FailureNote } from '../../../components/failure-note.tsx';

interface DeleteAccountProps {
  /** The address of the account. */
  email: string;
  opened: boolean;
  onClose: () => void;
}

/**
 * Asks before the account is deleted, and has its address typed: that takes a moment, and nobody
 * does it by mistake. What fails is told here, and nothing has changed then.
 */
export function DeleteAccount({ email, opened, onClose }: DeleteAccountProps) {
  const [typed, setTyped] = useState('');
  const navigate = useNavigate();
  const remove = useAction(deleteAccount, {
    onSuccess: (_data, _input, _before, { client }) => {
      leaveSession();
      client.clear();
      void navigate(paths.login, { replace: true });
    },
  });
  const matches = typed.trim().toLowerCase() === email.toLowerCase();
  const confirm = (): void => remove.mutate({ body: { email } });
  return (
    <ConfirmModal
      opened={opened}
      title="Confirm Delete"
      question="Are you sure you want to delete your Profile?"
      consequence={`The account ${email} goes for good, and all that is in it: files, questions, answers and keywords.`}
      yes="Delete"
      ready={matches}
      pending={remove.isPending}
      onClose={() => {
        remove.reset();
        setTyped('');
        onClose();
      }}
      onConfirm={confirm}
      returnFocus={false}
    >
      <TextInput
        mt={16}
        label="Type the address of your account to go on"
        type="email"
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        disabled={remove.isPending}
        value={typed}
        onChange={({ currentTarget }) => setTyped(currentTarget.value)}
        onKeyDown={({ key }) => {
          if (key === 'Enter' && matches) confirm();
        }}
      />
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
