import type { ApiKey } from '@engram/contract';
import { Skeleton, Stack } from '@mantine/core';
import { IconKey } from '@tabler/icons-react';
import { useId, useRef, useState } from 'react';
import { EmptyState } from '../../../components/empty-state.tsx';
import { ErrorState } from '../../../components/error-state.tsx';
import { FailureNote } from '../../../components/failure-note.tsx';
import type { NewApiKey } from '../api/generate-api-key.ts';
import { useApiKeys } from '../api/list-api-keys.ts';
import { ApiKeyForm } from './api-key-form.tsx';
import { ApiKeyRow } from './api-key-row.tsx';
import { ListHead } from '../../../components/list-head.tsx';
import classes from './api-keys.module.css';
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
          <ul className={classes.list}>
            {keys.map((key) => (
              <ApiKeyRow key={key.id} apiKey={key} onRevoke={() => setRevoking(key)} />
            ))}
          </ul>
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
    <div className={classes.list} aria-hidden="true">
      {['a', 'b', 'c'].map((key) => (
        <div key={key} className={classes.waiting}>
          <Skeleton height={16} width={160} />
          <Skeleton height={12} width={240} mt={10} />
        </div>
      ))}
    </div>
  );
}
