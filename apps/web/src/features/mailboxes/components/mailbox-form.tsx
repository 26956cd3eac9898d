import type { AfterStoring, Mailbox, MailboxSecurity } from '@engram/contract';
import {
  addMailbox,
  changeMailbox,
  listMailboxes,
  listSecurityEvents,
} from '@engram/contract/browser';
import { Button, Group, NativeSelect, Stack, TextInput, type TextInputProps } from '@mantine/core';
import { useState, type SubmitEvent } from 'react';
import { useAction } from '../../../api/use-action.ts';
import { DialogFoot } from '../../../components/dialog.tsx';
import { FailureNote } from '../../../components/notice.tsx';

const securities: { value: MailboxSecurity; label: string; port: string }[] = [
  { value: 'tls', label: 'TLS', port: '993' },
  { value: 'starttls', label: 'STARTTLS', port: '143' },
  { value: 'none', label: 'None (local servers only)', port: '143' },
];

const afterOptions: { value: AfterStoring; label: string }[] = [
  { value: 'leave', label: 'Leave them unchanged' },
  { value: 'read', label: 'Mark them as read' },
  { value: 'move', label: 'Move them to a folder' },
];

const portOf = (security: MailboxSecurity): string =>
  securities.find(({ value }) => value === security)?.port ?? '';

/** The required fields of a new mailbox, each with its message if it is missing. */
const required = {
  host: 'Please enter the server.',
  port: 'Please enter a number from 1 to 65535.',
  username: 'Please enter the user name.',
  password: 'Please enter the password.',
  folder: 'Please enter the folder.',
  moveTo: 'Please enter the folder.',
} as const;
type Field = keyof typeof required;

const isPort = (text: string): boolean =>
  /^\d{1,5}$/u.test(text) && Number(text) >= 1 && Number(text) <= 65_535;

interface MailboxFormProps {
  /** The mailbox to change; without it one is added. */
  mailbox?: Mailbox;
  onClose: () => void;
}

/** Mounted while its dialog is open, so that each opening starts with what is stored. */
export function MailboxForm({ mailbox, onClose }: MailboxFormProps) {
  const [values, setValues] = useState<Record<Field, string>>({
    host: '',
    port: portOf('tls'),
    username: '',
    password: '',
    folder: 'INBOX',
    moveTo: mailbox?.moveTo ?? '',
  });
  const [security, setSecurity] = useState<MailboxSecurity>('tls');
  const [afterStoring, setAfterStoring] = useState(mailbox?.afterStoring ?? 'leave');
  const [missing, setMissing] = useState<ReadonlySet<Field>>(new Set());
  // The password must not stay in the cache.
  const options = {
    gcTime: 0,
    onSuccess: onClose,
    invalidates: [listMailboxes, listSecurityEvents],
  };
  const add = useAction(addMailbox, options);
  const change = useAction(changeMailbox, options);
  const { isPending } = mailbox ? change : add;

  const fields: readonly Field[] = [
    ...(mailbox ? [] : (['host', 'port', 'username', 'password', 'folder'] as const)),
    ...(afterStoring === 'move' ? (['moveTo'] as const) : []),
  ];
  const submit = (event: SubmitEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const isMissing = (field: Field): boolean =>
      field === 'port' ? !isPort(values.port) : values[field].trim() === '';
    const missingFields = new Set(fields.filter(isMissing));
    setMissing(missingFields);
    if (missingFields.size > 0) return;
    const { port, password, moveTo, ...account } = values;
    const after = { afterStoring, moveTo: afterStoring === 'move' ? moveTo : null };
    if (mailbox) {
      const body = { ...after, ...(password === '' ? {} : { password }) };
      change.mutate({ params: { id: mailbox.id }, body });
    } else {
      add.mutate({ body: { ...account, ...after, port: Number(port), security, password } });
    }
  };
  const chooseSecurity = (chosen: MailboxSecurity): void => {
    if (values.port === portOf(security)) setValues({ ...values, port: portOf(chosen) });
    setSecurity(chosen);
  };
  const field = (name: Field, label: string): TextInputProps => ({
    label,
    autoComplete: 'off',
    value: values[name],
    error: missing.has(name) && required[name],
    onChange: (event) => setValues({ ...values, [name]: event.currentTarget.value }),
  });

  return (
    <form noValidate onSubmit={submit}>
      <Stack gap={16}>
        {!mailbox && (
          <>
            <TextInput
              {...field('host', 'Server')}
              data-autofocus
              placeholder="imap.example.org"
              inputMode="url"
              autoCapitalize="none"
            />
            <Group gap={16} align="flex-start" grow preventGrowOverflow={false} wrap="nowrap">
              <NativeSelect
                label="Encryption"
                data={securities}
                value={security}
                onChange={(event) => chooseSecurity(event.currentTarget.value as MailboxSecurity)}
              />
              <TextInput {...field('port', 'Port')} inputMode="numeric" maw={120} />
            </Group>
            <TextInput
              {...field('username', 'User name')}
              placeholder="you@example.org"
              autoCapitalize="none"
            />
          </>
        )}
        <TextInput
          {...field('password', 'Password')}
          type="password"
          autoComplete="new-password"
          description="Many providers, such as Gmail and iCloud, need an app password. It is stored encrypted."
          {...(mailbox ? { placeholder: 'Unchanged', 'data-autofocus': true } : {})}
        />
        {!mailbox && (
          <TextInput
            {...field('folder', 'Folder')}
            description="All its messages are stored, then new ones every 5 minutes."
          />
        )}
        <NativeSelect
          label="After storing messages"
          data={afterOptions}
          value={afterStoring}
          onChange={(event) => setAfterStoring(event.currentTarget.value as AfterStoring)}
        />
        {afterStoring === 'move' && (
          <TextInput {...field('moveTo', 'Move to folder')} placeholder="Archive" />
        )}
      </Stack>
      <FailureNote title="The mailbox was not added." error={add.error} />
      <FailureNote title="The mailbox was not changed." error={change.error} />
      <DialogFoot>
        <Button variant="default" disabled={isPending} onClick={onClose}>
          Cancel
        </Button>
        <Button type="submit" loading={isPending}>
          {mailbox ? 'Save' : 'Add'}
        </Button>
      </DialogFoot>
    </form>
  );
}
