import { refuseEmail } from '@engram/contract/browser';
import { useMutation } from '@tanstack/react-query';
import { IconArrowRight } from '@tabler/icons-react';
import { ApiError } from '@engram/client';
import { useId, useState } from 'react';
import { messageOf } from '../../../lib/notify.ts';
import { generateCode } from '../api/generate-code.ts';
import classes from './email-form.module.css';

const FAILED = 'An error occurred during login. Please try again.';

/** The failure, and the server's own sentence where it has one. */
const failureText = (error: unknown): string =>
  error instanceof ApiError && error.code !== 'http' ? `${FAILED} ${messageOf(error)}` : FAILED;

/** Asks for the address and has a code sent to it. */
export function EmailForm({ onSent }: { onSent: (email: string) => void }) {
  const [typed, setTyped] = useState('');
  const [refusal, setRefusal] = useState<string | null>(null);
  const errorId = useId();
  const send = useMutation({
    mutationFn: async (email: string) => {
      await generateCode(email);
      return email;
    },
    onSuccess: onSent,
  });
  const error = refusal ?? (send.isError ? failureText(send.error) : null);

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
      <div className={classes.field} data-invalid={error !== null || undefined}>
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
        <button
          className={classes.submit}
          type="submit"
          aria-label="Send the code"
          aria-busy={send.isPending}
        >
          <IconArrowRight size={18} stroke={2} />
        </button>
      </div>
      {error && (
        <p className={classes.error} id={errorId} role="alert">
          {error}
        </p>
      )}
    </form>
  );
}
