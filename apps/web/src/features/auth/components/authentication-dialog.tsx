import { confirmSession } from '@engram/contract/browser';
import { Button, Skeleton, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useId } from 'react';
import { api } from '../../../api/api.ts';
import { Dialog, DialogFoot } from '../../../components/dialog.tsx';
import { FailureNote } from '../../../components/notice.tsx';
import { useProfile } from '../../../session/account.ts';
import {
  useAuthenticationPrompt,
  type AuthenticationPrompt,
} from '../../../session/recent-authentication.ts';
import { sendCode } from '../api.ts';
import { CodeForm } from './code-form.tsx';

const Z_INDEX = 250;

export default function AuthenticationDialog({ opened }: { opened: boolean }) {
  const ask = useAuthenticationPrompt();
  const { data: profile } = useProfile();
  return (
    <Dialog
      opened={opened}
      onClose={() => ask?.cancel()}
      title="Confirm that it is you"
      size={420}
      zIndex={Z_INDEX}
      closeOnClickOutside={false}
    >
      {ask && profile ? (
        <AuthenticationForm email={profile.email} ask={ask} />
      ) : (
        <Skeleton height={180} radius={10} />
      )}
    </Dialog>
  );
}

function AuthenticationForm({ email, ask }: { email: string; ask: AuthenticationPrompt }) {
  const id = useId();
  // A query, so that only one code is sent.
  const sent = useQuery({
    queryKey: ['fresh-code', id],
    queryFn: () => sendCode(email),
    retry: false,
    gcTime: 0,
    staleTime: Infinity,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });
  const cancel = (isPending: boolean) => (
    <Button variant="default" size="md" disabled={isPending} onClick={ask.cancel}>
      Cancel
    </Button>
  );
  if (sent.isError) {
    return (
      <>
        <FailureNote title="The code could not be sent." error={sent.error} />
        <DialogFoot>
          {cancel(false)}
          <Button size="md" loading={sent.isFetching} onClick={() => void sent.refetch()}>
            Send the code
          </Button>
        </DialogFoot>
      </>
    );
  }
  const verify = async (code: string): Promise<void> => {
    await api.call(confirmSession, { body: { code } });
    ask.confirm();
  };
  return (
    <CodeForm
      email={email}
      useNewest={sent.data?.useNewest ?? false}
      isSending={sent.isFetching}
      verify={verify}
      submitLabel="Confirm"
      cancel={cancel}
    >
      You signed in some time ago, and this needs a new code. Enter the 6 digits that{' '}
      {sent.isFetching ? 'are being sent' : 'were sent'} to{' '}
      <Text span fw={600} c="var(--eg-ink)">
        {email}
      </Text>
    </CodeForm>
  );
}
