import type { OpenSession } from '@engram/contract';
import { listSessions } from '@engram/contract/browser';
import { IconDeviceDesktop, IconDeviceMobile } from '@tabler/icons-react';
import { useCall } from '../../../api/use-call.ts';
import { ConfirmButton } from '../../../components/confirm-modal.tsx';
import { Tag } from '../../../components/tag.tsx';
import { formatDateTime } from '../../../format/format.ts';
import { useEndOtherSessions, useEndSession } from '../api.ts';
import { AccessList, AccessRow, When } from './access-list.tsx';
import { From } from './security-events.tsx';

const thisOneFirst = (sessions: readonly OpenSession[]): OpenSession[] =>
  sessions.toSorted((a, b) => Number(b.current) - Number(a.current));

/** Where the user is signed in, with buttons to end sessions. */
export function Sessions() {
  const call = useCall(listSessions, {}, { select: thisOneFirst, staleTime: 0 });
  return (
    <AccessList
      title="Where you are signed in"
      lead="Every browser and device that is signed in to your account. End those that you do not know or no longer use."
      noun="sessions"
      label="Sessions"
      call={call}
      endAll={<EndOthers count={(call.data?.length ?? 1) - 1} />}
      renderRow={(session) => <SessionRow key={session.id} session={session} />}
    />
  );
}

const PHONES = /iPhone|iPad|Android/u;

function SessionRow({ session }: { session: OpenSession }) {
  const { id, current, lastUsedAt, location, ip } = session;
  const device = session.device ?? 'Unknown Device';
  const label = `End the session on ${device}, last used ${formatDateTime(lastUsedAt)}`;
  return (
    <AccessRow
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
      endLabel={current ? null : label}
      end={useEndSession()}
      input={{ params: { sessionId: id } }}
    />
  );
}

function EndOthers({ count }: { count: number }) {
  return (
    <ConfirmButton
      label="End all others"
      title="End all other sessions"
      question={
        count === 1
          ? 'The other session ends at once.'
          : `The other ${count.toLocaleString('en-US')} sessions end at once.`
      }
      consequence="To sign in there again, a code is needed that is sent to your address. API keys keep working."
      yes="End"
      action={useEndOtherSessions()}
      input={{}}
      failure="The sessions were not ended."
    />
  );
}
