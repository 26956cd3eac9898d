import { refuseEmail } from '@engram/contract/browser';
import { ActionIcon, Group } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { IconArrowRight } from '@tabler/icons-react';
import { useId, useState } from 'react';
import { ErrorText } from '../../../components/notice.tsx';
import { sendCode, signInFailure } from '../api.ts';
import classes from './auth.module.css';

interface EmailFormProps {
  /** `useNewest`: no mail was sent, as the newest one is still valid. */
  onSent: (email: string, useNewest: boolean) => void;
}

export function EmailForm({ onSent }: EmailFormProps) {
  const [typed, setTyped] = useState('');
  const [refusal, setRefusal] = useState<string | null>(null);
  const errorId = useId();
  const send = useMutation({
    mutationFn: sendCode,
    onSuccess: ({ useNewest }, email) => onSent(email, useNewest),
  });
  const error = refusal ?? (send.isError ? signInFailure(send.error) : null);

  const submit = (): void => {
    const refused = refuseEmail(typed);
    send.reset();
    setRefusal(refused);
    if (refused === null) send.mutate(typed.trim());
  };

  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (!send.isPending) submit();
      }}
    >
      <Group
        className={classes.field}
        gap={6}
        h={50}
        p={4}
        wrap="nowrap"
        data-invalid={error !== null || undefined}
      >
        <input
          className={classes.input}
          type="email"
          name="email"
          autoComplete="email"
          placeholder="you@example.com"
          aria-label="Email"
          aria-invalid={error !== null}
          aria-describedby={error ? errorId : undefined}
          value={typed}
          onChange={(event) => {
            setTyped(event.target.value);
            setRefusal(null);
          }}
        />
        <ActionIcon
          type="submit"
          size={40}
          radius={9}
          opacity={send.isPending ? 0.6 : 1}
          aria-label="Send the code"
          aria-busy={send.isPending}
        >
          <IconArrowRight size={18} stroke={2} />
        </ActionIcon>
      </Group>
      <ErrorText mt={8} mx={2} id={errorId}>
        {error}
      </ErrorText>
    </form>
  );
}
