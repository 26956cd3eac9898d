import type { ApiKey } from '@engram/contract';
import { Button, Paper, Skeleton, Stack, Text } from '@mantine/core';
import { IconKey } from '@tabler/icons-react';
import { useId, useRef, useState } from 'react';
import { copyText } from '../../../components/notify.ts';
import { useNow } from '../../../browser/clock.ts';
import { ConfirmButton } from '../../../components/confirm-modal.tsx';
import { CopyField } from '../../../components/copy-field.tsx';
import { Dialog, DialogFoot } from '../../../components/dialog.tsx';
import { EmptyState, ErrorState } from '../../../components/empty-state.tsx';
import { FailureNote } from '../../../components/notice.tsx';
import { ListHead } from '../../../components/list-head.tsx';
import { Row, Rows } from '../../../components/row.tsx';
import { Tag } from '../../../components/tag.tsx';
import { formatDateTime } from '../../../format/format.ts';
import { failureReason, useApiKeys, useRevokeApiKey, type NewApiKey } from '../api.ts';
import { ApiKeyForm } from './api-key-form.tsx';

/** Makes, lists and revokes the user's API keys. */
export function ApiKeys() {
  const { data: keys, error, isError, refetch } = useApiKeys();
  const [made, setMade] = useState<NewApiKey | null>(null);
  const field = useRef<HTMLInputElement>(null);
  const titleId = useId();

  if (isError && !keys) {
    return (
      <ErrorState
        title="Your API keys could not be loaded"
        error={error}
        onRetry={() => void refetch()}
      />
    );
  }
  return (
    <Stack gap={32}>
      <ApiKeyForm keys={keys} fieldRef={field} onMade={setMade} />
      <section aria-labelledby={titleId} aria-busy={keys === undefined}>
        <ListHead id={titleId} title="Your keys" count={keys?.length} />
        {isError && <FailureNote title="The list may be out of date." error={error} />}
        {keys === undefined && (
          <Paper withBorder p={16} aria-hidden="true">
            <Stack gap={28}>
              {['a', 'b', 'c'].map((key) => (
                <Skeleton key={key} height={48} />
              ))}
            </Stack>
          </Paper>
        )}
        {keys && keys.length > 0 && (
          <Paper withBorder p={16}>
            <Rows label="Your keys">
              {keys.map((key) => (
                <ApiKeyRow
                  key={key.id}
                  apiKey={key}
                  // The button that had the focus is removed with its key.
                  onRevoked={() => field.current?.focus()}
                />
              ))}
            </Rows>
          </Paper>
        )}
        {keys?.length === 0 && (
          <EmptyState
            icon={<IconKey size={24} stroke={1.6} />}
            title="No API keys yet"
            text="Name a key above, after the program that will use it. It is shown once, and works until you revoke it."
          />
        )}
      </section>
      <NewKeyDialog made={made} onClose={() => setMade(null)} />
    </Stack>
  );
}

function ApiKeyRow({ apiKey, onRevoked }: { apiKey: ApiKey; onRevoked: () => void }) {
  const { id, name, createdDate, lastUsedDate, readOnly, expiresAt } = apiKey;
  const revoke = useRevokeApiKey();
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
          question={`Programs that use “${name}” can no longer reach your Engram from the moment you revoke it.`}
          consequence="This cannot be undone; you can make a new key at any time."
          yes="Revoke"
          action={revoke}
          input={{ params: { id } }}
          onDone={onRevoked}
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
  const isOver = Date.parse(date) <= useNow().getTime();
  return (
    <Text span inherit {...(isOver && { c: 'red', fw: 600 })}>
      {isOver ? 'Expired' : 'Expires'} <time dateTime={date}>{formatDateTime(date)}</time>
    </Text>
  );
}

const Moment = ({ label, date }: { label: string; date: string | null }) => (
  <span data-moment={label}>
    {label} {date === null ? 'never' : <time dateTime={date}>{formatDateTime(date)}</time>}
  </span>
);

interface NewKeyDialogProps {
  /** The key that was made; null closes the dialog. */
  made: NewApiKey | null;
  onClose: () => void;
}

/** Shows a new key once. A click beside the dialog does not close it, as that would lose the key. */
function NewKeyDialog({ made, onClose }: NewKeyDialogProps) {
  return (
    <Dialog
      opened={made !== null}
      onClose={onClose}
      title="Your new API key"
      size={560}
      closeOnClickOutside={false}
    >
      {made && <NewKey made={made} onClose={onClose} />}
    </Dialog>
  );
}

function NewKey({ made, onClose }: { made: NewApiKey; onClose: () => void }) {
  const [copied, setCopied] = useState(false);
  const copy = async (): Promise<void> =>
    setCopied(await copyText(made.apiKey, { failed: 'The key was not copied' }));
  return (
    <>
      <Text mb={16} c="dimmed">
        Copy “{made.name}” now and keep it like a password. Engram stores only a hash of it, so it
        cannot be shown again.
      </Text>
      <CopyField label="API key" value={made.apiKey} copied={copied} onCopy={() => void copy()} />
      <DialogFoot
        words={
          <Text component="output" c="green" fw={600}>
            {copied && 'API Key Copied!'}
          </Text>
        }
      >
        <Button variant="default" onClick={onClose}>
          Done
        </Button>
      </DialogFoot>
    </>
  );
}
