import type { SecurityEvent, SecurityEventKind } from '@engram/contract';
import { listSecurityEvents } from '@engram/contract/browser';
import { Text } from '@mantine/core';
import { Fragment } from 'react';
import { usePages } from '../../../api/use-pages.ts';
import { PagedList, Row, Rows } from '../../../components/lists.tsx';
import { Panel } from '../../../components/panel.tsx';
import { formatDateTime } from '../../../format/format.ts';

const descriptions: Record<SecurityEventKind, string> = {
  sign_in: 'Signed in',
  sign_in_failed: 'Somebody tried to sign in and failed',
  locked_out: 'Too many wrong codes: new browsers are locked out for a while',
  confirmed: 'Confirmed with a new code',
  confirm_failed: 'A wrong code was entered to confirm an action',
  session_ended: 'Session ended',
  session_copied: 'A session was used from a copy, and was ended',
  passkey_added: 'Passkey added',
  passkey_removed: 'Passkey removed',
  key_made: 'API key created',
  key_revoked: 'API key revoked',
  app_connected: 'App or device connected',
  app_ended: 'App or device disconnected',
  webhook_added: 'Webhook added',
  webhook_secret_rotated: 'Webhook secret rotated',
  webhook_removed: 'Webhook removed',
  webhook_disabled: 'Webhook disabled after failed deliveries',
  mailbox_added: 'Mailbox added',
  mailbox_changed: 'Mailbox changed',
  mailbox_removed: 'Mailbox removed',
  export_link_made: 'Export link created',
  export_started: 'Export downloaded',
  deletion_asked: 'Account deletion requested',
  deletion_done: 'Account deleted',
};

const warnings = new Set<SecurityEventKind>([
  'sign_in_failed',
  'locked_out',
  'confirm_failed',
  'session_copied',
  'deletion_asked',
]);

export function SecurityEvents() {
  const pages = usePages(listSecurityEvents, {});
  return (
    <Panel
      title="Recent activity"
      lead="Security events of the last 90 days. If one was not you, end the other sessions and revoke your keys."
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

const EventRow = ({ event: { kind, at, ip, device, app } }: { event: SecurityEvent }) => (
  <Row
    name={
      <Text span inherit {...(warnings.has(kind) ? { c: 'yellow' } : { fw: 400 })}>
        {descriptions[kind]}
        {app !== null && (
          <>
            : <bdi>{app}</bdi>
          </>
        )}
      </Text>
    }
    facts={[
      <>
        <When at={at} />
        <span>
          <From parts={[device, ip]} />
        </span>
      </>,
    ]}
  />
);

export const When = ({ at }: { at: string }) => <time dateTime={at}>{formatDateTime(at)}</time>;

export const LastUsed = ({ at }: { at: string | null }) => (
  <span>
    {at === null ? (
      'Not used yet'
    ) : (
      <>
        Last used <When at={at} />
      </>
    )}
  </span>
);

/** Where a request came from. Each part is isolated, as its text may run from right to left. */
export function From({ parts }: { parts: readonly (string | null)[] }) {
  const present = parts.filter((part) => part !== null && part !== '');
  if (present.length === 0) return null;
  return (
    <span>
      {present.map((part, index) => (
        <Fragment key={part}>
          {index > 0 && ' · '}
          <bdi>{part}</bdi>
        </Fragment>
      ))}
    </span>
  );
}
