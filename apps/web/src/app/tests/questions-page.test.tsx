import {
  answerQuestions,
  getProfile,
  listQuestions,
  type Question,
  updateProfile,
} from '@engram/contract';
import { notifications } from '@mantine/notifications';
import { act, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { aProfile, aSession, startServerWithFiles } from '../../tests/factories.test-setup.ts';
import { Refusal, type FakeServer } from '../../tests/fake-server.test-setup.ts';
import { renderApp } from '../../tests/render-app.test-setup.tsx';
import { storeSession } from '../../session/session.ts';

const QUESTIONS: Question[] = ['Where', 'What', 'Which'].map((question) => ({
  questionId: question.toLowerCase(),
  question: `${question}?`,
  options: ['One', 'Two', 'Three'].map((optionText) => ({
    optionId: optionText.toLowerCase(),
    optionText,
  })),
}));

const play = vi.fn<() => Promise<void>>();
const pause = vi.fn<() => void>();

let server: FakeServer;
beforeEach(() => {
  play.mockReset().mockResolvedValue();
  pause.mockReset();
  HTMLMediaElement.prototype.play = play;
  HTMLMediaElement.prototype.pause = pause;
  notifications.clean();
  storeSession(aSession({ exist: false, question: true }));
  server = startServerWithFiles()
    .on(listQuestions, () => QUESTIONS)
    .on(answerQuestions, () =>
      QUESTIONS.map((question) => ({ ...question, selectedOptionId: 'one' })),
    );
});

const heading = (name: string) => screen.findByRole('heading', { level: 1, name });
const next = () => screen.getByRole<HTMLButtonElement>('button', { name: 'Next' });
const option = (name: string) => screen.getByRole<HTMLInputElement>('radio', { name });

const open = async () => {
  const app = renderApp('/questions');
  await heading('Where?');
  return app;
};

const answerAll = async ({ user }: Pick<ReturnType<typeof renderApp>, 'user'>) => {
  for (const name of ['Where?', 'What?', 'Which?']) {
    await heading(name);
    await user.click(option('Two'));
    await user.click(next());
  }
};

describe('the questions', () => {
  it('are shown one at a time, and the next one only after a choice', async () => {
    const { user } = await open();
    expect(
      within(screen.getByRole('radiogroup', { name: 'Where?' })).getAllByRole('radio'),
    ).toHaveLength(3);
    expect(screen.getAllByRole('heading', { level: 1 })).toHaveLength(1);
    expect(next().disabled).toBe(true);
    await user.click(option('Two'));
    await user.click(next());
    await heading('What?');
    expect(next().disabled).toBe(true);
  });

  it('have a labeled progress bar', async () => {
    const { user } = await open();
    const progress = () =>
      screen.getByRole('progressbar', { name: 'Progress through the questions' });
    expect(progress().getAttribute('aria-valuetext')).toBe('Question 1 of 3');
    await user.click(option('One'));
    await user.click(next());
    await heading('What?');
    expect(progress().getAttribute('value')).toBe('2');
    expect(screen.getByText('Question 2 of 3')).toBeTruthy();
  });

  it('can be answered by keyboard: each gets the focus, and Enter opens the next', async () => {
    const { user, router } = await open();
    option('One').focus();
    await user.keyboard('{Enter}');
    expect(await heading('Where?')).toBeTruthy();
    await user.keyboard('{ArrowDown}{Enter}');
    await heading('What?');
    expect(document.activeElement).toBe(option('One'));
    await user.keyboard(' {Enter}');
    await heading('Which?');
    await user.keyboard('{ArrowUp}{Enter}');
    await waitFor(() => expect(router.state.location.pathname).toBe('/home'));
    expect(server.callsOf(answerQuestions).map(({ body }) => body)).toEqual([
      {
        responses: [
          { questionId: 'where', selectedOption: 'two' },
          { questionId: 'what', selectedOption: 'one' },
          { questionId: 'which', selectedOption: 'three' },
        ],
      },
    ]);
  });

  it('can be opened again with the earlier choice', async () => {
    const { user } = await open();
    expect(screen.queryByRole('button', { name: 'Back' })).toBeNull();
    await user.click(option('Three'));
    await user.click(next());
    await heading('What?');
    await user.click(screen.getByRole('button', { name: 'Back' }));
    await heading('Where?');
    expect(option('Three').checked).toBe(true);
    expect(document.activeElement).toBe(option('Three'));
    expect(next().disabled).toBe(false);
  });
});

describe('a reload in the middle', () => {
  it('continues with the same question and keeps what was chosen', async () => {
    sessionStorage.setItem(
      'questionnaire',
      JSON.stringify({
        data: { choices: { where: 'two', what: 'one' }, step: 1 },
        timestamp: Date.now(),
      }),
    );
    const { user } = renderApp('/questions');
    await heading('What?');
    expect(option('One').checked).toBe(true);
    await user.click(screen.getByRole('button', { name: 'Back' }));
    await heading('Where?');
    expect(option('Two').checked).toBe(true);
  });

  it.each([
    { choices: { where: 'gone' }, step: 2 },
    { choices: 'nonsense', step: -4 },
    { step: 'one' },
    null,
    7,
  ])('ignores the stored value %j', async (data) => {
    sessionStorage.setItem('questionnaire', JSON.stringify({ data, timestamp: Date.now() }));
    renderApp('/questions');
    await heading('Where?');
    expect(next().disabled).toBe(true);
  });
});

describe('the end', () => {
  it.each([
    { exist: true, to: '/search' },
    { exist: false, to: '/home' },
  ])(
    'with a_exist $exist opens $to and reports once that the account was created',
    async ({ exist, to }) => {
      storeSession(aSession({ exist, question: true }));
      const app = await open();
      await answerAll(app);
      await waitFor(() => expect(app.router.state.location.pathname).toBe(to));
      expect(
        await screen.findAllByText('Your account has been successfully created.'),
      ).toHaveLength(1);
      expect(sessionStorage.getItem('q_exits')).toBe('false');
      expect(sessionStorage.getItem('questionnaire')).toBeNull();
    },
  );

  it('reports that saving failed, and keeps the choices', async () => {
    server.on(answerQuestions, () => new Refusal(503, 'The database is down.'));
    const app = await open();
    await answerAll(app);
    expect((await screen.findByRole('alert')).textContent).toBe(
      'Your answers could not be saved. The database is down. Try again in a moment.',
    );
    expect(app.router.state.location.pathname).toBe('/questions');
    expect(sessionStorage.getItem('q_exits')).toBe('true');
    server.on(answerQuestions, () =>
      QUESTIONS.map((question) => ({ ...question, selectedOptionId: 'two' })),
    );
    expect(option('Two').checked).toBe(true);
    await app.user.click(next());
    await waitFor(() => expect(app.router.state.location.pathname).toBe('/home'));
  });
});

describe('skipping', () => {
  it.each([
    { name: 'Skip', exist: true, to: '/search' },
    { name: 'Skip', exist: false, to: '/home' },
    { name: 'I WILL DO LATER', exist: true, to: '/search' },
    { name: 'I WILL DO LATER', exist: false, to: '/home' },
  ])('$name with a_exist $exist opens $to and is stored', async ({ name, exist, to }) => {
    storeSession(aSession({ exist, question: true }));
    const { user, router } = await open();
    await user.click(screen.getByRole('button', { name }));
    await waitFor(() => expect(router.state.location.pathname).toBe(to));
    expect(sessionStorage.getItem('q_exits')).toBe('false');
    expect(server.callsOf(answerQuestions)).toHaveLength(0);
    expect(screen.queryByText('Your account has been successfully created.')).toBeNull();
  });

  it('is possible while the questions load and when they cannot be loaded', async () => {
    const loading = Promise.withResolvers<Refusal>();
    server.on(listQuestions, () => loading.promise);
    const { user, router } = renderApp('/questions');
    expect(await screen.findByText('Loading questions...')).toBeTruthy();
    loading.resolve(new Refusal(503, 'The database is down.'));
    const alert = await screen.findByRole('alert');
    expect(alert.textContent).toContain('Failed to load questions.');
    expect(alert.textContent).toContain('The database is down.');
    await user.click(screen.getByRole('button', { name: 'I WILL DO LATER' }));
    await waitFor(() => expect(router.state.location.pathname).toBe('/home'));
  });
});

describe('before the questions', () => {
  it('a failure to load them can be retried', async () => {
    server.on(listQuestions, () => new Refusal(503, 'The database is down.'));
    const { user } = renderApp('/questions');
    const retryButton = await screen.findByRole('button', { name: 'Try again' });
    server.on(listQuestions, () => QUESTIONS);
    await user.click(retryButton);
    expect(await heading('Where?')).toBeTruthy();
    expect(screen.queryByRole('alert')).toBeNull();
  });

  it('a sign-in is required', async () => {
    sessionStorage.clear();
    const { router } = renderApp('/questions');
    await waitFor(() => expect(router.state.location.pathname).toBe('/'));
    expect(server.callsOf(listQuestions)).toHaveLength(0);
  });

  it('the terms must be accepted', async () => {
    server
      .on(getProfile, () => aProfile({ isAgreedTerms: false }))
      .on(updateProfile, () => aProfile());
    const { user } = renderApp('/questions');
    const agree = await screen.findByRole('button', { name: 'Agree' });
    server.on(getProfile, () => aProfile());
    await user.click(agree);
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    await heading('Where?');
  });
});

describe('the background', () => {
  const video = () => document.querySelector('video');
  /** Reports whether the user prefers reduced motion, as a browser does. */
  const openWith = async (reduced: boolean) => {
    const { matchMedia } = window;
    vi.stubGlobal('matchMedia', (query: string) => ({
      ...matchMedia(query),
      matches: reduced && query.includes('reduced-motion'),
    }));
    vi.useFakeTimers({ shouldAdvanceTime: true });
    const app = await open();
    await act(() => vi.advanceTimersByTimeAsync(3000));
    return app;
  };
  const setHidden = (hidden: boolean): void => {
    vi.spyOn(document, 'hidden', 'get').mockReturnValue(hidden);
    document.dispatchEvent(new Event('visibilitychange'));
  };
  afterEach(() => {
    vi.useRealTimers();
    vi.restoreAllMocks();
    vi.unstubAllGlobals();
  });

  it('is a looping clip that is loaded after the page, and can be stopped', async () => {
    const { user } = await openWith(false);
    expect(video()).toMatchObject({ loop: true, muted: true });
    expect(video()?.getAttribute('src')).toBe('/demo/engram-backdrop.webm');
    expect(play).toHaveBeenCalled();
    const button = screen.getByRole('button', { name: 'Pause the background' });
    expect(button.getAttribute('aria-pressed')).toBe('false');
    await user.click(button);
    expect(button.getAttribute('aria-pressed')).toBe('true');
    expect(pause).toHaveBeenCalledOnce();
  });

  it('stops while the tab is hidden', async () => {
    await openWith(false);
    setHidden(true);
    expect(pause).toHaveBeenCalledOnce();
    play.mockClear();
    setHidden(false);
    expect(play).toHaveBeenCalledOnce();
  });

  it('is a still picture without a stop button with reduced motion', async () => {
    await openWith(true);
    expect(video()).toBeNull();
    expect(document.querySelector('img[src="/demo/engram-backdrop.webp"]')).toBeTruthy();
    expect(screen.queryByRole('button', { name: 'Pause the background' })).toBeNull();
  });
});
