import { PasswordInput, Stack } from '@mantine/core';
import { useState, type ReactNode } from 'react';

interface PasswordFormProps {
  /** Why the last password was refused. */
  error: string | null;
  onSubmit: (password: string) => void;
  /** The other fields, and the button that submits. */
  children: ReactNode;
}

/** Asks for the password of a file. Browsers do not store it with that of the account. */
export function PasswordForm({ error, onSubmit, children }: PasswordFormProps) {
  const [password, setPassword] = useState('');
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (password !== '') onSubmit(password);
      }}
    >
      <Stack gap={16}>
        <PasswordInput
          label="Password"
          value={password}
          onChange={(event) => setPassword(event.currentTarget.value)}
          error={error}
          maxLength={255}
          autoComplete="one-time-code"
          data-autofocus
        />
        {children}
      </Stack>
    </form>
  );
}
