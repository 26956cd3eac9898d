import { Anchor, Button, Stack, Text } from '@mantine/core';
import { ApiError } from '@engram/client';
import type { Session } from '@engram/contract';
import {
  CODE_USED_UP,
  RESEND_SECONDS,
  USE_NEWEST_MAIL,
  validateCode,
} from '@engram/contract/browser';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useAction } from '../../../api/use-action.ts';
import { deviceLabel } from '../../../browser/device.ts';
import { heldPlace } from '../../../browser/position.ts';
import { Dialog } from '../../../components/dialog.tsx';
import { messageOf } from '../../../components/notify.ts';
import { useCountdown } from '../../../browser/use-countdown.ts';
import { generateCode } from '../generate-code.ts';
import { maskEmail } from '../mask-email.ts';
import { emptyCode, OtpBoxes } from './otp-boxes.tsx';

const FAILED = 'OTP verification failed. Please try again.';

const isUsedUp = (error: unknown): boolean =>
  error instanceof ApiError && error.code === CODE_USED_UP;

/** What went wrong, and the server's own sentence where it tells more than 'wrong code'. */
function failureText(error: unknown): string {
  if (isUsedUp(error)) return messageOf(error);
  const saysMore = !(error instanceof ApiError) || ![400, 401].includes(error.status);
  return saysMore ? `${FAILED} ${messageOf(error)}` : FAILED;
}

interface ResendProps {
  email: string;
  /** Whether nothing but a new code leads on: it is offered at once, and in the place of all else. */
  needed: boolean;
  onSent: (useNewest: boolean) => void;
}

function Resend({ email, needed, onSent }: ResendProps) {
  const countdown = useCountdown(RESEND_SECONDS);
  const resend = useMutation({
    mutationFn: () => generateCode(email),
    onSuccess: ({ useNewest }) => {
      countdown.restart();
      onSent(useNewest);
    },
  });
  const failure = resend.isError && (
    <Text fz="sm" c="red" role="alert">
      The code could not be sent. {messageOf(resend.error)}
    </Text>
  );
  if (needed) {
    return (
      <>
        <Button size="md" loading={resend.isPending} onClick={() => resend.mutate()}>
          Resend OTP
        </Button>
        {failure}
      </>
    );
  }
  return (
    <Stack gap={4} align="center" fz="sm" c="dimmed">
      {countdown.left > 0 ? (
        <span>Resend OTP in {countdown.left}s</span>
      ) : (
        <Anchor
          component="button"
          type="button"
          inherit
          fw={600}
          disabled={resend.isPending}
          onClick={() => resend.mutate()}
        >
          Resend OTP
        </Anchor>
      )}
      {failure}
    </Stack>
  );
}

interface OtpFormProps {
  email: string;
  /** Whether no mail was sent, as the newest one is still valid. */
  useNewest: boolean;
  onSignedIn: (session: Session) => void;
}

function OtpForm({ email, useNewest: startsWithNewest, onSignedIn }: OtpFormProps) {
  const [useNewest, setUseNewest] = useState(startsWithNewest);
  const [code, setCode] = useState(emptyCode);
  const verify = useAction(validateCode, {
    onSuccess: onSignedIn,
    onError: () => setCode(emptyCode),
  });
  const digits = code.join('');
  const signIn = (entered: string): void =>
    verify.mutate({
      body: { email, code: entered, location: heldPlace(), device: deviceLabel() },
    });
  const usedUp = isUsedUp(verify.error);
  return (
    <Stack
      component="form"
      onSubmit={(event) => {
        event.preventDefault();
        signIn(digits);
      }}
    >
      <Text c="dimmed">
        Enter 6 digit code sent to your email{' '}
        <Text span fw={600} c="var(--eg-ink)" style={{ whiteSpace: 'nowrap' }}>
          {maskEmail(email)}
        </Text>
      </Text>
      {useNewest && <Text component="output">{USE_NEWEST_MAIL}.</Text>}
      <OtpBoxes
        value={code}
        onChange={setCode}
        onComplete={(complete) => signIn(complete)}
        disabled={verify.isPending || verify.isSuccess || usedUp}
        invalid={verify.isError && digits === ''}
      />
      {verify.isError && (
        <Text fz="sm" c="red" role="alert">
          {failureText(verify.error)}
        </Text>
      )}
      {!usedUp && (
        <Button type="submit" size="md" loading={verify.isPending} disabled={digits.length < 6}>
          Verify
        </Button>
      )}
      <Resend
        email={email}
        needed={usedUp}
        onSent={(newest) => {
          setUseNewest(newest);
          verify.reset();
          setCode(emptyCode);
        }}
      />
    </Stack>
  );
}

interface OtpModalProps extends OtpFormProps {
  opened: boolean;
  /** Counts the codes asked for: each starts with empty boxes, also while the last closes. */
  attempt: number;
  onClose: () => void;
}

/** Takes the code that was sent; its boxes are empty and the countdown starts whenever it opens. */
export function OtpModal({ opened, attempt, onClose, ...form }: OtpModalProps) {
  return (
    <Dialog
      opened={opened}
      onClose={onClose}
      title="OTP Verification"
      size={420}
      closeOnClickOutside={false}
    >
      <OtpForm key={attempt} {...form} />
    </Dialog>
  );
}
