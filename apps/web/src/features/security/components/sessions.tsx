import type { OpenSession } from '@engram/contract';
import { listSessions } from '@engram/contract/browser';
import { Button } from '@mantine/core';
import { IconDeviceDesktop, IconDeviceMobile } from '@tabler/icons-react';
import { useRef, useState } from 'react';
import { LoadState } from '../../../components/load-state.tsx';
import { useCall } from '../../../api/use-call.ts';
import { useEndOtherSessions, useEndSession } from '../api.ts';
import { ConfirmModal } from '../../../components/confirm-modal.tsx';
import { FailureNote } from '../../../components/failure-note.tsx';
import { Panel } from '../../../components/panel.tsx';
import { Row, Rows } from '../../../components/row.tsx';
import { Tag } from '../../../components/tag.tsx';
import { formatDateTime } from '../../../format/format.ts';
import { From } from './from.tsx';

/** Sessions that are shown before the others are asked for. */
const SHOWN = 6;

const thisOneFirst = (sessions: readonly OpenSession[]): OpenSession[] =>
  sessions.toSorted((a, b) => Number(b.current) - Number(a.current));

/** Where the person is signed in, and how to end it. */
export function Sessions() {
  const call = useCall(listSessions, {}, { select: thisOneFirst, staleTime: 0 });
  const { data: sessions, error } = call;
  const [all, setAll] = useState(false);
  const list = useRef<HTMLUListElement>(null);
  const shown = all ? sessions : sessions?.slice(0, SHOWN);
  return (
    <Panel
      title="Where you are signed in"
      lead="Every browser and device that is signed in to your account. End those that you do not know or no longer use."
      aside={sessions && sessions.length > 1 && <EndOthers count={sessions.length - 1} />}
    >
      {!sessions && <LoadState call={call} what="your sessions" heights={[56]} />}
      {sessions && error && <FailureNote title="The list may be out of date." error={error} />}
      {shown && (
        <Rows label="Sessions" ref={list}>
          {shown.map((session) => (
            <SessionRow
              key={session.id}
              session={session}
              // The button that had the focus goes with its row.
              onEnded={() => list.current?.focus()}
            />
          ))}
        </Rows>
      )}
      {sessions && shown && shown.length < sessions.length && (
        <Button mt={16} variant="default" size="sm" onClick={() => setAll(true)}>
          Show all {sessions.length}
        </Button>
      )}
    </Panel>
  );
}

const PHONES = /iPhone|iPad|Android/u;

interface SessionRowProps {
  session: OpenSession;
  onEnded: () => void;
}

function SessionRow({ session, onEnded }: SessionRowProps) {
  const end = useEndSession();
  const { current, lastUsedAt } = session;
  const device = session.device ?? 'Unknown Device';
  return (
    <Row
      icon={PHONES.test(device) ? IconDeviceMobile : IconDeviceDesktop}
      name={
        <>
          <bdi>{device}</bdi>
          {current && <Tag>This device</Tag>}
        </>
      }
      facts={[
        <>
          <From parts={[session.location, session.ip]} />
          <span>
            Last used <time dateTime={lastUsedAt}>{formatDateTime(lastUsedAt)}</time>
          </span>
        </>,
      ]}
      action={
        !current && (
          <Button
            variant="subtle"
            color="red"
            size="sm"
            loading={end.isPending}
            aria-label={`End the session on ${device}, last used ${formatDateTime(lastUsedAt)}`}
            onClick={() =>
              end.mutate({ params: { sessionId: session.id } }, { onSuccess: onEnded })
            }
          >
            End
          </Button>
        )
      }
    />
  );
}

/** Ends all sessions but this one, after a question. */
function EndOthers({ count }: { count: number }) {
  const [opened, setOpened] = useState(false);
  const end = useEndOtherSessions();
  const close = (): void => {
    end.reset();
    setOpened(false);
  };
  return (
    <>
      <Button variant="light" color="red" size="sm" onClick={() => setOpened(true)}>
        End all others
      </Button>
      <ConfirmModal
        opened={opened}
        title="End all other sessions"
        question={
          count === 1
            ? 'The other session ends at once.'
            : `The other ${count.toLocaleString('en-US')} sessions end at once.`
        }
        consequence="Whoever uses them has to sign in again, with a code that is sent to your address. API keys go on working."
        yes="End"
        pending={end.isPending}
        onClose={close}
        onConfirm={() => end.mutate({}, { onSuccess: close })}
      >
        {end.isError && <FailureNote title="The sessions were not ended." error={end.error} />}
      </ConfirmModal>
    </>
  );
}
