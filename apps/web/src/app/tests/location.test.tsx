import {
  generateCode,
  historyThread,
  listThreads,
  nameLocation,
  refreshSession,
  validateCode,
} from '@engram/contract';
import { cleanup, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import AskedFrom from '../../features/location/components/asked-from.tsx';
import { askQuestion } from '../../features/search/use-ask.ts';
import { LocationToggle } from '../../features/location/components/location-toggle.tsx';
import { setPosition } from '../../browser/device.ts';
import { aSession, startServerWithFiles } from '../../tests/factories.test-setup.ts';
import { Refusal, type FakeServer } from '../../tests/fake-server.test-setup.ts';
import { renderApp } from '../../tests/render-app.test-setup.tsx';
import { historyEntry } from '../../tests/search-server.test-setup.tsx';
import { Providers } from '../providers.tsx';
import { createQueryClient } from '../query-client.ts';

const LISBON = { latitude: 38.722_252, longitude: -9.139_337 };

/** The browser's geolocation, which responds on demand. */
function stubGeolocation(permission: PermissionState | 'unknown' = 'prompt') {
  const requests: { onPosition: PositionCallback; onError: PositionErrorCallback }[] = [];
  const define = (name: string, value: unknown) =>
    Object.defineProperty(navigator, name, { value, configurable: true });
  define('geolocation', {
    getCurrentPosition: (onPosition: PositionCallback, onError: PositionErrorCallback) =>
      void requests.push({ onPosition, onError }),
  });
  define('permissions', {
    query: () =>
      permission === 'unknown'
        ? Promise.reject(new TypeError('What is geolocation?'))
        : Promise.resolve({ state: permission }),
  });
  return {
    requests,
    allow: () => requests.shift()?.onPosition({ coords: LISBON } as GeolocationPosition),
    fail: (code: number) => requests.shift()?.onError({ code } as GeolocationPositionError),
  };
}

let server: FakeServer;
beforeEach(() => {
  server = startServerWithFiles().on(nameLocation, () => 'Lisbon, Portugal');
});
afterEach(() => {
  setPosition(null);
  Reflect.deleteProperty(navigator, 'geolocation');
  Reflect.deleteProperty(navigator, 'permissions');
});

const show = (children: React.ReactNode) => {
  cleanup();
  render(<Providers queryClient={createQueryClient()}>{children}</Providers>);
  return userEvent.setup({ delay: null });
};
const toggle = () => screen.getByRole('button', { name: 'Use my location' });
const isOn = () => toggle().getAttribute('aria-pressed') === 'true';

/** The location in the request of a question. */
async function sentLocation(): Promise<unknown> {
  let body: { location: unknown } | undefined;
  vi.stubGlobal('fetch', (_: string, init: RequestInit) => {
    body = JSON.parse(String(init.body)) as { location: unknown };
    return Promise.resolve(Response.json({ message: 'No.', code: 'refused' }, { status: 503 }));
  });
  const question = { text: 'Where?', keywords: [], files: [], after: null };
  const noPosition = () => undefined;
  const { signal } = new AbortController();
  await askQuestion(question, noPosition, noPosition, signal).catch(noPosition);
  return body?.location;
}

describe('using my location', () => {
  it('is off without a browser prompt until the user switches it on', async () => {
    const browser = stubGeolocation('granted');
    show(<LocationToggle />);
    expect(isOn()).toBe(false);
    expect(browser.requests).toHaveLength(0);
    expect(await sentLocation()).toBeNull();
  });

  it('adds the position to questions, rounded to about a kilometer, and is stored', async () => {
    const browser = stubGeolocation();
    const user = show(<LocationToggle />);
    await user.click(toggle());
    expect(toggle().getAttribute('aria-busy')).toBe('true');
    expect(isOn()).toBe(false);
    expect(localStorage.getItem('engram-location')).toBeNull();
    browser.allow();
    await waitFor(() => expect(isOn()).toBe(true));
    expect(await sentLocation()).toEqual({ latitude: 38.72, longitude: -9.14 });
    expect(localStorage.getItem('engram-location')).toBe('on');
  });

  it('can be switched off again', async () => {
    const browser = stubGeolocation();
    const user = show(<LocationToggle />);
    await user.click(toggle());
    browser.allow();
    await waitFor(() => expect(isOn()).toBe(true));
    await user.click(toggle());
    expect(isOn()).toBe(false);
    expect(localStorage.getItem('engram-location')).toBeNull();
    expect(await sentLocation()).toBeNull();
  });

  it.each([
    [1, /^Your browser blocks your location\. Allow it/u],
    [2, /^Your location could not be found\. Check the location settings/u],
    [3, /^Your location could not be found\./u],
  ])('explains what to do after the browser’s error %i, and can be retried', async (code, text) => {
    const browser = stubGeolocation();
    const user = show(<LocationToggle />);
    await user.click(toggle());
    browser.fail(code);
    expect((await screen.findByRole('alert')).textContent).toMatch(text);
    expect(isOn()).toBe(false);
    expect(localStorage.getItem('engram-location')).toBeNull();
    await user.click(toggle());
    browser.allow();
    await waitFor(() => expect(isOn()).toBe(true));
    expect(screen.queryByRole('alert')).toBeNull();
  });

  it('is on at the next visit if the browser need not ask', async () => {
    localStorage.setItem('engram-location', 'on');
    const browser = stubGeolocation('granted');
    show(<LocationToggle />);
    await waitFor(() => expect(browser.requests).toHaveLength(1));
    browser.allow();
    await waitFor(() => expect(isOn()).toBe(true));
  });

  it.each(['prompt', 'denied', 'unknown'] as const)(
    'is off at the next visit without a message when the permission is %s',
    async (permission) => {
      localStorage.setItem('engram-location', 'on');
      const browser = stubGeolocation(permission);
      const query = vi.spyOn(navigator.permissions, 'query');
      show(<LocationToggle />);
      await waitFor(() => expect(query).toHaveBeenCalled());
      await Promise.allSettled(query.mock.results.map(({ value }) => value as Promise<unknown>));
      expect(browser.requests).toHaveLength(0);
      expect(isOn()).toBe(false);
      expect(screen.queryByRole('alert')).toBeNull();
    },
  );

  it('is not offered if the browser does not support it', () => {
    show(<LocationToggle />);
    expect(screen.queryByRole('button')).toBeNull();
  });
});

describe('the sign-in', () => {
  const signIn = async () => {
    server
      .on(refreshSession, () => new Refusal(401, 'You are not signed in.'))
      .on(generateCode, () => null)
      .on(validateCode, () => aSession());
    const { user } = renderApp('/');
    await user.type(await screen.findByLabelText('Email'), 'ann@example.com{Enter}');
    await screen.findAllByLabelText(/^Digit \d of 6$/u);
    return async () => {
      await user.keyboard('123456');
      await waitFor(() => expect(server.callsOf(validateCode)).toHaveLength(1));
      return server.callsOf(validateCode)[0]?.body;
    };
  };

  it('sends the name of the place if that is switched on', async () => {
    localStorage.setItem('engram-location', 'on');
    const browser = stubGeolocation('granted');
    const enterCode = await signIn();
    await waitFor(() => expect(browser.requests).toHaveLength(1));
    browser.allow();
    await waitFor(() => expect(server.callsOf(nameLocation)).toHaveLength(1));
    const query = Object.fromEntries(server.callsOf(nameLocation)[0]?.query ?? []);
    expect(query).toEqual({ lat: '38.72', lon: '-9.14' });
    expect(await enterCode()).toMatchObject({ location: 'Lisbon, Portugal' });
  });

  it('sends no location otherwise, and does not ask the browser', async () => {
    const browser = stubGeolocation('granted');
    const enterCode = await signIn();
    expect(await enterCode()).toMatchObject({ location: null });
    expect(browser.requests).toHaveLength(0);
    expect(server.callsOf(nameLocation)).toHaveLength(0);
  });
});

describe('a question in the history', () => {
  it.each([
    ['Windows', LISBON, 'Asked on Windows · Lisbon, Portugal'],
    ['Unknown Device', LISBON, 'Asked in Lisbon, Portugal'],
    ['iPhone', null, 'Asked on iPhone'],
  ])('asked on %s', async (device, position, text) => {
    show(
      <AskedFrom
        device={device}
        latitude={position?.latitude ?? null}
        longitude={position?.longitude ?? null}
      />,
    );
    expect(await screen.findByText(text)).toBeTruthy();
  });

  it('shows its place beside its answer', async () => {
    sessionStorage.setItem('authToken', 'a-token');
    const entry = historyEntry(1, { device: 'iPad', ...LISBON });
    server.on(listThreads, () => []).on(historyThread, () => [entry]);
    renderApp(`/history?entry=${entry.id}`);
    expect(await screen.findByText('Asked on iPad · Lisbon, Portugal')).toBeTruthy();
    expect(await screen.findByRole('heading', { name: entry.searchText })).toBeTruthy();
  });

  it('shows only the device if the place has no name', async () => {
    server.on(nameLocation, () => new Refusal(429, 'Too many places were asked for.'));
    show(<AskedFrom device="Android" {...LISBON} />);
    await waitFor(() => expect(server.callsOf(nameLocation)).toHaveLength(1));
    expect(screen.getByText('Asked on Android')).toBeTruthy();
  });

  it('shows nothing if both are unknown', () => {
    show(<AskedFrom device={null} latitude={null} longitude={null} />);
    expect(document.querySelector('p')).toBeNull();
    expect(server.callsOf(nameLocation)).toHaveLength(0);
  });
});
