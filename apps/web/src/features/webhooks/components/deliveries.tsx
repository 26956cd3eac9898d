import type { WebhookDelivery } from '@engram/contract';
import {
  listWebhookDeliveries,
  listWebhooks,
  resendWebhookDelivery,
} from '@engram/contract/browser';
import { Button, Text } from '@mantine/core';
import { Fragment } from 'react';
import { useAction } from '../../../api/use-action.ts';
import { useCall } from '../../../api/use-call.ts';
import { CallList, Row, Rows } from '../../../components/lists.tsx';
import { notifyError } from '../../../components/notify.ts';
import { Tag } from '../../../components/tag.tsx';
import { formatDateTime } from '../../../format/format.ts';

/** The number that the server stores after each cleanup. */
const SHOWN = 100;
const POLL_MS = 2000;
/** The list is polled while a delivery is due within this time. */
const SOON_MS = 30_000;

export const eventLabels: Record<WebhookDelivery['type'], string> = {
  'file.ready': 'A file is ready',
  'file.failed': 'A file could not be read',
  'question.answered': 'A question is answered',
  'webhook.test': 'Test',
};

const states = {
  waiting: { tone: 'warning', label: 'Waiting' },
  delivered: { tone: 'success', label: 'Delivered' },
  failed: { tone: 'danger', label: 'Failed' },
} as const;

const isDueSoon = ({ state, nextAttemptAt }: WebhookDelivery): boolean =>
  state === 'waiting' && Date.parse(nextAttemptAt ?? '') < Date.now() + SOON_MS;

export function Deliveries({ webhookId }: { webhookId: string }) {
  const call = useCall(
    listWebhookDeliveries,
    { params: { id: webhookId }, query: { limit: SHOWN } },
    {
      staleTime: 0,
      refetchInterval: ({ state }) => (state.data?.some(isDueSoon) ? POLL_MS : false),
    },
  );
  return (
    <CallList
      call={call}
      what="the deliveries"
      heights={[56, 56, 56]}
      empty={<Text c="dimmed">Nothing has been sent yet.</Text>}
    >
      {(deliveries) => (
        <Rows label="Deliveries">
          {deliveries.map((delivery) => (
            <DeliveryRow key={delivery.id} webhookId={webhookId} delivery={delivery} />
          ))}
        </Rows>
      )}
    </CallList>
  );
}

function DeliveryRow({ webhookId, delivery }: { webhookId: string; delivery: WebhookDelivery }) {
  const { id, type, state, createdDate, attempts, status, error, nextAttemptAt } = delivery;
  const { tone, label } = states[state];
  const resend = useAction(resendWebhookDelivery, {
    onError: (failure) => notifyError('The event was not sent again', failure),
    invalidates: [listWebhookDeliveries, listWebhooks],
  });
  return (
    <Row
      name={
        <>
          {eventLabels[type]} <Tag tone={tone}>{label}</Tag>
        </>
      }
      facts={[
        <Fragment key="attempt">
          <time dateTime={createdDate}>{formatDateTime(createdDate)}</time>
          {attempts > 0 && <span>Attempt {attempts}</span>}
          {status !== null && <span>Answered {status}</span>}
        </Fragment>,
        error,
        attempts > 0 && nextAttemptAt !== null && (
          <span key="next">
            Next attempt <time dateTime={nextAttemptAt}>{formatDateTime(nextAttemptAt)}</time>
          </span>
        ),
      ].filter(Boolean)}
      action={
        <Button
          variant="subtle"
          size="sm"
          loading={resend.isPending}
          aria-label={`Send again: ${eventLabels[type]}, ${formatDateTime(createdDate)}`}
          onClick={() => resend.mutate({ params: { id: webhookId, deliveryId: id } })}
        >
          Send again
        </Button>
      }
    />
  );
}
