import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createGuardedFetch } from '../../../platform/http/guarded-fetch.ts';
import { createManualClock } from '../../../platform/tests/clock.test-setup.ts';
import { sendWebhook } from '../send-webhook.ts';
import { answer, endless, type Receiver, silence, startReceiver } from './receiver.test-setup.ts';

let receiver: Receiver;
beforeEach(async () => {
  receiver = await startReceiver();
});
afterEach(() => receiver.close());

const send = (
  url: string,
  { clock = createManualClock(), signal = new AbortController().signal } = {},
) =>
  sendWebhook(
    { url, id: 'one', sentAt: new Date(), body: '{}', secrets: [Buffer.from('secret')] },
    { fetch: createGuardedFetch({ allow: ['127.0.0.1'] }), clock, userAgent: 'Engram/1' },
    signal,
  );

test('an attempt ends after ten seconds without a response', async () => {
  receiver.behave(silence);
  const clock = createManualClock();
  const sending = send(receiver.url, { clock });
  await receiver.received(1);
  clock.pass(10_000);
  const { host } = new URL(receiver.url);
  expect(await sending).toEqual({
    status: null,
    error: `${host} did not respond within 10 seconds.`,
  });
});

test('the body of a response is not read, however long it is', async () => {
  receiver.behave(endless);
  expect(await send(receiver.url)).toEqual({ status: 200, error: null });
});

test('a redirect is not followed', async () => {
  receiver.behave(answer(307, { location: `${receiver.url}/elsewhere` }));
  expect(await send(`${receiver.url}/first`)).toEqual({
    status: 307,
    error: 'Engram does not follow redirects.',
  });
  expect(receiver.requests.map(({ path }) => path)).toEqual(['/first']);
});

test('nothing is sent to an address outside the public internet', async () => {
  expect(await send('https://10.0.0.1/hook')).toEqual({
    status: null,
    error: '10.0.0.1 is not on the public internet, so Engram sends nothing to it.',
  });
});

test('a server that is not running is reported with the reason', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  expect(await send(`http://127.0.0.1:${port}/`)).toEqual({
    status: null,
    error: `127.0.0.1:${port} cannot be reached (ECONNREFUSED).`,
  });
});

test('an attempt ends when its job is aborted', async () => {
  receiver.behave(silence);
  const stop = new AbortController();
  const sending = send(receiver.url, { signal: stop.signal });
  await receiver.received(1);
  stop.abort();
  expect((await sending).status).toBeNull();
});
