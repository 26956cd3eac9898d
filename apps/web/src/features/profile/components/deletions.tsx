import { ApiError } from '@engram/client';
import { deleteAccount, deleteAllArtifacts, deleteHistory } from '@engram/contract/browser';
import { Button, TextInput } from '@mantine/core';
import { useRef, useState } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { useAction } from '../../../api/use-action.ts';
import { DELETE_ACCOUNT, paths } from '../../../app/paths.ts';
import { clearLists } from '../../../artifacts/actions.ts';
import { ConfirmButton, ConfirmModal } from '../../../components/confirm-modal.tsx';
import { FailureNote, Notice } from '../../../components/notice.tsx';
import { messageOf, notifySuccess } from '../../../components/notify.ts';
import { Row, Rows } from '../../../components/lists.tsx';
import { leaveSession, writeSession } from '../../../session/session.ts';

function DeletionFailure({ error }: { error: Error | null }) {
  if (!error) return null;
  const isReason =
    error instanceof ApiError && error.message !== `HTTP error! status: ${error.status}`;
  const reason = isReason ? messageOf(error) : 'Failed to delete.';
  return (
    <Notice tone="danger" mt={16} live="alert">
      {error instanceof ApiError ? `Error: ${reason}` : 'Server error. Please try again later.'}
    </Notice>
  );
}

export function Deletions({ email }: { email: string }) {
  const removeHistory = useAction(deleteHistory, {
    onSuccess: (_data, _input, _before, { client }) => clearLists(client),
  });
  const removeFiles = useAction(deleteAllArtifacts, {
    onSuccess: (_data, _input, _before, { client }) => {
      writeSession('artifactsExist', 'false');
      clearLists(client);
    },
  });
  const deletions = [
    {
      name: 'Delete all search history',
      fact: 'All your questions, their answers and their shared links.',
      question: 'Are you sure you want to delete all your search history?',
      consequence:
        'All questions and answers and their shared links are permanently deleted. Your files stay.',
      action: removeHistory,
      done: 'Search History deleted successfully.',
    },
    {
      name: 'Delete all files',
      fact: 'All your files and notes, and their search index.',
      question: 'Are you sure you want to delete all your files?',
      consequence:
        'All files, their text and their search index are permanently deleted. Your questions stay, without their sources.',
      action: removeFiles,
      done: 'Files deleted successfully.',
    },
  ];
  return (
    <Rows label="Deletions">
      {deletions.map(({ name, fact, action, done, ...texts }) => (
        <Row
          key={name}
          name={name}
          facts={[fact]}
          action={
            <ConfirmButton
              label="Delete"
              accessibleLabel={name}
              title="Confirm Delete"
              {...texts}
              yes="Delete"
              action={action}
              input={{}}
              onDone={() => notifySuccess(done)}
            >
              <DeletionFailure error={action.error} />
            </ConfirmButton>
          }
        />
      ))}
      <Row
        name="Delete account"
        facts={['Your account and all its data.']}
        action={<DeleteAccount email={email} />}
      />
    </Rows>
  );
}

/** Opening and closing the dialog does not scroll, and adds no history entry. */
const IN_PLACE = { replace: true, preventScrollReset: true };

/** The user types the address of the account, which prevents accidental deletion. */
function DeleteAccount({ email }: { email: string }) {
  const [typed, setTyped] = useState('');
  const { hash } = useLocation();
  const navigate = useNavigate();
  const opener = useRef<HTMLButtonElement>(null);
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
    <>
      <Button
        ref={opener}
        variant="light"
        color="red"
        aria-label="Delete account"
        onClick={() => void navigate({ hash: DELETE_ACCOUNT }, IN_PLACE)}
      >
        Delete
      </Button>
      <ConfirmModal
        opened={hash === DELETE_ACCOUNT}
        title="Confirm Delete"
        question="Are you sure you want to delete your Profile?"
        consequence={`The account ${email} is permanently deleted with everything in it: files, questions, answers and keywords.`}
        yes="Delete"
        ready={matches}
        pending={remove.isPending}
        onClose={() => {
          remove.reset();
          setTyped('');
          void navigate({ hash: '' }, IN_PLACE);
          opener.current?.focus();
        }}
        onConfirm={confirm}
        returnFocus={false}
      >
        <TextInput
          mt={16}
          label="Type the address of your account to continue"
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
        <FailureNote
          title="Your account was not deleted."
          error={remove.error}
          advice="Nothing was changed. Try again in a moment."
        />
      </ConfirmModal>
    </>
  );
}
