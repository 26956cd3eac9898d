import type { ApiKey, DataOf } from '@engram/contract';
import {
  API_KEY_NAME_LIMIT,
  generateApiKey,
  listApiKeys,
  refuseApiKeyName,
} from '@engram/contract/browser';
import { Button, Checkbox, Group, NativeSelect, Stack, TextInput } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useRef, useState, type SubmitEvent } from 'react';
import { ApiError } from '@engram/client';
import { useAction } from '../../../api/use-action.ts';
import { useNow } from '../../../browser/clock.ts';
import { messageOf, notifyError } from '../../../components/notify.ts';
import { AuthenticationCancelled } from '../../../session/recent-authentication.ts';

export type NewApiKey = DataOf<typeof generateApiKey>;

export function failureReason(error: unknown): string {
  const isExplained = error instanceof ApiError ? error.code !== 'http' : error instanceof Error;
  return isExplained ? messageOf(error) : 'An unexpected error occurred.';
}

const NAME_TAKEN = 'API key with name already exists';

const normalize = (name: string): string => name.trim().normalize('NFC').toLowerCase();

const lifetimes = [
  { value: 'never', label: 'Never' },
  { value: '30', label: 'In 30 days' },
  { value: '90', label: 'In 90 days' },
  { value: '365', label: 'In a year' },
  { value: 'day', label: 'On a date' },
];

const DAY_MS = 86_400_000;

/** When a new key expires: a time, or the day as typed; null for never. */
function expiryOf(lifetime: string, day: string): string | null {
  if (lifetime === 'never') return null;
  if (lifetime === 'day') return day;
  return new Date(Date.now() + Number(lifetime) * DAY_MS).toISOString();
}

const today = (now: Date): string => now.toISOString().slice(0, 10);

interface ApiKeyFormProps {
  keys: readonly ApiKey[] | undefined;
  onCreated: (key: NewApiKey) => void;
}

export function ApiKeyForm({ keys, onCreated }: ApiKeyFormProps) {
  const {
    mutateAsync: generate,
    isPending,
    reset,
  } = useAction(generateApiKey, {
    // The key itself must not stay in the cache.
    gcTime: 0,
    // An error may mean that another tab has created a key with this name.
    invalidatesAlways: [listApiKeys],
  });
  const [name, setName] = useState('');
  const [readOnly, setReadOnly] = useState(false);
  const [lifetime, setLifetime] = useState('never');
  const [day, setDay] = useState('');
  const [error, setError] = useState<string | null>(null);
  const [dayError, setDayError] = useState<string | null>(null);
  const now = useNow();
  const nameField = useRef<HTMLInputElement>(null);
  const dayField = useRef<HTMLInputElement>(null);

  const refuse = (typed: string): string | null => {
    const isTaken = keys?.some((key) => normalize(key.name) === normalize(typed));
    return isTaken ? NAME_TAKEN : refuseApiKeyName(typed);
  };

  const submit = async (event: SubmitEvent<HTMLFormElement>): Promise<void> => {
    event.preventDefault();
    if (isPending) return;
    const refusal = refuse(name);
    setError(refusal);
    const isPast = lifetime === 'day' && day < today(new Date());
    const dayRefusal = isPast ? 'Choose today or a later day.' : null;
    setDayError(dayRefusal);
    if (refusal !== null) return nameField.current?.focus();
    if (dayRefusal !== null) return dayField.current?.focus();
    try {
      const body = { readOnly, expiresAt: expiryOf(lifetime, day) };
      onCreated(await generate({ params: { name: name.trim() }, body }));
      setName('');
    } catch (failure) {
      if (failure instanceof ApiError && failure.message === NAME_TAKEN)
        return setError(NAME_TAKEN);
      if (failure instanceof AuthenticationCancelled) return;
      const reason = new Error(failureReason(failure));
      notifyError('Failed to generate API key. Please try again.', reason, '');
    } finally {
      reset();
    }
  };

  return (
    <form noValidate onSubmit={(event) => void submit(event)}>
      <Stack maw={860} gap={12}>
        <Group gap={8} align="flex-start">
          <TextInput
            ref={nameField}
            flex="1 1 240px"
            label="Name of the new key"
            placeholder="Such as Nightly import"
            autoComplete="off"
            maxLength={API_KEY_NAME_LIMIT * 2}
            value={name}
            error={error}
            onChange={(event) => {
              setName(event.currentTarget.value);
              setError(null);
            }}
          />
          <NativeSelect
            flex="1 1 200px"
            label="Expires"
            data={lifetimes}
            value={lifetime}
            onChange={(event) => setLifetime(event.currentTarget.value)}
          />
          {lifetime === 'day' && (
            <TextInput
              ref={dayField}
              flex="1 1 200px"
              type="date"
              label="Last day (UTC)"
              min={today(now)}
              value={day}
              error={dayError}
              onChange={(event) => {
                setDay(event.currentTarget.value);
                setDayError(null);
              }}
            />
          )}
        </Group>
        <Group justify="space-between">
          <Checkbox
            flex="1 1 260px"
            label="Read only"
            description="It can list, read and ask, but not upload, change or delete."
            checked={readOnly}
            onChange={(event) => setReadOnly(event.currentTarget.checked)}
          />
          <Button type="submit" loading={isPending} leftSection={<IconPlus size={16} stroke={2} />}>
            Generate Key
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
