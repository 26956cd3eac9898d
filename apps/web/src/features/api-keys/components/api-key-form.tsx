import type { ApiKey } from '@engram/contract';
import {
  API_KEY_NAME_LIMIT,
  generateApiKey,
  listApiKeys,
  refuseApiKeyName,
} from '@engram/contract/browser';
import { Button, Checkbox, Group, NativeSelect, Stack, TextInput } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useRef, useState, type RefObject, type SubmitEvent } from 'react';
import { ApiError } from '@engram/client';
import { useAction } from '../../../api/use-action.ts';
import type { NewApiKey } from '../api.ts';
import { NotConfirmed } from '../../../session/fresh-code.ts';
import { notifyError } from '../../../components/notify.ts';
import { useNow } from '../../../browser/use-now.ts';
import { failureReason } from '../failure-reason.ts';
import { expiryOf, lifetimes, todayOf } from '../key-expiry.ts';

interface ApiKeyFormProps {
  /** The keys there are; undefined until they are known. */
  keys: readonly ApiKey[] | undefined;
  fieldRef: RefObject<HTMLInputElement | null>;
  onMade: (made: NewApiKey) => void;
}

const TAKEN = 'API key with name already exists';

const sameName = (name: string): string => name.trim().normalize('NFC').toLowerCase();

/** The failure with its reason as the page tells it. */
const reasonOf = (failure: unknown): Error =>
  failure instanceof NotConfirmed ? failure : new Error(failureReason(failure));

const refuseDay = (day: string): string | null =>
  day < todayOf(Date.now()) ? 'Choose a day that is not over yet.' : null;

/** Makes a key of a name, for a while or without an end. */
export function ApiKeyForm({ keys, fieldRef, onMade }: ApiKeyFormProps) {
  const {
    mutateAsync: generate,
    isPending,
    reset,
  } = useAction(generateApiKey, {
    // The key itself is stored nowhere but where it is shown.
    gcTime: 0,
    // A refusal may mean that another tab has made a key of this name.
    invalidatesAlways: [listApiKeys],
  });
  const [name, setName] = useState('');
  const [readOnly, setReadOnly] = useState(false);
  const [lifetime, setLifetime] = useState('never');
  const [day, setDay] = useState('');
  const [error, setError] = useState<string | null>(null);
  const [dayError, setDayError] = useState<string | null>(null);
  const now = useNow();
  const dayField = useRef<HTMLInputElement>(null);

  const refuse = (typed: string): string | null => {
    const isTaken = keys?.some((key) => sameName(key.name) === sameName(typed));
    return isTaken ? TAKEN : refuseApiKeyName(typed);
  };

  const submit = async (event: SubmitEvent<HTMLFormElement>): Promise<void> => {
    event.preventDefault();
    if (isPending) return;
    const refusal = refuse(name);
    setError(refusal);
    const dayRefusal = lifetime === 'day' ? refuseDay(day) : null;
    setDayError(dayRefusal);
    if (refusal !== null) return fieldRef.current?.focus();
    if (dayRefusal !== null) return dayField.current?.focus();
    try {
      const expiresAt = expiryOf(lifetime, day, Date.now());
      onMade(await generate({ params: { name: name.trim() }, body: { readOnly, expiresAt } }));
      setName('');
    } catch (failure) {
      if (failure instanceof ApiError && failure.message === TAKEN) setError(TAKEN);
      else notifyError('Failed to generate API key. Please try again.', reasonOf(failure), '');
    } finally {
      reset();
    }
  };

  return (
    <form noValidate onSubmit={(event) => void submit(event)}>
      <Stack maw={860} gap={12}>
        <Group gap={8} align="flex-start">
          <TextInput
            ref={fieldRef}
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
            label="Works"
            data={Object.entries(lifetimes).map(([value, label]) => ({ value, label }))}
            value={lifetime}
            onChange={(event) => setLifetime(event.currentTarget.value)}
          />
          {lifetime === 'day' && (
            <TextInput
              ref={dayField}
              flex="1 1 200px"
              type="date"
              label="Last day (UTC)"
              min={todayOf(now.getTime())}
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
            description="It lists, reads and asks. It uploads, changes and deletes nothing."
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
