import { act, cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import {
  FakeMicrophone,
  FakeRecognition,
  giveRecognition,
} from '../../tests/fake-speech.test-setup.ts';
import { renderPages, SearchServer } from '../../tests/search-server.test-setup.tsx';
import SearchPage from '../search-page.tsx';

let server: SearchServer;

beforeEach(() => {
  server = new SearchServer();
  sessionStorage.setItem('authToken', 'token');
  sessionStorage.setItem('a_exist', 'true');
});

const open = () => renderPages(server, { '/search': SearchPage }, '/search');
const input = () =>
  screen.getByRole<HTMLTextAreaElement>('textbox', { name: 'Ask your AI Brain anything' });
const button = (name: string) => screen.findByRole('button', { name });
const clickButton = async (name: string) => userEvent.click(await button(name));

/** Opens the page and starts the browser's speech recognition. */
async function listen(): Promise<FakeRecognition> {
  open();
  return listenAgain();
}

async function listenAgain(): Promise<FakeRecognition> {
  const instanceCount = FakeRecognition.instances.length;
  await clickButton('Ask by voice');
  await screen.findByText('Allow the microphone…');
  await waitFor(() => expect(FakeRecognition.instances).toHaveLength(instanceCount + 1));
  const recognition = FakeRecognition.instances.at(-1)!;
  act(() => recognition.allow());
  return recognition;
}

/** Hides the tab or shows it again. */
function hideTab(hidden: boolean): void {
  vi.spyOn(document, 'hidden', 'get').mockReturnValue(hidden);
  act(() => void document.dispatchEvent(new Event('visibilitychange')));
}

describe('with speech recognition in the browser', () => {
  beforeEach(() => giveRecognition('webkitSpeechRecognition'));

  test('recognized words appear in the input, and the final text is asked', async () => {
    const recognition = await listen();
    expect(recognition).toMatchObject({ lang: 'en-US', interimResults: true, continuous: false });
    expect(screen.getByText('Listening…').tagName).toBe('OUTPUT');
    act(() => recognition.hear('how much'));
    expect(input().value).toBe('how much');
    expect(server.questions).toHaveLength(0);

    act(() => recognition.hear('how much notice', true));
    await waitFor(() => expect(server.questions).toHaveLength(1));
    expect(server.questions[0]!.body).toMatchObject({ text: 'how much notice' });
    expect(recognition.open).toBe(false);
    expect(await button('Ask by voice')).toBeTruthy();
    expect(screen.queryByRole('alert')).toBeNull();
  });

  test('the toggle stops listening and uses the text so far', async () => {
    const recognition = await listen();
    act(() => recognition.hear('who repaints'));
    await clickButton('Stop listening');
    await waitFor(() => expect(server.questions[0]?.body).toMatchObject({ text: 'who repaints' }));
  });

  test('Escape closes the microphone and restores the typed text', async () => {
    open();
    await userEvent.type(input(), 'How');
    const recognition = await listenAgain();
    act(() => recognition.hear('something else'));
    await userEvent.keyboard('{Escape}');
    expect(recognition.open).toBe(false);
    expect(input().value).toBe('How');
    expect(server.questions).toHaveLength(0);
    expect(screen.queryByRole('alert')).toBeNull();
  });

  test('a user can continue to type', async () => {
    const recognition = await listen();
    act(() => recognition.hear('how'));
    fireEvent.change(input(), { target: { value: 'how many' } });
    expect(recognition.open).toBe(false);
    expect(input().value).toBe('how many');
  });

  test.each([
    ['not-allowed', /blocked for this page. Allow it/u],
    ['no-speech', /Nothing was heard. Check that your microphone/u],
    ['network', /cannot reach its service. Check your connection/u],
    ['audio-capture', /No microphone was found. Connect one/u],
    ['aborted', /interrupted. Press the microphone/u],
    ['service-not-allowed', /does not let this page recognize speech. Allow it/u],
    ['language-not-supported', /cannot recognize English \(en-US\)/u],
    ['something-new', /Listening failed. Press the microphone/u],
  ])('%s is shown with advice, and the typed text stays', async (error, sentence) => {
    open();
    await userEvent.type(input(), 'How');
    const recognition = await listenAgain();
    act(() => recognition.hear('half a'));
    // Recognized text is discarded if the recognition reports that no speech was detected.
    act(() => recognition.hear(''));
    act(() => recognition.fail(error));
    expect((await screen.findByRole('alert')).textContent).toMatch(sentence);
    expect(input().value).toBe('How');
    expect(server.questions).toHaveLength(0);
    await listenAgain();
    expect(screen.queryByRole('alert')).toBeNull();
  });

  test.each([
    ['a hidden tab', () => hideTab(true)],
    ['leaving the page', cleanup],
  ])('%s closes the microphone', async (_, action) => {
    const recognition = await listen();
    expect(recognition.open).toBe(true);
    action();
    expect(recognition.open).toBe(false);
    expect(server.questions).toHaveLength(0);
  });

  test('another search closes the microphone', async () => {
    server.recommendations = ['Who repaints?'];
    const recognition = await listen();
    await clickButton('Who repaints?');
    await waitFor(() => expect(server.questions).toHaveLength(1));
    expect(recognition.open).toBe(false);
    expect(server.questions[0]!.body).toMatchObject({ text: 'Who repaints?' });
  });

  test('speech that is longer than a question is cut and not sent', async () => {
    const recognition = await listen();
    act(() => recognition.hear('word '.repeat(80), true));
    expect((await screen.findByRole('alert')).textContent).toContain('cut at 300 characters');
    expect(input().value).toBe('word '.repeat(60).trim());
    expect(server.questions).toHaveLength(0);
  });

  test('the microphone is off with an expired plan', async () => {
    server.metrics = { ...server.metrics, status: 'Expired' };
    open();
    await screen.findByText(/Your subscription has expired/u);
    expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Ask by voice' }).disabled).toBe(
      true,
    );
  });
});

test('a browser and server without recognition show a message', async () => {
  open();
  await clickButton('Ask by voice');
  expect((await screen.findByRole('alert')).textContent).toBe(
    'Your browser does not support speech recognition.',
  );
});

describe('with transcription on the server', () => {
  let microphone: FakeMicrophone;

  beforeEach(() => {
    server.settings = { ...server.settings, transcription: true };
    server.words = 'How much notice?';
    microphone = new FakeMicrophone();
  });

  /** Starts a recording once the settings are loaded. */
  async function record(): Promise<void> {
    open();
    await waitFor(() => expect(server.calls).toContain('GET /settings'));
    await clickButton('Ask by voice');
    await screen.findByText('0:00 / 1:00');
    expect(microphone.open.size).toBe(1);
  }

  test('a browser without recognition records until it is stopped, and the transcribed question is asked', async () => {
    await record();
    await clickButton('Stop listening');
    await waitFor(() =>
      expect(server.questions[0]?.body).toMatchObject({ text: 'How much notice?' }),
    );
    expect(microphone.open.size).toBe(0);
    expect(server.recordings.map(({ name, size }) => [name, size])).toEqual([['question.m4a', 5]]);
  });

  test('a recording lasts up to a minute', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    await record();
    await act(() => vi.advanceTimersByTimeAsync(60_000));
    await waitFor(() => expect(server.questions).toHaveLength(1));
    expect(microphone.open.size).toBe(0);
    vi.useRealTimers();
  });

  test('Escape sends nothing', async () => {
    await record();
    await userEvent.keyboard('{Escape}');
    expect(microphone.open.size).toBe(0);
    expect(server.recordings).toEqual([]);
    expect(await button('Ask by voice')).toBeTruthy();
  });

  test.each([
    ['', 'Nothing was heard.'],
    [null, 'Your question could not be transcribed.'],
  ])('the result %j is explained', async (words, sentence) => {
    server.words = words;
    await record();
    await clickButton('Stop listening');
    expect((await screen.findByRole('alert')).textContent).toContain(sentence);
    expect(server.questions).toHaveLength(0);
  });

  test.each([
    ['NotAllowedError', 'The microphone is blocked'],
    ['NotFoundError', 'No microphone was found'],
    ['NotReadableError', 'another program may have it'],
  ])('a microphone that answers %s is explained', async (name, sentence) => {
    microphone.refusal = new DOMException('No.', name);
    open();
    await waitFor(() => expect(server.calls).toContain('GET /settings'));
    await clickButton('Ask by voice');
    expect((await screen.findByRole('alert')).textContent).toContain(sentence);
  });

  test.each(['network', 'service-not-allowed'])(
    'recognition that fails with %s is replaced by a recording permanently',
    async (error) => {
      giveRecognition('SpeechRecognition');
      open();
      await waitFor(() => expect(server.calls).toContain('GET /settings'));
      const recognition = await listenAgain();
      act(() => recognition.fail(error));
      expect(await screen.findByText('Recording instead. Please speak…')).toBeTruthy();
      expect(screen.queryByRole('alert')).toBeNull();
      await userEvent.keyboard('{Escape}');
      await clickButton('Ask by voice');
      await screen.findByText('0:00 / 1:00');
      expect(FakeRecognition.instances).toHaveLength(1);
    },
  );
});
