import type { ApiKey } from '@engram/contract';
import { API_KEY_NAME_LIMIT, refuseApiKeyName } from '@engram/contract/browser';
import { Button, TextInput } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useState, type RefObject, type SubmitEvent } from 'react';
import { ApiError } from '@engram/client';
import { notifications } from '@mantine/notifications';
import { type NewApiKey, useGenerateApiKey } from '../api/generate-api-key.ts';
import { failureReason } from '../failure-reason.ts';
import classes from './api-keys.module.css';

interface ApiKeyFormProps {
  /** The keys there are; undefined until they are known. */
  keys: readonly ApiKey[] | undefined;
  fieldRef: RefObject<HTMLInputElement | null>;
  onMade: (made: NewApiKey) => void;
}

const TAKEN = 'API key with name already exists';

const sameName = (name: string): string => name.trim().normalize('NFC').toLowerCase();

/** Makes a key of a name. */
export function ApiKeyForm({ keys, fieldRef, onMade }: ApiKeyFormProps) {
  const { mutateAsync: generate, isPending, reset } = useGenerateApiKey();
  const [name, setName] = useState('');
  const [error, setError] = useState<string | null>(null);

  const refuse = (typed: string): string | null => {
    const isTaken = keys?.some((key) => sameName(key.name) === sameName(typed));
    return isTaken ? TAKEN : refuseApiKeyName(typed);
  };

  const submit = async (event: SubmitEvent<HTMLFormElement>): Promise<void> => {
    event.preventDefault();
    if (isPending) return;
    const refusal = refuse(name);
    setError(refusal);
    if (refusal !== null) return fieldRef.current?.focus();
    try {
      onMade(await generate(name.trim()));
      setName('');
    } catch (failure) {
      if (failure instanceof ApiError && failure.message === TAKEN) setError(TAKEN);
      else {
        notifications.show({
          title: 'Failed to generate API key. Please try again.',
          message: failureReason(failure),
          color: 'red',
          autoClose: 8000,
        });
      }
    } finally {
      reset();
    }
  };

  return (
    <form className={classes.form} noValidate onSubmit={(event) => void submit(event)}>
      <TextInput
        ref={fieldRef}
        className={classes.field ?? ''}
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
      <Button
        type="submit"
        className={classes.generate ?? ''}
        loading={isPending}
        leftSection={<IconPlus size={16} stroke={2} />}
      >
        Generate Key
      </Button>
    </form>
  );
}
