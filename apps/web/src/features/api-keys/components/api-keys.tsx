import type { ApiKey } from '@engram/contract';
import { Paper, Skeleton, Stack } from '@mantine/core';
import { IconKey } from '@tabler/icons-react';
import { useId, useRef, useState } from 'react';
import { useApiKeys, type NewApiKey } from '../api.ts';
import { EmptyState } from '../../../components/empty-state.tsx';
import { ErrorState } from '../../../components/error-state.tsx';
import { FailureNote } from '../../../components/failure-note.tsx';
import { ApiKeyForm } from './api-key-form.tsx';
import { ApiKeyRow } from './api-key-row.tsx';
import { ListHead } from '../../../components/list-head.tsx';
import { Rows } from '../../../components/row.tsx';
import { NewKeyDialog } from './new-key-dialog.tsx';
import { RevokeDialog } from './revoke-dialog.tsx';

/** The person's API keys: to make, to look over, and to revoke. */
export function ApiKeys() {
  const { data: keys, error, isError, refetch } = useApiKeys();
  const [made, setMade] = useState<NewApiKey | null>(null);
  const [revoking, setRevoking] = useState<ApiKey | null>(null);
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
        {keys === undefined && <KeysSkeleton />}
        {keys && keys.length > 0 && (
          <Paper withBorder p={16}>
            <Rows label="Your keys">
              {keys.map((key) => (
                <ApiKeyRow key={key.id} apiKey={key} onRevoke={() => setRevoking(key)} />
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
      <RevokeDialog
        apiKey={revoking}
        onClose={() => setRevoking(null)}
        // The button that had the focus goes with its key.
        onRevoked={() => field.current?.focus()}
      />
    </Stack>
  );
}

function KeysSkeleton() {
  return (
    <Paper withBorder p={16} aria-hidden="true">
      <Stack gap={28}>
        {['a', 'b', 'c'].map((key) => (
          <Skeleton key={key} height={48} />
        ))}
      </Stack>
    </Paper>
  );
}
