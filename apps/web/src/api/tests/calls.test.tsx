import { endDevice, getArtifactText, listDevices, listEmails, logout } from '@engram/contract';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act, renderHook, waitFor } from '@testing-library/react';
import type { ReactNode } from 'react';
import { beforeEach, expect, it } from 'vitest';
import { Refusal, startFakeServer, type FakeServer } from '../../tests/fake-server.test-setup.ts';
import type { Routes } from '../keys.ts';
import { useAction } from '../use-action.ts';
import { useCall } from '../use-call.ts';
import { usePages } from '../use-pages.ts';

const id = '0198a000-0000-7000-8000-000000000001';
const text = (name: string) => ({ params: { artifactId: name } });

let server: FakeServer;
beforeEach(() => {
  server = startFakeServer();
  server.on(getArtifactText, ({ params }) => `Text of ${params['artifactId']}`);
  server.on(listDevices, () => []);
});

const textCalls = (): number => server.callsOf(getArtifactText).length;

/** Renders a hook with an empty cache in which nothing becomes stale with time. */
function renderCalls<T>(hook: () => T) {
  const client = new QueryClient({
    defaultOptions: { queries: { staleTime: Infinity, retry: false } },
  });
  const wrapper = ({ children }: { children: ReactNode }) => (
    <QueryClientProvider client={client}>{children}</QueryClientProvider>
  );
  return renderHook(hook, { wrapper }).result;
}

it('components with the same input share one request, and another input has its own', async () => {
  const shown = renderCalls(() =>
    ['a', 'a', 'b'].map((name) => useCall(getArtifactText, text(name)).data),
  );
  await waitFor(() => expect(shown.current).toEqual(['Text of a', 'Text of a', 'Text of b']));
  expect(textCalls()).toBe(2);
});

it('no request is made while the input is null', async () => {
  const shown = renderCalls(() => [useCall(getArtifactText, null), useCall(listDevices, {})]);
  await waitFor(() => expect(shown.current[1]?.data).toEqual([]));
  expect(shown.current[0]?.isPending).toBe(true);
  expect(textCalls()).toBe(0);
});

it.each<[string, Routes[], number]>([
  ['the route', [getArtifactText], 2],
  ['its group', ['artifacts'], 2],
  ['other routes', [listDevices, 'history'], 1],
])(
  'after an action that invalidates %s, the text has been requested %s times',
  async (_, invalidates, times) => {
    server.on(logout, () => null);
    const shown = renderCalls(() => ({
      text: useCall(getArtifactText, text(id)),
      act: useAction(logout, { invalidates }),
    }));
    await waitFor(() => expect(shown.current.text.isSuccess).toBe(true));
    await act(() => shown.current.act.mutateAsync({}));
    expect(textCalls()).toBe(times);
  },
);

it('a failed action leaves the cache unchanged, except for queries that it always reloads', async () => {
  server.on(endDevice, () => new Refusal(503, 'Try again later.'));
  const shown = renderCalls(() => ({
    text: useCall(getArtifactText, text(id)),
    devices: useCall(listDevices, {}),
    end: useAction(endDevice, {
      invalidates: ['artifacts'],
      invalidatesAlways: [listDevices],
      acceptMissing: true,
    }),
  }));
  await waitFor(() => expect(shown.current.text.isSuccess).toBe(true));
  act(() => shown.current.end.mutate({ params: { id } }));
  await waitFor(() => expect(server.callsOf(listDevices)).toHaveLength(2));
  expect(shown.current.end.error?.message).toBe('Try again later.');
  expect(textCalls()).toBe(1);
});

it('removing a missing item succeeds if the action allows that', async () => {
  server.on(endDevice, () => new Refusal(404, 'There is no such device.'));
  const shown = renderCalls(() => [
    useAction(endDevice, { acceptMissing: true }),
    useAction(endDevice),
  ]);
  act(() => shown.current.forEach(({ mutate }) => mutate({ params: { id } })));
  await waitFor(() =>
    expect(shown.current.map(({ status }) => status)).toEqual(['success', 'error']),
  );
});

it('a list is loaded page by page', async () => {
  server.on(
    listEmails,
    () => [{ id, email: 'ann@example.com' }],
    ({ query }) => ({ total: 2, nextCursor: query.has('cursor') ? null : 'next' }),
  );
  const shown = renderCalls(() => usePages(listEmails, {}, { pageSize: 1 }));
  await waitFor(() => expect(shown.current.hasNextPage).toBe(true));
  await act(() => shown.current.fetchNextPage());
  await waitFor(() => expect(shown.current.data?.rows).toHaveLength(2));
  expect(server.callsOf(listEmails).map(({ query }) => String(query))).toEqual([
    'limit=1',
    'limit=1&cursor=next',
  ]);
  expect(shown.current).toMatchObject({ data: { total: 2 }, hasNextPage: false });
});
