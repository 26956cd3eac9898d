import type { Connection, OpenSession } from '@engram/contract';
import {
  endConnection,
  endConnections,
  endSession,
  endSessions,
  listConnections,
  listSecurityEvents,
  listSessions,
} from '@engram/contract/browser';
import { Button, Text } from '@mantine/core';
import {
  IconDeviceDesktop,
  IconDeviceMobile,
  IconDeviceTv,
  IconWorld,
  type Icon,
} from '@tabler/icons-react';
import type { UseMutationResult, UseQueryResult } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { useAction } from '../../../api/use-action.ts';
import { useCall } from '../../../api/use-call.ts';
import { ConfirmButton } from '../../../components/confirm-modal.tsx';
import { CallList, Row, Rows } from '../../../components/lists.tsx';
import { notifyError, notifySuccess } from '../../../components/notify.ts';
import { Panel } from '../../../components/panel.tsx';
import { Tag } from '../../../components/tag.tsx';
import { capitalized, formatDateTime, plural } from '../../../format/format.ts';
import { From, LastUsed, When } from './security-events.tsx';

const SHOWN = 6;

interface AccessListProps<T> {
  title: string;
  lead: string;
  noun: string;
  call: UseQueryResult<T[]>;
  aside: ReactNode;
  empty?: string;
  renderRow: (row: T) => ReactNode;
}

export function AccessList<T>({
  title,
  lead,
  noun,
  call,
  aside,
  empty,
  renderRow,
}: AccessListProps<T>) {
  const [isWhole, setWhole] = useState(false);
  const count = call.data?.length ?? 0;
  const isCut = !isWhole && count > SHOWN;
  return (
    <Panel title={title} lead={lead} aside={aside}>
      <CallList
        call={call}
        what={`your ${noun}`}
        heights={[56]}
        loading={empty && <Text c="dimmed">Loading your {noun}…</Text>}
        empty={<Text c="dimmed">{empty}</Text>}
      >
        {(rows) => (
          <Rows label={capitalized(noun)}>
            {rows.slice(0, isCut ? SHOWN : undefined).map(renderRow)}
          </Rows>
        )}
      </CallList>
      {isCut && (
        <Button mt={16} variant="default" onClick={() => setWhole(true)}>
          Show all {count}
        </Button>
      )}
    </Panel>
  );
}

interface EndButtonProps<Input> {
  label: string;
  end: UseMutationResult<unknown, Error, Input>;
  input: Input;
}

const EndButton = <Input,>({ label, end, input }: EndButtonProps<Input>) => (
  <Button
    variant="subtle"
    color="red"
    loading={end.isPending}
    aria-label={label}
    onClick={() => end.mutate(input)}
  >
    End
  </Button>
);

const currentFirst = (sessions: readonly OpenSession[]): OpenSession[] =>
  sessions.toSorted((a, b) => Number(b.current) - Number(a.current));

export function Sessions() {
  const call = useCall(listSessions, {}, { select: currentFirst, staleTime: 0 });
  const others = (call.data?.length ?? 1) - 1;
  const endOthers = useAction(endSessions, {
    onSuccess: ({ ended }) =>
      notifySuccess(`${plural(ended, 'session was', 'sessions were')} ended.`),
    invalidates: [listSessions, listSecurityEvents],
  });
  return (
    <AccessList
      title="Where you are signed in"
      lead="All browsers and devices that are signed in to your account. End those that you do not know or no longer use."
      noun="sessions"
      call={call}
      aside={
        others > 0 && (
          <ConfirmButton
            label="End all others"
            title="End all other sessions"
            question={
              others === 1
                ? 'The other session ends immediately.'
                : `The other ${others.toLocaleString('en-US')} sessions end immediately.`
            }
            consequence="Signing in there again needs a code from your e-mail. API keys keep working."
            yes="End"
            action={endOthers}
            input={{}}
            failure="The sessions were not ended."
          />
        )
      }
      renderRow={(session) => <SessionRow key={session.id} session={session} />}
    />
  );
}

const PHONES = /iPhone|iPad|Android/u;

function SessionRow({ session }: { session: OpenSession }) {
  const { id, current, lastUsedAt, location, ip } = session;
  const device = session.device ?? 'Unknown Device';
  const end = useAction(endSession, {
    acceptMissing: true,
    onError: (error) => notifyError('The session was not ended', error),
    invalidates: [listSessions, listSecurityEvents],
  });
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
          <From parts={[location, ip]} />
          <span>
            Last used <When at={lastUsedAt} />
          </span>
        </>,
      ]}
      action={
        !current && (
          <EndButton
            label={`End the session on ${device}, last used ${formatDateTime(lastUsedAt)}`}
            end={end}
            input={{ params: { sessionId: id } }}
          />
        )
      }
    />
  );
}

export function Connections() {
  // Never cached, as apps connect and disconnect elsewhere.
  const call = useCall(listConnections, {}, { staleTime: 0 });
  const count = call.data?.length ?? 0;
  const endAll = useAction(endConnections, {
    onSuccess: ({ ended }) =>
      notifySuccess(`${plural(ended, 'connection was', 'connections were')} ended.`),
    invalidates: [listConnections, listSecurityEvents],
  });
  return (
    <AccessList
      title="Connected apps and devices"
      lead="Programs and assistants that you allowed to use your files. End those that you do not know or no longer use."
      noun="connections"
      call={call}
      aside={
        count > 1 && (
          <ConfirmButton
            label="End all"
            title="End all connections"
            question={`All ${count.toLocaleString('en-US')} connections end immediately.`}
            consequence="The programs and devices have to ask for access again. API keys keep working."
            yes="End"
            action={endAll}
            input={{}}
            failure="The connections were not ended."
          />
        )
      }
      empty="Nothing is connected."
      renderRow={(connection) => <ConnectionRow key={connection.id} connection={connection} />}
    />
  );
}

const icons: Record<Connection['kind'], Icon> = {
  site: IconWorld,
  local: IconDeviceDesktop,
  device: IconDeviceTv,
};

function ConnectionRow({ connection }: { connection: Connection }) {
  const { id, name, address, verified, kind, scopes, connectedAt, lastUsedAt } = connection;
  const end = useAction(endConnection, {
    acceptMissing: true,
    onError: (error) => notifyError('The connection was not ended', error),
    invalidates: [listConnections, listSecurityEvents],
  });
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
          <span>
            {scopes.includes('files:write') ? 'Reads and changes your files' : 'Reads your files'}
          </span>
        </>,
        <>
          <span>
            Connected <When at={connectedAt} />
          </span>
          <LastUsed at={lastUsedAt} />
        </>,
      ]}
      action={
        <EndButton
          label={`End the connection of ${name}, connected ${formatDateTime(connectedAt)}`}
          end={end}
          input={{ params: { id } }}
        />
      }
    />
  );
}
