import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo, LookupFunction } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { createGuardedFetch, type GuardedFetchOptions } from '../guarded-fetch.ts';

/** Addresses of a server on the internet and of one in the private network. */
const OPEN = '127.0.0.2';
const CLOSED = '127.0.0.1';

const servers: Server[] = [];
const reached: string[] = [];
let port = 0;

async function listen(address: string): Promise<void> {
  const server = createServer((request, response) => {
    reached.push(`${address} ${request.url}`);
    response.setHeader('connection', 'close');
    if (request.url === '/away') {
      response.writeHead(302, { location: `http://${CLOSED}:${port}/admin` });
    }
    response.end(address);
  });
  server.listen(port, address);
  await once(server, 'listening');
  ({ port } = server.address() as AddressInfo);
  servers.push(server);
}

beforeAll(async () => {
  await listen(OPEN);
  await listen(CLOSED);
});
afterAll(() => {
  for (const server of servers) server.close();
});
beforeEach(() => void (reached.length = 0));

/** A fetch whose name server returns these answers in order. */
const fetchBy = (...answers: string[][]) => fetchWith({}, ...answers);

function fetchWith(more: GuardedFetchOptions, ...answers: string[][]) {
  const lookups: string[] = [];
  const lookup: LookupFunction = (hostname, _options, callback) => {
    lookups.push(hostname);
    const found = answers.shift() ?? [];
    callback(
      null,
      found.map((address) => ({ address, family: 4 })),
    );
  };
  return { lookups, fetch: createGuardedFetch({ allow: [OPEN], lookup, ...more }) };
}

test('the connection goes to the address that was checked, and the name is resolved once', async () => {
  const { lookups, fetch } = fetchBy([OPEN], [CLOSED]);
  const photo = `http://photos.example:${port}/photo`;
  expect(await (await fetch(photo)).text()).toBe(OPEN);
  expect(lookups).toEqual(['photos.example']);
  await expect(fetch(photo)).rejects.toThrow('fetch failed');
  expect(reached).toEqual([`${OPEN} /photo`]);
});

test('no connection is opened if one address of a name is blocked, or the name has no address', async () => {
  for (const addresses of [[CLOSED], [OPEN, CLOSED], []]) {
    await expect(fetchBy(addresses).fetch(`http://photos.example:${port}/`)).rejects.toThrow(
      'fetch failed',
    );
  }
  expect(reached).toEqual([]);
});

test('an IP address in a URL is checked', async () => {
  const { lookups, fetch } = fetchBy();
  for (const host of [CLOSED, '[::1]', '2130706433', '0x7f.1']) {
    await expect(fetch(`http://${host}:${port}/`)).rejects.toThrow('not on the open internet');
  }
  expect((await fetch(`http://${OPEN}:${port}/`)).status).toBe(200);
  expect([lookups, reached]).toEqual([[], [`${OPEN} /`]]);
});

test('a redirect to a blocked address is not followed', async () => {
  const { fetch } = fetchBy([OPEN]);
  await expect(fetch(`http://photos.example:${port}/away`)).rejects.toThrow('fetch failed');
  expect(reached).toEqual([`${OPEN} /away`]);
});

test('private addresses that the setting names by host or range are allowed, and no others', async () => {
  const byHost = fetchWith({ allow: ['photos.lan'] }, [CLOSED], [CLOSED]);
  expect((await byHost.fetch(`http://photos.lan:${port}/`)).status).toBe(200);
  await expect(byHost.fetch(`http://other.lan:${port}/`)).rejects.toThrow('fetch failed');
  const byRange = fetchWith({ allow: ['127.0.0.0/31', 'fd00::/8'] }, [CLOSED]);
  expect((await byRange.fetch(`http://other.lan:${port}/`)).status).toBe(200);
  await expect(byRange.fetch(`http://${OPEN}:${port}/`)).rejects.toThrow(
    'not on the open internet',
  );
});

test('the origin that the operator configured is allowed, and redirects to other origins are not', async () => {
  const configured = [`http://${OPEN}:${port}/feed`];
  const { fetch } = fetchWith({ allow: [], configured });
  expect((await fetch(`http://${OPEN}:${port}/feed`)).status).toBe(200);
  await expect(fetch(`http://${OPEN}:${port}/away`)).rejects.toThrow('fetch failed');
  expect(reached).toEqual([`${OPEN} /feed`, `${OPEN} /away`]);
});

test('the proxy of the environment is used only where it is asked for', async () => {
  const proxied: string[] = [];
  const proxy = createServer((request, response) => {
    proxied.push(request.url ?? '');
    response.setHeader('connection', 'close');
    response.end('from the proxy');
  });
  proxy.listen(0, CLOSED);
  await once(proxy, 'listening');
  servers.push(proxy);
  vi.stubEnv('HTTP_PROXY', `http://${CLOSED}:${(proxy.address() as AddressInfo).port}`);
  const address = 'http://hub.example/model';
  const response = await createGuardedFetch({ usesProxy: true })(address);
  expect(await response.text()).toBe('from the proxy');
  await expect(fetchBy([CLOSED]).fetch(address)).rejects.toThrow('fetch failed');
  vi.unstubAllEnvs();
  expect(proxied).toEqual([address]);
});
