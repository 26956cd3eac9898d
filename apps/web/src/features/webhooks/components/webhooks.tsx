import type { Webhook } from '@engram/contract';
import {
  deleteWebhook,
  listSecurityEvents,
  listWebhookDeliveries,
  listWebhooks,
  pauseWebhook,
  rotateWebhookSecret,
  testWebhook,
  WEBHOOK_LIMIT,
} from '@engram/contract/browser';
import { Button, Group, Text } from '@mantine/core';
import {
  IconKey,
  IconPlayerPause,
  IconPlayerPlay,
  IconSend,
  IconTrash,
  IconWebhook,
} from '@tabler/icons-react';
import { useState, type ReactNode } from 'react';
import { useAction } from '../../../api/use-action.ts';
import { useCall } from '../../../api/use-call.ts';
import { AddableList } from '../../../components/addable-list.tsx';
import { ConfirmAction } from '../../../components/confirm-modal.tsx';
import { Dialog } from '../../../components/dialog.tsx';
import { Row } from '../../../components/lists.tsx';
import { Menu } from '../../../components/menu.tsx';
import { notifyError } from '../../../components/notify.ts';
import { SecretDialog } from '../../../components/secret-dialog.tsx';
import { Tag } from '../../../components/tag.tsx';
import { formatDateTime } from '../../../format/format.ts';
import { Deliveries, eventLabels } from './deliveries.tsx';
import { WebhookForm } from './webhook-form.tsx';

export function Webhooks() {
  const call = useCall(listWebhooks, {}, { staleTime: 0 });
  const [isAdding, setAdding] = useState(false);
  const [secret, setSecret] = useState<string | null>(null);
  return (
    <AddableList
      nouns={['webhook', 'webhooks']}
      call={call}
      limit={WEBHOOK_LIMIT}
      icon={IconWebhook}
      text="Engram sends a signed request to your address when a file is ready or a question is answered."
      onAdd={() => setAdding(true)}
      renderRow={(webhook) => (
        <WebhookRow key={webhook.id} webhook={webhook} onSecret={setSecret} />
      )}
    >
      <Dialog opened={isAdding} onClose={() => setAdding(false)} title="Add webhook" size={520}>
        <WebhookForm onClose={() => setAdding(false)} onAdded={setSecret} />
      </Dialog>
      <SecretDialog
        title="Your webhook secret"
        label="Secret"
        secret={secret}
        copied="Secret copied."
        failed="The secret was not copied"
        onClose={() => setSecret(null)}
      >
        Your server uses it to verify that a request comes from Engram. Copy it now, as it cannot be
        shown again.
      </SecretDialog>
    </AddableList>
  );
}

function StateTag({ webhook: { state, failingSince } }: { webhook: Webhook }) {
  if (state === 'paused') return <Tag tone="quiet">Paused</Tag>;
  if (state !== 'active') return <Tag tone="danger">Disabled</Tag>;
  return failingSince !== null && <Tag tone="warning">Failing</Tag>;
}

function problemOf({ state, failingSince }: Webhook): ReactNode {
  if (state === 'gone') return 'The address answered 410 (Gone). Resume it to try again.';
  if (state === 'failing') {
    return 'All deliveries failed for 5 days, so Engram stopped sending. Resume it to try again.';
  }
  return (
    state === 'active' &&
    failingSince !== null && (
      <>
        Deliveries have failed since{' '}
        <time dateTime={failingSince}>{formatDateTime(failingSince)}</time>.
      </>
    )
  );
}

interface WebhookRowProps {
  webhook: Webhook;
  onSecret: (secret: string) => void;
}

function WebhookRow({ webhook, onSecret }: WebhookRowProps) {
  const { id, url, description, events, state } = webhook;
  const [opened, setOpened] = useState<'deliveries' | 'rotation' | 'removal' | null>(null);
  const close = (): void => setOpened(null);
  const name = description ?? url;
  const input = { params: { id } };
  const isActive = state === 'active';
  const pause = useAction(pauseWebhook, {
    onError: (error) => notifyError('The webhook was not changed', error),
    invalidates: [listWebhooks, listWebhookDeliveries],
  });
  const test = useAction(testWebhook, {
    onSuccess: () => setOpened('deliveries'),
    onError: (error) => notifyError('The test was not sent', error),
    invalidates: [listWebhookDeliveries],
  });
  const rotate = useAction(rotateWebhookSecret, {
    // The secret must not stay in the cache.
    gcTime: 0,
    onSuccess: ({ secret }) => onSecret(secret),
    invalidates: [listSecurityEvents],
  });
  const remove = useAction(deleteWebhook, {
    acceptMissing: true,
    invalidates: [listWebhooks, listSecurityEvents],
  });
  const problem = problemOf(webhook);
  return (
    <>
      <Row
        icon={IconWebhook}
        name={
          <>
            <bdi>{name}</bdi> <StateTag webhook={webhook} />
          </>
        }
        facts={[
          description !== null && <bdi key="url">{url}</bdi>,
          events.map((event) => eventLabels[event]).join(' · '),
          problem && (
            <Text span inherit key="problem" c="red">
              {problem}
            </Text>
          ),
        ].filter(Boolean)}
        action={
          <Group gap={4} wrap="nowrap">
            <Button
              variant="default"
              size="sm"
              aria-label={`Deliveries to ${name}`}
              onClick={() => setOpened('deliveries')}
            >
              Deliveries
            </Button>
            <Menu
              label={`More actions for ${name}`}
              groups={[
                [
                  { icon: IconSend, label: 'Send a test', onClick: () => test.mutate(input) },
                  {
                    icon: isActive ? IconPlayerPause : IconPlayerPlay,
                    label: isActive ? 'Pause' : 'Resume',
                    onClick: () => pause.mutate({ ...input, body: { paused: isActive } }),
                  },
                  {
                    icon: IconKey,
                    label: 'Rotate secret',
                    onClick: () => setOpened('rotation'),
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
      <Dialog
        opened={opened === 'deliveries'}
        onClose={close}
        title={`Deliveries to ${name}`}
        size={640}
      >
        <Deliveries webhookId={id} />
      </Dialog>
      <ConfirmAction
        opened={opened === 'rotation'}
        title="Rotate secret"
        question={`Create a new secret for “${name}”?`}
        consequence="For 24 hours requests are signed with both secrets, so that you can change it on your server."
        yes="Rotate"
        color="indigo"
        action={rotate}
        input={input}
        failure="The secret was not rotated."
        onClose={close}
      />
      <ConfirmAction
        opened={opened === 'removal'}
        title="Remove webhook"
        question={`Engram sends nothing more to “${name}”, and its deliveries are deleted.`}
        consequence="This cannot be undone. You can add it again at any time."
        yes="Remove"
        action={remove}
        input={input}
        failure="The webhook was not removed."
        onClose={close}
      />
    </>
  );
}
