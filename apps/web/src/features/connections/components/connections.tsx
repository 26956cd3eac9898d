import type { Connection } from '@engram/contract';
import { listConnections } from '@engram/contract/browser';
import { Button, Text } from '@mantine/core';
import { IconDeviceDesktop, IconDeviceTv, IconWorld } from '@tabler/icons-react';
import { useRef, useState } from 'react';
import { LoadState } from '../../../components/load-state.tsx';
import { useCall } from '../../../api/use-call.ts';
import { useEndConnection, useEndConnections } from '../api.ts';
import { ConfirmModal } from '../../../components/confirm-modal.tsx';
import { FailureNote } from '../../../components/failure-note.tsx';
import { Panel } from '../../../components/panel.tsx';
import { Row, Rows } from '../../../components/row.tsx';
import { Tag } from '../../../components/tag.tsx';
import { formatDateTime } from '../../../format/format.ts';
import { shortWords } from '../scope-words.ts';

/** The programs and devices that were let in, and how to end them. */
export function Connections() {
  const call = useCall(
    listConnections,
    {},
    // They are made and ended elsewhere.
    { staleTime: 0 },
  );
  const { data: connections, error } = call;
  const list = useRef<HTMLUListElement>(null);
  return (
    <Panel
      title="Connected apps and devices"
      lead="Programs and assistants that you allowed to use your files. End those that you do not know or no longer use."
      aside={connections && connections.length > 1 && <EndAll count={connections.length} />}
    >
      {!connections && <LoadState call={call} what="your connections" heights={[52]} />}
      {connections && error && <FailureNote title="The list may be out of date." error={error} />}
      {connections?.length === 0 && <Text c="dimmed">Nothing is connected.</Text>}
      {connections && connections.length > 0 && (
        <Rows label="Connections" ref={list}>
          {connections.map((connection) => (
            <ConnectionRow
              key={connection.id}
              connection={connection}
              // The button that had the focus goes with its row.
              onEnded={() => list.current?.focus()}
            />
          ))}
        </Rows>
      )}
    </Panel>
  );
}

const icons = { site: IconWorld, local: IconDeviceDesktop, device: IconDeviceTv } as const;

interface ConnectionRowProps {
  connection: Connection;
  onEnded: () => void;
}

function ConnectionRow({ connection, onEnded }: ConnectionRowProps) {
  const end = useEndConnection();
  const { name, address, verified, kind, scopes, connectedAt, lastUsedAt } = connection;
  const shown = (at: string) => <time dateTime={at}>{formatDateTime(at)}</time>;
  return (
    <Row
      icon={icons[kind]}
      name={
        <>
          <bdi>{name}</bdi>
          {!verified && <Tag>Unverified name</Tag>}
        </>
      }
      facts={[
        <>
          {address !== null && <bdi>{address}</bdi>}
          <span>{shortWords(scopes)}</span>
        </>,
        <>
          <span>Connected {shown(connectedAt)}</span>
          <span>{lastUsedAt === null ? 'Not used yet' : <>Last used {shown(lastUsedAt)}</>}</span>
        </>,
      ]}
      action={
        <Button
          variant="subtle"
          color="red"
          size="sm"
          loading={end.isPending}
          aria-label={`End the connection of ${name}, connected ${formatDateTime(connectedAt)}`}
          onClick={() => end.mutate({ params: { id: connection.id } }, { onSuccess: onEnded })}
        >
          End
        </Button>
      }
    />
  );
}

/** Ends all of them, after a question. */
function EndAll({ count }: { count: number }) {
  const [opened, setOpened] = useState(false);
  const end = useEndConnections();
  const close = (): void => {
    end.reset();
    setOpened(false);
  };
  return (
    <>
      <Button variant="light" color="red" size="sm" onClick={() => setOpened(true)}>
        End all
      </Button>
      <ConfirmModal
        opened={opened}
        title="End all connections"
        question={`All ${count.toLocaleString('en-US')} connections end at once.`}
        consequence="The programs and devices have to ask you again. API keys go on working."
        yes="End"
        pending={end.isPending}
        onClose={close}
        onConfirm={() => end.mutate({}, { onSuccess: close })}
      >
        {end.isError && <FailureNote title="The connections were not ended." error={end.error} />}
      </ConfirmModal>
    </>
  );
}
