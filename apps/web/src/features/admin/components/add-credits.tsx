import {
  addCredits,
  CREDIT_LIMIT,
  getMetrics,
  listAllLedger,
  listAudit,
  listLedger,
  listUsers,
} from '@engram/contract/browser';
import { Button, Group, TextInput } from '@mantine/core';
import { useState, type SyntheticEvent } from 'react';
import { useAction } from '../../../api/use-action.ts';
import { ErrorText, FailureNote } from '../../../components/notice.tsx';
import { Panel } from '../../../components/panel.tsx';
import { notifySuccess } from '../../../components/notify.ts';
import { UserPicker, type PickedUser } from './user-picker.tsx';

function validate(user: PickedUser | null, amount: string): string | null {
  if (!user || !/^\d+$/u.test(amount) || Number(amount) < 1) {
    return 'Please select a user and enter a valid credit amount.';
  }
  return Number(amount) > CREDIT_LIMIT
    ? `At most ${CREDIT_LIMIT.toLocaleString('en-US')} credits can be added at once.`
    : null;
}

export function AddCredits() {
  const [user, setUser] = useState<PickedUser | null>(null);
  const [amount, setAmount] = useState('');
  const [invalid, setInvalid] = useState<string | null>(null);
  const add = useAction(addCredits, {
    // The admin's own balance may have changed.
    invalidates: [listUsers, listAllLedger, listAudit, getMetrics, listLedger],
  });
  const clearErrors = (): void => {
    setInvalid(null);
    add.reset();
  };
  const submit = (event: SyntheticEvent): void => {
    event.preventDefault();
    if (add.isPending) return;
    const credits = amount.trim();
    const error = validate(user, credits);
    setInvalid(error);
    if (error || !user) return;
    add.mutate(
      { params: { userId: user.id, credits: String(Number(credits)) } },
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
      lead="Credits add to a user’s balance. Each addition is recorded in the ledger and in the audit log."
    >
      <form onSubmit={submit} noValidate>
        <Group align="flex-end" gap={12}>
          <UserPicker
            value={user}
            onChange={(chosen) => {
              setUser(chosen);
              clearErrors();
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
              clearErrors();
            }}
          />
          <Button type="submit" loading={add.isPending}>
            Add
          </Button>
        </Group>
      </form>
      <ErrorText mt={12}>{invalid}</ErrorText>
      <FailureNote
        title="The credits were not added."
        error={add.error}
        advice="The balance has not changed. Try again in a moment."
      />
    </Panel>
  );
}
