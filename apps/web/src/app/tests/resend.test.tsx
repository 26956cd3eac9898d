import { generateCode, refreshSession } from '@engram/contract';
import { screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { startServerWithFiles } from '../../tests/factories.test-setup.ts';
import { Refusal } from '../../tests/fake-server.test-setup.ts';
import { renderApp } from '../../tests/render-app.test-setup.tsx';

beforeEach(() => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
});
afterEach(() => {
  vi.useRealTimers();
});

it('another code can be sent after 59 seconds, a failure is shown, and the countdown restarts', async () => {
  const server = startServerWithFiles()
    .on(refreshSession, () => new Refusal(401, 'You are not signed in.'))
    .on(generateCode, () => null);
  const { user } = renderApp('/');
  await user.type(await screen.findByLabelText('Email'), 'ann@example.com{Enter}');
  expect(await screen.findByText('Resend OTP in 59s')).toBeTruthy();
  await vi.advanceTimersByTimeAsync(30_000);
  expect(await screen.findByText(/^Resend OTP in (?:2[789]|30)s$/u)).toBeTruthy();
  await vi.advanceTimersByTimeAsync(30_000);
  server.on(generateCode, () => new Refusal(503, 'The mail server is down.'));
  await user.click(await screen.findByRole('button', { name: 'Resend OTP' }));
  expect((await screen.findByRole('alert')).textContent).toBe(
    'The code could not be sent. The mail server is down.',
  );
  server.on(generateCode, () => null);
  await user.click(screen.getByRole('button', { name: 'Resend OTP' }));
  expect(await screen.findByText('Resend OTP in 59s')).toBeTruthy();
  expect(screen.queryByRole('alert')).toBeNull();
  expect(server.callsOf(generateCode)).toHaveLength(3);
});
