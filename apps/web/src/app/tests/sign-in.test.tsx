import {
  appSettings,
  generateCode,
  getProfile,
  refreshSession,
  signInWithLink,
  updateProfile,
  validateCode,
} from '@engram/contract';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import {
  aProfile,
  aSession,
  someSettings,
  startServerWithFiles,
} from '../../tests/factories.test-setup.ts';
import { Refusal, type FakeServer } from '../../tests/fake-server.test-setup.ts';
import { renderApp } from '../../tests/render-app.test-setup.tsx';

let server: FakeServer;
beforeEach(() => {
  server = startServerWithFiles()
    .on(refreshSession, () => new Refusal(401, 'You are not signed in.'))
    .on(generateCode, () => null)
    .on(validateCode, () => aSession());
});

const askForCode = async (entry: Parameters<typeof renderApp>[0] = '/') => {
  const app = renderApp(entry, userEvent.setup({ delay: null }));
  await app.user.type(await screen.findByLabelText('Email'), ' Ann.Becker@example.com ');
  await app.user.click(screen.getByRole('button', { name: 'Send the code' }));
  return { ...app, boxes: await screen.findAllByLabelText(/^Digit \d of 6$/u) };
};

it('the page links to the home and contact pages, and has one field with an arrow', async () => {
  const { user, router } = renderApp('/');
  const field = await screen.findByLabelText('Email');
  expect(within(field.closest('form')!).getAllByRole('button')).toHaveLength(1);
  const more = within(screen.getByRole('navigation', { name: 'More' }));
  // Without a contact address, the page refers to the operator.
  expect(more.getByRole('link', { name: 'Contact' }).getAttribute('href')).toBe('/contact');
  await user.click(more.getByRole('link', { name: 'Home' }));
  await waitFor(() => expect(router.state.location.pathname).toBe('/home'));
});

it.each([
  [true, 1],
  [false, 0],
])('the page says that codes are printed in the log if that is %s', async (codesInLog, notes) => {
  server.on(appSettings, () => someSettings({ codesInLog }));
  renderApp('/');
  await screen.findByLabelText('Email');
  await waitFor(() => expect(server.callsOf(appSettings)).toHaveLength(1));
  await waitFor(() =>
    expect(screen.queryAllByText(/the code is printed in the server's log/u)).toHaveLength(notes),
  );
});

describe('the address', () => {
  it.each([
    ['', 'Email is required.'],
    ['ann@', 'Please enter a valid email address.'],
  ])('%j is refused', async (typed, message) => {
    const { user } = renderApp('/');
    const field = await screen.findByLabelText('Email');
    if (typed) await user.type(field, typed);
    await user.click(screen.getByRole('button', { name: 'Send the code' }));
    expect(await screen.findByRole('alert')).toHaveProperty('textContent', message);
    expect(server.callsOf(generateCode)).toHaveLength(0);
  });

  it('stays with the reason if sending failed', async () => {
    server.on(generateCode, () => new Refusal(503, 'The mail server is down.'));
    const { user } = renderApp('/');
    await user.type(await screen.findByLabelText('Email'), 'ann@example.com{Enter}');
    expect((await screen.findByRole('alert')).textContent).toBe(
      'An error occurred during login. Please try again. The mail server is down.',
    );
  });
});

describe('the code', () => {
  it('is verified as soon as six digits are typed', async () => {
    const { user } = await askForCode();
    const dialog = within(screen.getByRole('dialog', { name: 'OTP Verification' }));
    expect(dialog.getByText(/^Enter 6 digit code sent to your email/u).textContent).toBe(
      'Enter 6 digit code sent to your email An•••@example.com',
    );
    expect(dialog.getByRole('button', { name: 'Verify' })).toHaveProperty('disabled', true);
    await user.keyboard('123456');
    await waitFor(() => expect(server.callsOf(validateCode)).toHaveLength(1));
    expect(server.callsOf(validateCode)[0]?.body).toMatchObject({
      code: '123456',
      email: expect.stringMatching(/@example\.com$/u),
    });
  });

  it('can be pasted if it has six digits', async () => {
    const alert = vi.spyOn(window, 'alert').mockImplementation(() => undefined);
    const { user, boxes } = await askForCode();
    await user.click(boxes[2]!);
    await user.paste('12345');
    expect(alert).toHaveBeenCalledWith('Please paste a valid 6-digit OTP.');
    expect(server.callsOf(validateCode)).toHaveLength(0);
    await user.paste(' 654321 ');
    await waitFor(() => expect(server.callsOf(validateCode)).toHaveLength(1));
    expect(server.callsOf(validateCode)[0]?.body).toMatchObject({ code: '654321' });
  });

  it('can be edited with Backspace and the arrow keys', async () => {
    const { user, boxes } = await askForCode();
    await user.keyboard('12');
    expect(document.activeElement).toBe(boxes[2]);
    await user.keyboard('{Backspace}');
    expect(document.activeElement).toBe(boxes[1]);
    await user.keyboard('{ArrowLeft}');
    expect(document.activeElement).toBe(boxes[0]);
    await user.keyboard('{ArrowRight}x');
    expect(boxes.map((box) => (box as HTMLInputElement).value).join('')).toBe('12');
  });

  it('can be entered again when it is wrong', async () => {
    server.on(validateCode, () => new Refusal(400, 'The code is wrong.'));
    const { user, boxes } = await askForCode();
    await user.keyboard('111111');
    expect((await screen.findByRole('alert')).textContent).toBe(
      'OTP verification failed. Please try again.',
    );
    expect(boxes.every((box) => (box as HTMLInputElement).value === '')).toBe(true);
    await waitFor(() => expect(document.activeElement).toBe(boxes[0]));
  });

  it('is refused with the reason after too many attempts', async () => {
    server.on(
      validateCode,
      () => new Refusal(429, 'Too many wrong codes.', { 'retry-after': '600' }),
    );
    const { user } = await askForCode();
    await user.keyboard('111111');
    expect((await screen.findByRole('alert')).textContent).toBe(
      'OTP verification failed. Please try again. Too many wrong codes. Try again in 10 minutes.',
    );
  });

  it('is invalid after the last attempt, and another one is offered immediately', async () => {
    const reason = 'Too many wrong codes were entered. Please request a new code.';
    server.on(validateCode, () => new Refusal(401, reason, {}, 'code_used_up'));
    const { user, boxes } = await askForCode();
    await user.keyboard('111111');
    expect((await screen.findByRole('alert')).textContent).toBe(reason);
    expect(screen.queryByRole('button', { name: 'Verify' })).toBeNull();
    expect(boxes.every((box) => (box as HTMLInputElement).readOnly)).toBe(true);
    const resend = screen.getByRole('button', { name: 'Resend OTP' });
    await user.click(resend);
    await waitFor(() => expect(screen.queryByRole('alert')).toBeNull());
    expect(server.callsOf(generateCode)).toHaveLength(2);
    server.on(validateCode, () => aSession());
    await waitFor(() => expect(document.activeElement).toBe(boxes[0]));
    await user.keyboard('222222');
    await waitFor(() => expect(server.callsOf(validateCode)).toHaveLength(2));
  });

  it('is cleared whenever the dialog opens', async () => {
    const { user } = await askForCode();
    await user.keyboard('123');
    await user.click(screen.getByRole('button', { name: 'Close' }));
    await user.click(await screen.findByRole('button', { name: 'Send the code' }));
    // The boxes of the closed dialog are there until the new ones replace them.
    await waitFor(() => {
      const boxes = screen.getAllByLabelText<HTMLInputElement>(/^Digit \d of 6$/u);
      expect(boxes.map(({ value }) => value).join('')).toBe('');
    });
  });
});

it('is that of the newest mail if no other was sent, which the page says', async () => {
  server.on(
    generateCode,
    () => null,
    () => ({ message: 'Use the newest mail we sent' }),
  );
  await askForCode();
  expect(screen.getByRole('status').textContent).toBe('Use the newest mail we sent.');
});

describe('a mailed link', () => {
  const LINK = '/#email=ann%40example.com&key=0123456789abcdefghijkl';

  it('signs in with one click, and opens the next page', async () => {
    server.on(signInWithLink, () => aSession({ exist: true, question: false }));
    const { user, router } = renderApp(LINK);
    expect(await screen.findByText('ann@example.com')).toBeTruthy();
    expect(server.callsOf(signInWithLink)).toHaveLength(0);
    await user.click(screen.getByRole('button', { name: 'Sign in' }));
    await waitFor(() => expect(router.state.location.pathname).toBe('/search'));
    expect(router.state.location.hash).toBe('');
    expect(server.callsOf(signInWithLink)[0]?.body).toMatchObject({
      email: 'ann@example.com',
      key: '0123456789abcdefghijkl',
    });
  });

  it('shows an error when it has expired, and offers a new mail', async () => {
    server.on(signInWithLink, () => new Refusal(401, 'This sign-in link is not valid.'));
    const { user } = renderApp(LINK);
    await user.click(await screen.findByRole('button', { name: 'Sign in' }));
    expect((await screen.findByRole('alert')).textContent).toBe('This sign-in link is not valid.');
    await user.click(screen.getByRole('button', { name: 'Ask for a new mail' }));
    expect(await screen.findByLabelText('Email')).toBeTruthy();
  });
});

describe('after the code', () => {
  it.each([
    { exist: true, question: true, from: undefined, to: '/questions' },
    { exist: true, question: false, from: undefined, to: '/search' },
    { exist: false, question: false, from: undefined, to: '/home' },
    { exist: false, question: true, from: '/allfiles?x=1#y', to: '/allfiles' },
    { exist: true, question: false, from: '//elsewhere.example', to: '/search' },
  ])('with exist $exist and question $question, $to opens, coming from $from', async (testCase) => {
    server.on(validateCode, () => aSession({ exist: testCase.exist, question: testCase.question }));
    const state = testCase.from ? { from: testCase.from } : null;
    const { user, router } = await askForCode({ pathname: '/', state });
    await user.keyboard('123456');
    await waitFor(() => expect(router.state.location.pathname).toBe(testCase.to));
    expect(sessionStorage.getItem('authToken')).toBe('a-token');
    expect(sessionStorage.getItem('a_exist')).toBe(String(testCase.exist));
    expect(sessionStorage.getItem('q_exits')).toBe(String(testCase.question));
    expect(sessionStorage.getItem('is_admin')).toBeNull();
  });

  it('the terms are shown first until they are accepted', async () => {
    server
      .on(validateCode, () => aSession({ agreed: false, exist: false }))
      .on(updateProfile, () => aProfile());
    const { user, router } = await askForCode();
    await user.keyboard('123456');
    const agree = await screen.findByRole('button', { name: 'Agree' });
    const terms = within(screen.getByRole('dialog', { name: 'Terms and Conditions' }));
    expect(
      terms.getAllByRole('heading', { level: 3 }).map(({ textContent }) => textContent),
    ).toEqual([
      '1. Acceptance of terms',
      '2. Changes to these terms',
      '3. User account',
      '4. Product use',
      '5. Intellectual property',
      '6. Limitation of liability',
      '7. Privacy',
      '8. Governing law',
    ]);
    expect(terms.getByRole('link').getAttribute('href')).toBe('/privacy');
    expect(router.state.location.pathname).toBe('/');
    await user.click(agree);
    await waitFor(() => expect(router.state.location.pathname).toBe('/home'));
    expect(server.callsOf(updateProfile)[0]?.body).toEqual({ isAgreedTerms: true });
  });

  it('a failure to accept the terms is shown with the reason, and can be retried', async () => {
    server
      .on(validateCode, () => aSession({ agreed: false }))
      .on(updateProfile, () => new Refusal(503, 'The database is busy.'));
    const { user, router } = await askForCode();
    await user.keyboard('123456');
    await user.click(await screen.findByRole('button', { name: 'Agree' }));
    expect((await screen.findByRole('alert')).textContent).toBe(
      'Your agreement could not be saved. The database is busy.',
    );
    expect(router.state.location.pathname).toBe('/');
    server.on(updateProfile, () => aProfile());
    await user.click(screen.getByRole('button', { name: 'Agree' }));
    await waitFor(() => expect(router.state.location.pathname).toBe('/search'));
  });

  it('the role of an admin is stored', async () => {
    server.on(validateCode, () => aSession({ roles: ['USER', 'ADMIN'] }));
    const { user } = await askForCode();
    await user.keyboard('123456');
    await waitFor(() => expect(sessionStorage.getItem('is_admin')).toBe('true'));
  });
});

describe('an existing session', () => {
  it('redirects the sign-in page to the search', async () => {
    sessionStorage.setItem('authToken', 'a-token');
    const { router } = renderApp('/');
    await waitFor(() => expect(router.state.location.pathname).toBe('/search'));
    expect(server.callsOf(refreshSession)).toHaveLength(0);
  });

  it('of another tab is restored by its cookie, and the requested page opens', async () => {
    server.on(refreshSession, () => aSession());
    const { router } = renderApp('/allfiles');
    await screen.findByRole('heading', { name: 'Files' });
    expect(router.state.location.pathname).toBe('/allfiles');
    expect(sessionStorage.getItem('authToken')).toBe('a-token');
  });

  it('shows the terms again after a reload', async () => {
    sessionStorage.setItem('authToken', 'a-token');
    server.on(getProfile, () => aProfile({ isAgreedTerms: false }));
    renderApp('/allfiles');
    expect(await screen.findByRole('button', { name: 'Agree' })).toBeTruthy();
  });
});
