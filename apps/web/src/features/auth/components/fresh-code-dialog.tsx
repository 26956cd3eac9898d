import { ApiError } from '@engram/client';
import {
  CODE_USED_UP,
  confirmSession,
  RESEND_SECONDS,
  USE_NEWEST_MAIL,
} from '@engram/contract/browser';
import { Anchor, Button, Skeleton, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { useAction } from '../../../api/use-action.ts';
import { Dialog, DialogFoot } from '../../../components/dialog.tsx';
import { FailureNote } from '../../../components/failure-note.tsx';
import { useProfile } from '../../../session/account.ts';
import type { FreshCodeAsk } from '../../../session/fresh-code.ts';
import { messageOf } from '../../../components/notify.ts';
import { useCountdown } from '../../../browser/use-countdown.ts';
import { generateCode } from '../generate-code.ts';
import { emptyCode, OtpBoxes } from './otp-boxes.tsx';

/** Above the dialog that what is to be confirmed was asked for in. */
const ABOVE = 250;

/** Has a person whose sign-in is some time ago confirm by a mailed code that it is still them. */
export function FreshCodeDialog({ ask }: { ask: FreshCodeAsk | null }) {
  const { data: profile } = useProfile();
  return (
    <Dialog
      opened={ask !== null}
      onClose={() => ask?.cancel()}
      title="Confirm that it is you"
      size={420}
      zIndex={ABOVE}
      closeOnClickOutside={false}
    >
      {ask && profile ? (
        <FreshCodeForm email={profile.email} ask={ask} />
      ) : (
        <Skeleton height={180} radius={10} />
      )}
    </Dialog>
  );
}

function FreshCodeForm({ email, ask }: { email: string; ask: FreshCodeAsk }) {
  const id = useId();
  const [code, setCode] = useState(emptyCode);
  // A query, as it is sent once however often the dialog is drawn.
  const sent = useQuery({
    queryKey: ['fresh-code', id],
    queryFn: () => generateCode(email),
    retry: false,
    gcTime: 0,
    staleTime: Infinity,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });
  const verify = useAction(confirmSession, {
    onSuccess: ask.confirm,
    onError: () => setCode(emptyCode),
  });
  const countdown = useCountdown(RESEND_SECONDS);
  const sendAgain = (): void => {
    verify.reset();
    setCode(emptyCode);
    countdown.restart();
    void sent.refetch();
  };
  const digits = code.join('');
  const isUsedUp = verify.error instanceof ApiError && verify.error.code === CODE_USED_UP;
  const cancel = (
    <Button variant="default" disabled={verify.isPending} onClick={ask.cancel}>
      Cancel
    </Button>
  );
  if (sent.isError) {
    return (
      <>
        <FailureNote title="The code could not be sent." error={sent.error} />
        <DialogFoot>
          {cancel}
          <Button loading={sent.isFetching} onClick={sendAgain}>
            Send the code
          </Button>
        </DialogFoot>
      </>
    );
  }
  return (
    <Stack
      component="form"
      onSubmit={(event) => {
        event.preventDefault();
        verify.mutate({ body: { code: digits } });
      }}
    >
      <Text c="dimmed">
        You signed in some time ago, and what comes next needs a fresh code. Enter the 6 digits that{' '}
        {sent.isFetching ? 'are being sent' : 'were sent'} to{' '}
        <Text span fw={600} c="var(--eg-ink)">
          {email}
        </Text>
      </Text>
      {sent.data?.useNewest && <Text component="output">{USE_NEWEST_MAIL}.</Text>}
      <OtpBoxes
        value={code}
        onChange={setCode}
        onComplete={(complete) => verify.mutate({ body: { code: complete } })}
        disabled={sent.isFetching || verify.isPending || verify.isSuccess || isUsedUp}
        invalid={verify.isError && digits === ''}
      />
      {verify.isError && (
        <Text fz="sm" c="red" role="alert">
          {messageOf(verify.error)}
        </Text>
      )}
      <Stack gap={4} align="center" fz="sm" c="dimmed">
        {countdown.left > 0 && !isUsedUp ? (
          <span>Resend OTP in {countdown.left}s</span>
        ) : (
          <Anchor
            component="button"
            type="button"
            inherit
            fw={600}
            disabled={sent.isFetching}
            onClick={sendAgain}
          >
            Resend OTP
          </Anchor>
        )}
      </Stack>
      <DialogFoot>
        {cancel}
        <Button type="submit" loading={verify.isPending} disabled={digits.length < 6}>
          Confirm
        </Button>
      </DialogFoot>
    </Stack>
  );
}
