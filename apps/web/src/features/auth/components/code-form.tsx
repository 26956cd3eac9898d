import { ApiError } from '@engram/client';
import { CODE_USED_UP, RESEND_SECONDS, USE_NEWEST_MAIL } from '@engram/contract/browser';
import { Button, PinInput, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef, useState, type ClipboardEvent, type ReactNode } from 'react';
import { useCountdown } from '../../../browser/clock.ts';
import { DialogFoot } from '../../../components/dialog.tsx';
import { ErrorText } from '../../../components/notice.tsx';
import { messageOf } from '../../../components/notify.ts';
import { TextButton } from '../../../components/buttons.tsx';
import { sendCode } from '../api.ts';
import classes from './auth.module.css';

const CODE_LENGTH = 6;

interface CodeFormProps {
  email: string;
  /** Whether no mail was sent, as the newest one is still valid. */
  useNewest: boolean;
  isSending?: boolean;
  verify: (code: string) => Promise<void>;
  failureText?: (error: unknown) => string;
  submitLabel: string;
  cancel?: (isPending: boolean) => ReactNode;
  children: ReactNode;
}

export function CodeForm(props: CodeFormProps) {
  const { email, isSending = false, failureText = messageOf, submitLabel, cancel } = props;
  const [code, setCode] = useState('');
  const countdown = useCountdown(RESEND_SECONDS);
  const verify = useMutation({ mutationFn: props.verify, onError: () => setCode('') });
  const resend = useMutation({
    mutationFn: () => sendCode(email),
    onSuccess() {
      countdown.restart();
      verify.reset();
      setCode('');
    },
  });
  const useNewest = resend.data?.useNewest ?? props.useNewest;
  const isUsedUp = verify.error instanceof ApiError && verify.error.code === CODE_USED_UP;
  const submit = isUsedUp ? (
    <Button size="md" loading={resend.isPending} onClick={() => resend.mutate()}>
      Resend OTP
    </Button>
  ) : (
    <Button type="submit" size="md" loading={verify.isPending} disabled={code.length < CODE_LENGTH}>
      {submitLabel}
    </Button>
  );
  return (
    <Stack
      component="form"
      onSubmit={(event) => {
        event.preventDefault();
        verify.mutate(code);
      }}
    >
      <Text c="dimmed">{props.children}</Text>
      {useNewest && <Text component="output">{USE_NEWEST_MAIL}.</Text>}
      <CodeInput
        value={code}
        onChange={(next) => {
          setCode(next);
          if (next.length === CODE_LENGTH) verify.mutate(next);
        }}
        readOnly={isSending || verify.isPending || verify.isSuccess || isUsedUp}
        invalid={verify.isError && code === ''}
      />
      <ErrorText>{verify.isError && failureText(verify.error)}</ErrorText>
      {!isUsedUp && (
        <Text fz="sm" ta="center" c="dimmed">
          {countdown.remaining > 0 ? (
            `Resend OTP in ${countdown.remaining}s`
          ) : (
            <TextButton
              c="var(--eg-accent)"
              underline="hover"
              disabled={isSending || resend.isPending}
              onClick={() => resend.mutate()}
            >
              Resend OTP
            </TextButton>
          )}
        </Text>
      )}
      <ErrorText ta="center">
        {resend.isError && `The code could not be sent. ${messageOf(resend.error)}`}
      </ErrorText>
      {cancel ? (
        <DialogFoot>
          {cancel(verify.isPending)}
          {submit}
        </DialogFoot>
      ) : (
        submit
      )}
    </Stack>
  );
}

interface CodeInputProps {
  value: string;
  onChange: (code: string) => void;
  readOnly: boolean;
  invalid: boolean;
}

/** Six boxes of one digit each. The first takes the focus when the boxes are cleared. */
function CodeInput({ value, onChange, readOnly, invalid }: CodeInputProps) {
  const first = useRef<HTMLInputElement>(null);
  const isEmpty = value === '' && !readOnly;
  useEffect(() => {
    if (isEmpty) first.current?.focus();
  }, [isEmpty]);
  const checkPaste = (event: ClipboardEvent): void => {
    if (/^\d{6}$/u.test(event.clipboardData.getData('text').trim())) return;
    event.preventDefault();
    event.stopPropagation();
    window.alert('Please paste a valid 6-digit OTP.');
  };
  return (
    <PinInput
      ref={first}
      length={CODE_LENGTH}
      type="number"
      inputMode="numeric"
      placeholder=""
      gap="clamp(6px, 2vw, 10px)"
      classNames={{ pinInput: classes.box ?? '', input: classes.digit ?? '' }}
      aria-label="6 digit code"
      value={value}
      // It also accepts a paste while it is read-only.
      onChange={(code) => !readOnly && onChange(code)}
      readOnly={readOnly}
      error={invalid}
      oneTimeCode={false}
      getInputProps={(index) => ({
        'aria-label': `Digit ${index + 1} of ${CODE_LENGTH}`,
        ...(index === 0 && { autoComplete: 'one-time-code', 'data-autofocus': true }),
      })}
      onPasteCapture={checkPaste}
    />
  );
}
