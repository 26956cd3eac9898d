import type { SecurityEvent } from '@engram/contract';
import { listSecurityEvents } from '@engram/contract/browser';
import { Text } from '@mantine/core';
import { usePages } from '../../../api/use-pages.ts';
import { PagedList } from '../../../components/paged-list.tsx';
import { Panel } from '../../../components/panel.tsx';
import { Row, Rows } from '../../../components/row.tsx';
import { formatDateTime } from '../../../format/format.ts';
import { eventWords } from '../event-words.ts';
import { From } from './from.tsx';

/** What happened to the safety of the account. */
export function SecurityEvents() {
  const pages = usePages(listSecurityEvents, {});
  return (
    <Panel
      title="Recent activity"
      lead="What happened to the safety of your account in the last 90 days. If something was not you, end the other sessions and revoke your keys."
    >
      <PagedList
        pages={pages}
        nouns={['event', 'events']}
        empty={<Text c="dimmed">Nothing has happened in the last 90 days.</Text>}
      >
        {(events) => (
          <Rows label="Recent activity">
            {events.map((event) => (
              <EventRow key={event.id} event={event} />
            ))}
          </Rows>
        )}
      </PagedList>
    </Panel>
  );
}

function EventRow({ event: { kind, at, ip, device, app } }: { event: SecurityEvent }) {
  const { text, tone } = eventWords[kind];
  return (
    <Row
      name={
        <Text span inherit {...(tone === 'warning' ? { c: 'yellow' } : { fw: 400 })}>
          {text}
          {app !== null && (
            <>
              : <bdi>{app}</bdi>
            </>
          )}
        </Text>
      }
      facts={[
        <>
          <time dateTime={at}>{formatDateTime(at)}</time>
          <span>
            <From parts={[device, ip]} />
          </span>
        </>,
      ]}
    />
  );
}
