import type { ApiKey } from '@engram/contract';
import { listApiKeys, revokeApiKey } from '@engram/contract/browser';
import { Paper, Stack, Text } from '@mantine/core';
import { IconKey } from '@tabler/icons-react';
import { useState } from 'react';
import { notifySuccess } from '../../../components/notify.ts';
import { useAction } from '../../../api/use-action.ts';
import { useNow } from '../../../browser/clock.ts';
import { ConfirmButton } from '../../../components/confirm-modal.tsx';
import { EmptyState } from '../../../components/empty-state.tsx';
import { FailureNote } from '../../../components/notice.tsx';
import { CallList, ListSection, Row, Rows } from '../../../components/lists.tsx';
import { SecretDialog } from '../../../components/secret-dialog.tsx';
import { Tag } from '../../../components/tag.tsx';
import { formatDateTime } from '../../../format/format.ts';
import { ApiKeyForm, failureReason, type NewApiKey } from './api-key-form.tsx';
import { useApiKeys } from './keys-summary.tsx';

export function ApiKeys() {
  const call = useApiKeys();
  const [newKey, setNewKey] = useState<NewApiKey | null>(null);
  return (
    <Stack gap={32}>
      <ApiKeyForm keys={call.data} onCreated={setNewKey} />
      <ListSection title="Your keys" count={call.data?.length}>
        <CallList
          call={call}
          what="your API keys"
          heights={[72, 72, 72]}
          empty={
            <EmptyState
              icon={<IconKey size={24} stroke={1.6} />}
              title="No API keys yet"
              text="Name a key above after the program that will use it. It is shown once, and works until you revoke it."
            />
          }
        >
          {(keys) => (
            <Paper p={16}>
              <Rows label="Your keys">
                {keys.map((key) => (
                  <ApiKeyRow key={key.id} apiKey={key} />
                ))}
              </Rows>
            </Paper>
          )}
        </CallList>
      </ListSection>
      <SecretDialog
        title="Your new API key"
        label="API key"
        secret={newKey?.apiKey ?? null}
        copied="API Key Copied!"
        failed="The key was not copied"
        onClose={() => setNewKey(null)}
      >
        Copy “{newKey?.name}” now and treat it like a password. Engram stores only its hash, so it
        cannot be shown again.
      </SecretDialog>
    </Stack>
  );
}

function ApiKeyRow({ apiKey }: { apiKey: ApiKey }) {
  const { id, name, createdDate, lastUsedDate, readOnly, expiresAt } = apiKey;
  const revoke = useAction(revokeApiKey, {
    acceptMissing: true,
    onSuccess: () => notifySuccess('Revoked API successfully'),
    invalidates: [listApiKeys],
  });
  return (
    <Row
      icon={IconKey}
      name={
        <>
          <bdi>{name}</bdi> {readOnly && <Tag>Read only</Tag>}
        </>
      }
      facts={[
        <>
          <code>{apiKey.apiKey}</code>
          {expiresAt !== null && <Expiry date={expiresAt} />}
        </>,
        <>
          <Moment label="Created" date={createdDate} />
          <Moment label="Last used" date={lastUsedDate} />
        </>,
      ]}
      action={
        <ConfirmButton
          label="Revoke"
          accessibleLabel={`Revoke ${name}`}
          title="Revoke API key"
          question={`Programs that use “${name}” lose access immediately.`}
          consequence="This cannot be undone. You can create a new key at any time."
          yes="Revoke"
          action={revoke}
          input={{ params: { id } }}
        >
          {revoke.error && (
            <FailureNote
              title="Failed to revoke API key. Please try again."
              error={new Error(failureReason(revoke.error))}
              advice=""
            />
          )}
        </ConfirmButton>
      }
    />
  );
}

function Expiry({ date }: { date: string }) {
  const isExpired = Date.parse(date) <= useNow().getTime();
  return (
    <Text span inherit {...(isExpired && { c: 'red', fw: 600 })}>
      {isExpired ? 'Expired' : 'Expires'} <time dateTime={date}>{formatDateTime(date)}</time>
    </Text>
  );
}

const Moment = ({ label, date }: { label: string; date: string | null }) => (
  <span data-moment={label}>
    {label} {date === null ? 'never' : <time dateTime={date}>{formatDateTime(date)}</time>}
  </span>
);
