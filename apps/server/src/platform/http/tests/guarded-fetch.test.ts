import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo, LookupFunction } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { createGuardedFetch, type GuardedFetchOptions } from '../guarded-fetch.ts';

/** Addresses of a server on the internet and of one in the private network. */
const PUBLIC = '127.0.0.2';
const PRIVATE = '127.0.0.1';

const servers: Server[] = [];
const requests: string[] = [];
let port = 0;

beforeAll(async () => {
  const server = createServer((request, response) => {
    const { localAddress: address = '' } = request.socket;
    requests.push(`${address} ${request.url}`);
    response.setHeader('connection', 'close');
    if (request.url === '/away') {
      response.writeHead(302, { location: `http://${PRIVATE}:${port}/admin` });
    }
    response.end(address);
  });
  // One server for both addresses, because a port may be free at only one of them.
  server.listen(0, '0.0.0.0');
  await once(server, 'listening');
  ({ port } = server.address() as AddressInfo);
  servers.push(server);
});
afterAll(() => {
  for (const server of servers) server.close();
});
beforeEach(() => void (requests.length = 0));

/** A fetch whose name server returns these answers in order. */
const fetchBy = (...answers: string[][]) => fetchWith({}, ...answers);

function fetchWith(options: GuardedFetchOptions, ...answers: string[][]) {
  const lookups: string[] = [];
  const lookup: LookupFunction = (hostname, _options, callback) => {
    lookups.push(hostname);
    const addresses = answers.shift() ?? [];
    callback(
      null,
      addresses.map((address) => ({ address, family: 4 })),
    );
  };
  return { lookups, fetch: createGuardedFetch({ allow: [PUBLIC], lookup, ...options }) };
}

test('the connection goes to the address that was checked, and the name is resolved once', async () => {
  const { lookups, fetch } = fetchBy([PUBLIC], [PRIVATE]);
  const photo = `http://photos.example:${port}/photo`;
  expect(await (await fetch(photo)).text()).toBe(PUBLIC);
  expect(lookups).toEqual(['photos.example']);
  await expect(fetch(photo)).rejects.toThrow('fetch failed');
  expect(requests).toEqual([`${PUBLIC} /photo`]);
});

test('no connection is opened if one address of a name is blocked, or the name has no address', async () => {
  for (const addresses of [[PRIVATE], [PUBLIC, PRIVATE], []]) {
    await expect(fetchBy(addresses).fetch(`http://photos.example:${port}/`)).rejects.toThrow(
      'fetch failed',
    );
  }
  expect(requests).toEqual([]);
});

test('an IP address in a URL is checked', async () => {
  const { lookups, fetch } = fetchBy();
  for (const host of [PRIVATE, '[::1]', '2130706433', '0x7f.1']) {
    await expect(fetch(`http://${host}:${port}/`)).rejects.toThrow('not on the open internet');
  }
  expect((await fetch(`http://${PUBLIC}:${port}/`)).status).toBe(200);
  expect([lookups, requests]).toEqual([[], [`${PUBLIC} /`]]);
});

test('a redirect to a blocked address is not followed', async () => {
  const { fetch } = fetchBy([PUBLIC]);
  await expect(fetch(`http://photos.example:${port}/away`)).rejects.toThrow('fetch failed');
  expect(requests).toEqual([`${PUBLIC} /away`]);
});

test('private addresses that the setting names by host or range are allowed, and no others', async () => {
  const byHost = fetchWith({ allow: ['photos.lan'] }, [PRIVATE], [PRIVATE]);
  expect((await byHost.fetch(`http://photos.lan:${port}/`)).status).toBe(200);
  await expect(byHost.fetch(`http://other.lan:${port}/`)).rejects.toThrow('fetch failed');
  const byRange = fetchWith({ allow: ['127.0.0.0/31', 'fd00::/8'] }, [PRIVATE]);
  expect((await byRange.fetch(`http://other.lan:${port}/`)).status).toBe(200);
  await expect(byRange.fetch(`http://${PUBLIC}:${port}/`)).rejects.toThrow(
    'not on the open internet',
  );
});

test('the origin that the operator configured is allowed, and redirects to other origins are not', async () => {
  const configured = [`http://${PUBLIC}:${port}/feed`];
  const { fetch } = fetchWith({ allow: [], configured });
  expect((await fetch(`http://${PUBLIC}:${port}/feed`)).status).toBe(200);
  await expect(fetch(`http://${PUBLIC}:${port}/away`)).rejects.toThrow('fetch failed');
  expect(requests).toEqual([`${PUBLIC} /feed`, `${PUBLIC} /away`]);
});

test('the proxy of the environment is used only if requested', async () => {
  const proxied: string[] = [];
  const proxy = createServer((request, response) => {
    proxied.push(request.url ?? '');
    response.setHeader('connection', 'close');
    response.end('from the proxy');
  });
  proxy.listen(0, PRIVATE);
  await once(proxy, 'listening');
  servers.push(proxy);
  vi.stubEnv('HTTP_PROXY', `http://${PRIVATE}:${(proxy.address() as AddressInfo).port}`);
  const address = 'http://hub.example/model';
  const response = await createGuardedFetch({ usesProxy: true })(address);
  expect(await response.text()).toBe('from the proxy');
  await expect(fetchBy([PRIVATE]).fetch(address)).rejects.toThrow('fetch failed');
  vi.unstubAllEnvs();
  expect(proxied).toEqual([address]);
});
