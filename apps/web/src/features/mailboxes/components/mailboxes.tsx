import type { Mailbox } from '@engram/contract';
import {
  checkMailbox,
  deleteMailbox,
  listMailboxes,
  listSecurityEvents,
  MAILBOX_LIMIT,
  pauseMailbox,
} from '@engram/contract/browser';
import { Anchor, Button, Group, Text } from '@mantine/core';
import { IconMail, IconPencil, IconPlayerPause, IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import { useAction } from '../../../api/use-action.ts';
import { useCall } from '../../../api/use-call.ts';
import { AddableList } from '../../../components/addable-list.tsx';
import { ConfirmAction } from '../../../components/confirm-modal.tsx';
import { Dialog } from '../../../components/dialog.tsx';
import { Row } from '../../../components/lists.tsx';
import { Menu } from '../../../components/menu.tsx';
import { notifyError } from '../../../components/notify.ts';
import { Tag } from '../../../components/tag.tsx';
import { formatDateTime, plural } from '../../../format/format.ts';
import { MailboxForm } from './mailbox-form.tsx';
import { SkippedMessages } from './skipped-messages.tsx';

const POLL_MS = 2000;

export function Mailboxes() {
  const call = useCall(
    listMailboxes,
    {},
    {
      staleTime: 0,
      refetchInterval: ({ state }) =>
        state.data?.some(({ checking }) => checking) ? POLL_MS : false,
    },
  );
  const [isAdding, setAdding] = useState(false);
  return (
    <AddableList
      nouns={['mailbox', 'mailboxes']}
      call={call}
      limit={MAILBOX_LIMIT}
      icon={IconMail}
      text="Engram reads a folder of your mail over IMAP and stores each message with its attachments."
      onAdd={() => setAdding(true)}
      renderRow={(mailbox) => <MailboxRow key={mailbox.id} mailbox={mailbox} />}
    >
      <Dialog opened={isAdding} onClose={() => setAdding(false)} title="Add mailbox" size={520}>
        <MailboxForm onClose={() => setAdding(false)} />
      </Dialog>
    </AddableList>
  );
}

function StateTag({ mailbox: { paused, checking, error } }: { mailbox: Mailbox }) {
  if (paused) return <Tag tone="quiet">Paused</Tag>;
  if (checking) return <Tag>Checking</Tag>;
  return error !== null && <Tag tone="danger">Failing</Tag>;
}

const afterTexts = {
  leave: null,
  read: 'Stored messages are marked as read',
  move: 'Stored messages are moved to',
} as const;

function MailboxRow({ mailbox }: { mailbox: Mailbox }) {
  const { id, host, username, folder, paused, fromSetting, checking, checkedAt, error } = mailbox;
  const { stored, skipped, afterStoring, moveTo } = mailbox;
  const [opened, setOpened] = useState<'change' | 'skipped' | 'removal' | null>(null);
  const close = (): void => setOpened(null);
  const name = `${folder} of ${username}`;
  const input = { params: { id } };
  const check = useAction(checkMailbox, {
    onError: (failure) => notifyError('The mailbox was not checked', failure),
    invalidates: [listMailboxes],
  });
  const pause = useAction(pauseMailbox, {
    onError: (failure) => notifyError('The mailbox was not changed', failure),
    invalidates: [listMailboxes],
  });
  const remove = useAction(deleteMailbox, {
    acceptMissing: true,
    invalidates: [listMailboxes, listSecurityEvents],
  });
  const setPaused = (isPaused: boolean): void =>
    pause.mutate({ ...input, body: { paused: isPaused } });
  const after = afterTexts[afterStoring];
  return (
    <>
      <Row
        icon={IconMail}
        name={
          <>
            <bdi>{username}</bdi> <StateTag mailbox={mailbox} />
          </>
        }
        facts={[
          <span key="place">
            <bdi>{folder}</bdi> on <bdi>{host}</bdi>
            {fromSetting && ', set by the operator of this server'}
          </span>,
          <>
            <span key="stored">{plural(stored, 'message')} stored</span>
            {skipped > 0 && (
              <Anchor component="button" type="button" inherit onClick={() => setOpened('skipped')}>
                {skipped} skipped
              </Anchor>
            )}
            {checkedAt !== null && (
              <span>
                Last checked <time dateTime={checkedAt}>{formatDateTime(checkedAt)}</time>
              </span>
            )}
          </>,
          after && (
            <span key="after">
              {after} <bdi>{moveTo}</bdi>
            </span>
          ),
          error !== null && !paused && (
            <Text span inherit key="error" c="red">
              {error}
            </Text>
          ),
        ].filter(Boolean)}
        action={
          <Group gap={4} wrap="nowrap">
            {paused ? (
              <Button
                variant="default"
                size="sm"
                loading={pause.isPending}
                aria-label={`Resume ${name}`}
                onClick={() => setPaused(false)}
              >
                Resume
              </Button>
            ) : (
              <Button
                variant="default"
                size="sm"
                disabled={checking}
                loading={check.isPending}
                aria-label={`Check ${name} now`}
                onClick={() => check.mutate(input)}
              >
                Check now
              </Button>
            )}
            <Menu
              label={`More actions for ${name}`}
              groups={[
                [
                  !fromSetting && {
                    icon: IconPencil,
                    label: 'Change',
                    onClick: () => setOpened('change'),
                  },
                  !paused && {
                    icon: IconPlayerPause,
                    label: 'Pause',
                    onClick: () => setPaused(true),
                  },
                ],
                [
                  {
                    icon: IconTrash,
                    label: 'Remove',
                    tone: 'danger',
                    onClick: () => setOpened('removal'),
                  },
                ],
              ]}
            />
          </Group>
        }
      />
      <Dialog opened={opened === 'change'} onClose={close} title="Change mailbox" size={520}>
        <MailboxForm mailbox={mailbox} onClose={close} />
      </Dialog>
      <Dialog
        opened={opened === 'skipped'}
        onClose={close}
        title="Messages that were not stored"
        size={640}
      >
        <SkippedMessages mailboxId={id} />
      </Dialog>
      <ConfirmAction
        opened={opened === 'removal'}
        title="Remove mailbox"
        question={`Engram reads no more messages from “${folder}” of ${username}, and forgets the password.`}
        consequence="The files that were stored stay in your library."
        yes="Remove"
        action={remove}
        input={input}
        failure="The mailbox was not removed."
        onClose={close}
      />
    </>
  );
}
