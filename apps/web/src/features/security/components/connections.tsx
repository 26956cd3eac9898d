import type { Connection } from '@engram/contract';
import { listConnections } from '@engram/contract/browser';
import { IconDeviceDesktop, IconDeviceTv, IconWorld } from '@tabler/icons-react';
import { useCall } from '../../../api/use-call.ts';
import { ConfirmButton } from '../../../components/confirm-modal.tsx';
import { Tag } from '../../../components/tag.tsx';
import { formatDateTime } from '../../../format/format.ts';
import { useEndConnection, useEndConnections } from '../api.ts';
import { AccessList, AccessRow, When } from './access-list.tsx';

/** The connected apps and devices, with buttons to end their access. */
export function Connections() {
  // Read again each time, as apps connect and disconnect elsewhere.
  const call = useCall(listConnections, {}, { staleTime: 0 });
  return (
    <AccessList
      title="Connected apps and devices"
      lead="Programs and assistants that you allowed to use your files. End those that you do not know or no longer use."
      noun="connections"
      label="Connections"
      call={call}
      endAll={<EndAll count={call.data?.length ?? 0} />}
      empty="Nothing is connected."
      renderRow={(connection) => <ConnectionRow key={connection.id} connection={connection} />}
    />
  );
}

const icons = { site: IconWorld, local: IconDeviceDesktop, device: IconDeviceTv } as const;

function ConnectionRow({ connection }: { connection: Connection }) {
  const { id, name, address, verified, kind, scopes, connectedAt, lastUsedAt } = connection;
  return (
    <AccessRow
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
          <span>
            {lastUsedAt === null ? (
              'Not used yet'
            ) : (
              <>
                Last used <When at={lastUsedAt} />
              </>
            )}
          </span>
        </>,
      ]}
      endLabel={`End the connection of ${name}, connected ${formatDateTime(connectedAt)}`}
      end={useEndConnection()}
      input={{ params: { id } }}
    />
  );
}

const EndAll = ({ count }: { count: number }) => (
  <ConfirmButton
    label="End all"
    title="End all connections"
    question={`All ${count.toLocaleString('en-US')} connections end at once.`}
    consequence="The programs and devices have to ask you again. API keys keep working."
    yes="End"
    action={useEndConnections()}
    input={{}}
    failure="The connections were not ended."
  />
);
