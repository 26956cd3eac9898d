import type { Passkey } from '@engram/contract';
import {
  addPasskey,
  listPasskeys,
  listSecurityEvents,
  PASSKEY_NAME_LIMIT,
  removePasskey,
  renamePasskey,
  startPasskey,
} from '@engram/contract/browser';
import { Button, Group, TextInput } from '@mantine/core';
import { IconFingerprint } from '@tabler/icons-react';
import { useMutation, type UseMutationResult } from '@tanstack/react-query';
import { useState, type SubmitEvent } from 'react';
import { api } from '../../../api/api.ts';
import { invalidate } from '../../../api/keys.ts';
import { useAction } from '../../../api/use-action.ts';
import { useCall } from '../../../api/use-call.ts';
import { browserLabel } from '../../../browser/device.ts';
import { createPasskey, supportsPasskeys } from '../../../browser/passkeys.ts';
import { ConfirmButton } from '../../../components/confirm-modal.tsx';
import { Dialog, DialogFoot } from '../../../components/dialog.tsx';
import { Row } from '../../../components/lists.tsx';
import { FailureNote } from '../../../components/notice.tsx';
import { formatDateTime } from '../../../format/format.ts';
import { AccessList } from './access.tsx';
import { LastUsed, When } from './security-events.tsx';

const useAddPasskey = () =>
  useMutation({
    mutationFn: async (name: string) => {
      const { data: options } = await api.call(startPasskey, {});
      const credential = await createPasskey(options);
      await api.call(addPasskey, { body: { name, credential } });
    },
    onSuccess: (_data, _name, _result, { client }) =>
      invalidate(client, [listPasskeys, listSecurityEvents]),
  });

export function Passkeys() {
  const call = useCall(listPasskeys, {}, { staleTime: 0 });
  const add = useAddPasskey();
  return (
    <AccessList
      title="Passkeys"
      lead="Sign in with your fingerprint, face or PIN instead of a code. Codes keep working."
      noun="passkeys"
      call={call}
      aside={
        supportsPasskeys() && (
          <NameDialog
            label="Add a passkey"
            title="Add a passkey"
            initial={browserLabel()}
            hint="A name that tells you later where the passkey is."
            yes="Continue"
            action={add}
            inputOf={(name) => name}
            failure="The passkey was not added."
          />
        )
      }
      empty="You have no passkeys."
      renderRow={(passkey) => <PasskeyRow key={passkey.id} passkey={passkey} />}
    />
  );
}

function PasskeyRow({ passkey }: { passkey: Passkey }) {
  const { id, name, createdAt, lastUsedAt } = passkey;
  const description = `${name}, added ${formatDateTime(createdAt)}`;
  const rename = useAction(renamePasskey, { invalidates: [listPasskeys] });
  const remove = useAction(removePasskey, {
    acceptMissing: true,
    invalidates: [listPasskeys, listSecurityEvents],
  });
  return (
    <Row
      icon={IconFingerprint}
      name={<bdi>{name}</bdi>}
      facts={[
        <>
          <span>
            Added <When at={createdAt} />
          </span>
          <LastUsed at={lastUsedAt} />
        </>,
      ]}
      action={
        <Group gap={4} ml="auto">
          <NameDialog
            label="Rename"
            variant="subtle"
            accessibleLabel={`Rename ${description}`}
            title="Rename passkey"
            initial={name}
            yes="Save"
            action={rename}
            inputOf={(typed) => ({ params: { id }, body: { name: typed } })}
            failure="The passkey was not renamed."
          />
          <ConfirmButton
            label="Remove"
            accessibleLabel={`Remove ${description}`}
            button={{ variant: 'subtle' }}
            title="Remove passkey"
            question={`“${name}” will no longer sign you in.`}
            consequence="Your device may still offer it until you delete it there. You can add another one at any time."
            yes="Remove"
            action={remove}
            input={{ params: { id } }}
            failure="The passkey was not removed."
          />
        </Group>
      }
    />
  );
}

interface NameDialogProps<Input> {
  label: string;
  accessibleLabel?: string;
  variant?: 'default' | 'subtle';
  title: string;
  initial: string;
  hint?: string;
  yes: string;
  action: UseMutationResult<unknown, Error, Input>;
  inputOf: (name: string) => Input;
  failure: string;
}

/** A button that opens a dialog with a name, and the dialog. */
function NameDialog<Input>(props: NameDialogProps<Input>) {
  const { label, accessibleLabel = label, variant = 'default', title, initial, hint } = props;
  const { yes, action, inputOf, failure } = props;
  const [opened, setOpened] = useState(false);
  const [name, setName] = useState(initial);
  const close = (): void => setOpened(false);
  const submit = (event: SubmitEvent<HTMLFormElement>): void => {
    event.preventDefault();
    if (!action.isPending) void action.mutateAsync(inputOf(name)).then(close, () => undefined);
  };
  return (
    <>
      <Button
        variant={variant}
        aria-label={accessibleLabel}
        onClick={() => {
          setName(initial);
          action.reset();
          setOpened(true);
        }}
      >
        {label}
      </Button>
      <Dialog opened={opened} onClose={close} title={title} size={420} locked={action.isPending}>
        <form noValidate onSubmit={submit}>
          <TextInput
            label="Name"
            description={hint}
            data-autofocus
            autoComplete="off"
            maxLength={PASSKEY_NAME_LIMIT}
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
          />
          <FailureNote title={failure} error={action.error} />
          <DialogFoot>
            <Button variant="default" disabled={action.isPending} onClick={close}>
              Cancel
            </Button>
            <Button type="submit" loading={action.isPending} disabled={name.trim() === ''}>
              {yes}
            </Button>
          </DialogFoot>
        </form>
      </Dialog>
    </>
  );
}
