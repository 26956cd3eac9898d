import {
  addCredits,
  CREDIT_LIMIT,
  getMetrics,
  listAllLedger,
  listAudit,
  listLedger,
  listUsers,
} from '@engram/contract/browser';
import { Button, Group, Text, TextInput } from '@mantine/core';
import { useState, type SyntheticEvent } from 'react';
import { useAction } from '../../../api/use-action.ts';
import { FailureNote } from '../../../components/failure-note.tsx';
import { Panel } from '../../../components/panel.tsx';
import { notifySuccess } from '../../../components/notify.ts';
import { PersonPicker, type Person } from './person-picker.tsx';

/** Why credits cannot be added like this, as a sentence; null where they can. */
function refuse(person: Person | null, amount: string): string | null {
  if (!person || !/^\d+$/u.test(amount) || Number(amount) < 1) {
    return 'Please select a user and enter a valid credit amount.';
  }
  return Number(amount) > CREDIT_LIMIT
    ? `At most ${CREDIT_LIMIT.toLocaleString('en-US')} credits can be added at once.`
    : null;
}

/** Adds credits to a person that is picked. */
export function AddCredits() {
  const [person, setPerson] = useState<Person | null>(null);
  const [amount, setAmount] = useState('');
  const [refusal, setRefusal] = useState<string | null>(null);
  const add = useAction(addCredits, {
    // The admin may have added to their own.
    invalidates: [listUsers, listAllLedger, listAudit, getMetrics, listLedger],
  });
  const changed = (): void => {
    setRefusal(null);
    add.reset();
  };
  const submit = (event: SyntheticEvent): void => {
    event.preventDefault();
    if (add.isPending) return;
    const credits = amount.trim();
    const refused = refuse(person, credits);
    setRefusal(refused);
    if (refused || !person) return;
    add.mutate(
      { params: { userId: person.id, credits: String(Number(credits)) } },
      {
        onSuccess() {
          notifySuccess('Updated successfully');
          setAmount('');
        },
      },
    );
  };
  return (
    <Panel
      title="Add credits"
      lead="Credits add to a person’s balance. Each addition stands on the ledger and in the audit log."
    >
      <form onSubmit={submit} noValidate>
        <Group align="flex-end" gap={12}>
          <PersonPicker
            value={person}
            onChange={(chosen) => {
              setPerson(chosen);
              changed();
            }}
          />
          <TextInput
            flex="1 1 140px"
            label="Credits"
            inputMode="numeric"
            autoComplete="off"
            placeholder="100"
            value={amount}
            onChange={(event) => {
              setAmount(event.currentTarget.value);
              changed();
            }}
          />
          <Button type="submit" loading={add.isPending}>
            Add
          </Button>
        </Group>
      </form>
      {refusal && (
        <Text size="sm" mt={12} c="red" role="alert">
          {refusal}
        </Text>
      )}
      {add.isError && (
        <FailureNote
          title="The credits were not added."
          error={add.error}
          advice="The balance is as it was; try again in a moment."
        />
      )}
    </Panel>
  );
}
