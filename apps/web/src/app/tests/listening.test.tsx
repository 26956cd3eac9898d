import { screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { historyEntry, renderPages, SearchServer } from '../../tests/search-server.test-setup.tsx';
import HistoryPage from '../history-page.tsx';
import SearchPage from '../search-page.tsx';

let server: SearchServer;
/** The audio elements that are playing. jsdom cannot play audio. */
let playing: Set<HTMLMediaElement>;
let refusal: DOMException | null;

beforeEach(() => {
  server = new SearchServer();
  server.history = [historyEntry(1), historyEntry(2)];
  sessionStorage.setItem('authToken', 'token');
  sessionStorage.setItem('a_exist', 'true');
  playing = new Set();
  refusal = null;
  const { prototype } = HTMLMediaElement;
  vi.spyOn(prototype, 'play').mockImplementation(function play(this: HTMLMediaElement) {
    if (refusal) return Promise.reject(refusal);
    playing.add(this);
    this.dispatchEvent(new Event('play'));
    return Promise.resolve();
  });
  vi.spyOn(prototype, 'pause').mockImplementation(function pause(this: HTMLMediaElement) {
    playing.delete(this);
    this.dispatchEvent(new Event('pause'));
  });
  vi.spyOn(prototype, 'duration', 'get').mockReturnValue(12);
  URL.createObjectURL = () => 'blob:sound';
  URL.revokeObjectURL = () => undefined;
});
afterEach(() => vi.useRealTimers());

const listen = async () =>
  userEvent.click(await screen.findByRole('button', { name: 'Play answer' }));
const audioCalls = () => server.calls.filter((call) => call.endsWith('/audio'));

test.each([
  ['search', { '/search': SearchPage }, '/search'],
  ['history', { '/history': HistoryPage }, '/history'],
])('on the %s page audio is requested when it is played', async (name, pages, path) => {
  renderPages(server, pages, `${path}?entry=${historyEntry(1).id}`);
  const play = await screen.findByRole('button', { name: 'Play answer' });
  expect(audioCalls()).toEqual([]);
  expect(screen.queryByRole('slider')).toBeNull();
  await listen();
  // The button is the same element, so it does not move under the pointer.
  expect(await screen.findByRole('button', { name: 'Pause answer' })).toBe(play);
  await screen.findByRole('slider');
  await userEvent.click(play);
  expect(playing.size).toBe(0);
  await listen();
  expect(playing.size).toBe(1);
  expect(audioCalls()).toEqual([`GET /search/history/${historyEntry(1).id}/audio`]);
});

test('the position in the audio is shown and can be changed', async () => {
  renderPages(server, { '/search': SearchPage }, `/search?entry=${historyEntry(1).id}`);
  await listen();
  await screen.findByRole('button', { name: 'Pause answer' });
  const [sound] = playing;
  sound?.dispatchEvent(new Event('durationchange'));
  const position = await screen.findByRole<HTMLInputElement>('slider', {
    name: 'Position in the spoken answer',
  });
  await waitFor(() => expect(position.max).toBe('12'));
  position.focus();
  await userEvent.keyboard('{ArrowRight}');
  expect(sound?.currentTime).toBe(5);
  expect(position.getAttribute('aria-valuetext')).toBe('0:05 of 0:12');
  await userEvent.keyboard('{ArrowLeft}{ArrowLeft}');
  expect(sound?.currentTime).toBe(0);
});

test('audio stops when another answer is shown', async () => {
  const router = renderPages(
    server,
    { '/search': SearchPage },
    `/search?entry=${historyEntry(1).id}`,
  );
  await listen();
  await screen.findByRole('button', { name: 'Pause answer' });
  await router.navigate(`/search?entry=${historyEntry(2).id}`);
  await screen.findByRole('button', { name: 'Play answer' });
  await waitFor(() => expect(playing.size).toBe(0));
  await listen();
  await waitFor(() => expect(audioCalls().at(-1)).toContain(historyEntry(2).id));
});

test('only one answer plays at a time', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-11-20T20:00:00Z') });
  server.history = [1, 2].map((n) => historyEntry(n, { date: new Date().toISOString() }));
  renderPages(server, { '/search': SearchPage }, `/search?entry=${historyEntry(1).id}`);
  await listen();
  await screen.findByRole('button', { name: 'Pause answer' });
  await userEvent.click(await screen.findByText('Earlier today'));
  await userEvent.click(screen.getByRole('button', { name: 'Play the answer to Question 2' }));
  await screen.findByRole('button', { name: 'Pause the answer to Question 2' });
  expect(screen.getByRole('button', { name: 'Play answer' })).toBeTruthy();
  expect(playing.size).toBe(1);
});

test('a browser that requires another click to play gets a button', async () => {
  refusal = new DOMException('Click first.', 'NotAllowedError');
  renderPages(server, { '/search': SearchPage }, `/search?entry=${historyEntry(1).id}`);
  await listen();
  await screen.findByRole('slider');
  refusal = null;
  await listen();
  expect(playing.size).toBe(1);
  expect(audioCalls()).toHaveLength(1);
  expect(screen.queryByRole('alert')).toBeNull();
});

test('missing speech is reported, and the answer stays', async () => {
  server.sound = null;
  renderPages(server, { '/search': SearchPage }, `/search?entry=${historyEntry(1).id}`);
  await listen();
  expect((await screen.findByRole('alert')).textContent).toBe(
    'The answer cannot be played. Speech is not available. The answer is here to read.',
  );
  server.sound = 'sound';
  await listen();
  await screen.findByRole('button', { name: 'Pause answer' });
  expect(screen.queryByRole('alert')).toBeNull();
});
