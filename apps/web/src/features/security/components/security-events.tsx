import type { SecurityEvent } from '@engram/contract';
import { Text } from '@mantine/core';
import { PagedList } from '../../../components/paged-list.tsx';
import { Panel } from '../../../components/panel.tsx';
import { formatDateTime } from '../../../format/format.ts';
import { useTimeZone } from '../../../format/time-zone.ts';
import { useSecurityEvents } from '../api/list-security-events.ts';
import { eventWords } from '../event-words.ts';
import { From } from './from.tsx';
import classes from './security.module.css';

/** What happened to the safety of the account. */
export function SecurityEvents() {
  const pages = useSecurityEvents();
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
          <ol>
            {events.map((event) => (
              <EventRow key={event.id} event={event} />
            ))}
          </ol>
        )}
      </PagedList>
    </Panel>
  );
}

function EventRow({ event: { kind, at, ip, device } }: { event: SecurityEvent }) {
  const { timeZone, labelOf } = useTimeZone();
  const { text, tone } = eventWords[kind];
  return (
    <li className={classes.event} data-tone={tone}>
      <span className={classes.what}>{text}</span>
      <time className={classes.at} dateTime={at}>
        {formatDateTime(at, timeZone)} {labelOf(at)}
      </time>
      <span className={classes.from}>
        <From parts={[device, ip]} />
      </span>
    </li>
  );
}
