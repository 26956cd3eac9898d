import type { WebhookEvent } from '@engram/contract';
import {
  addWebhook,
  listSecurityEvents,
  listWebhooks,
  WEBHOOK_DESCRIPTION_LIMIT,
} from '@engram/contract/browser';
import { Button, Checkbox, Stack, TextInput } from '@mantine/core';
import { useState, type SubmitEvent } from 'react';
import { useAction } from '../../../api/use-action.ts';
import { DialogFoot } from '../../../components/dialog.tsx';
import { FailureNote } from '../../../components/notice.tsx';
import { eventLabels } from './deliveries.tsx';

const events: readonly WebhookEvent[] = ['file.ready', 'file.failed', 'question.answered'];

interface WebhookFormProps {
  onClose: () => void;
  onAdded: (secret: string) => void;
}

/** Mounted while its dialog is open, so that each opening starts empty. */
export function WebhookForm({ onClose, onAdded }: WebhookFormProps) {
  const [url, setUrl] = useState('');
  const [chosen, setChosen] = useState<string[]>([...events]);
  const [description, setDescription] = useState('');
  const [missing, setMissing] = useState<'url' | 'events' | null>(null);
  const add = useAction(addWebhook, {
    // The secret must not stay in the cache.
    gcTime: 0,
    invalidates: [listWebhooks, listSecurityEvents],
  });
  const submit = (event: SubmitEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const missingField = url.trim() === '' ? 'url' : chosen.length === 0 ? 'events' : null;
    setMissing(missingField);
    if (missingField !== null) return;
    const body = {
      url,
      events: events.filter((candidate) => chosen.includes(candidate)),
      description,
    };
    add.mutate(
      { body },
      {
        onSuccess: ({ secret }) => {
          onClose();
          onAdded(secret);
        },
      },
    );
  };
  return (
    <form noValidate onSubmit={submit}>
      <Stack gap={16}>
        <TextInput
          data-autofocus
          type="url"
          label="Address"
          description="It begins with https:// and takes POST requests."
          placeholder="https://example.org/engram"
          autoComplete="off"
          value={url}
          error={missing === 'url' && 'Please enter a web address.'}
          onChange={(event) => setUrl(event.currentTarget.value)}
        />
        <Checkbox.Group
          label="Events"
          value={chosen}
          error={missing === 'events' && 'Please choose at least one event.'}
          onChange={setChosen}
        >
          <Stack gap={8} mt={8}>
            {events.map((event) => (
              <Checkbox key={event} value={event} label={eventLabels[event]} />
            ))}
          </Stack>
        </Checkbox.Group>
        <TextInput
          label="Description (optional)"
          placeholder="Such as Home server"
          autoComplete="off"
          maxLength={WEBHOOK_DESCRIPTION_LIMIT}
          value={description}
          onChange={(event) => setDescription(event.currentTarget.value)}
        />
      </Stack>
      <FailureNote title="The webhook was not added." error={add.error} />
      <DialogFoot>
        <Button variant="default" disabled={add.isPending} onClick={onClose}>
          Cancel
        </Button>
        <Button type="submit" loading={add.isPending}>
          Add
        </Button>
      </DialogFoot>
    </form>
  );
}
