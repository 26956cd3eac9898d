import { ApiError } from '@engram/client';
import { deleteAllArtifacts, deleteHistory } from '@engram/contract/browser';
import { Button } from '@mantine/core';
import type { UseMutationResult } from '@tanstack/react-query';
import { useState, type Ref } from 'react';
import { useAction } from '../../../api/use-action.ts';
import { forgetLists } from '../../../artifacts/forget-lists.ts';
import { writeSession } from '../../../session/session.ts';
import { ConfirmModal } from '../../../components/confirm-modal.tsx';
import { Row, Rows } from '../../../components/row.tsx';
import { Notice } from '../../../components/notice.tsx';
import { messageOf, notifySuccess } from '../../../components/notify.ts';

interface DeletionsProps {
  onDeleteAccount: () => void;
  /** Of the button that asks for it. */
  accountRef: Ref<HTMLButtonElement>;
}

/** What can be deleted as a whole; each asks first. */
export function Deletions({ onDeleteAccount, accountRef }: DeletionsProps) {
  const removeHistory = useAction(deleteHistory, {
    onSuccess: (_data, _input, _before, { client }) => forgetLists(client),
  });
  const removeFiles = useAction(deleteAllArtifacts, {
    onSuccess: (_data, _input, _before, { client }) => {
      writeSession('artifactsExist', 'false');
      forgetLists(client);
    },
  });
  return (
    <Rows label="What can be deleted">
      <Deletion
        title="Delete all search history"
        text="All your questions with their answers, and the links you shared them by."
        question="Are you sure you want to delete all your search history?"
        consequence="All questions and answers are gone for good, and so are the links you shared them by. Your files stay."
        done="Search History deleted successfully."
        remove={removeHistory}
      />
      <Deletion
        title="Delete all files"
        text="All your files and notes, with their place in the search."
        question="Are you sure you want to delete all your files?"
        consequence="All files, their texts and their places in the search are gone for good. Your questions stay, without what they cite."
        done="Files deleted successfully."
        remove={removeFiles}
      />
      <Ask
        title="Delete account"
        text="Your account with everything in it."
        onClick={onDeleteAccount}
        ref={accountRef}
      />
    </Rows>
  );
}

interface AskProps {
  title: string;
  text: string;
  onClick: () => void;
  ref?: Ref<HTMLButtonElement>;
}

const Ask = ({ title, text, onClick, ref }: AskProps) => (
  <Row
    name={title}
    facts={[text]}
    action={
      <Button
        variant="light"
        color="red"
        size="sm"
        aria-label={title}
        onClick={onClick}
        {...(ref ? { ref } : {})}
      >
        Delete
      </Button>
    }
  />
);

interface DeletionProps extends Omit<AskProps, 'onClick' | 'ref'> {
  question: string;
  consequence: string;
  done: string;
  remove: UseMutationResult<unknown, Error, object>;
}

function Deletion({ title, text, question, consequence, done, remove }: DeletionProps) {
  const [opened, setOpened] = useState(false);
  const close = (): void => {
    remove.reset();
    setOpened(false);
  };
  const confirm = (): void =>
    remove.mutate(
      {},
      {
        onSuccess() {
          notifySuccess(done);
          close();
        },
      },
    );
  return (
    <>
      <Ask title={title} text={text} onClick={() => setOpened(true)} />
      <ConfirmModal
        opened={opened}
        title="Confirm Delete"
        question={question}
        consequence={consequence}
        yes="Delete"
        pending={remove.isPending}
        onClose={close}
        onConfirm={confirm}
      >
        {remove.isError && (
          <Notice tone="danger" mt={16} live="alert">
            {failureOf(remove.error)}
          </Notice>
        )}
      </ConfirmModal>
    </>
  );
}

/** What a deletion that failed says; what has no words of the server's is told in the page's own. */
function failureOf(error: Error): string {
  if (!(error instanceof ApiError)) return 'Server error. Please try again later.';
  const hasWords = error.message !== `HTTP error! status: ${error.status}`;
  return `Error: ${hasWords ? messageOf(error) : 'Failed to delete.'}`;
}
