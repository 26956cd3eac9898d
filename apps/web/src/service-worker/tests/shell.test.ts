import { expect, it } from 'vitest';
import { cacheAssets, cachePage, cacheFirst, kindOf, networkFirst, type Build } from '../shell.ts';

const ORIGIN = 'https://engram.test';
const FILES = ['/icon.svg'];

/** A cache in memory, with the methods that the shell uses. */
class MemoryCache {
  readonly answers = new Map<string, Response>();
  full = false;
  put = async (key: RequestInfo | URL, answer: Response): Promise<void> => {
    if (this.full) throw new DOMException('No room.', 'QuotaExceededError');
    this.answers.set(key instanceof Request ? key.url : String(key), answer);
  };
  match = async (key: RequestInfo | URL): Promise<Response | undefined> =>
    this.answers.get(key instanceof Request ? key.url : String(key))?.clone();
  keys = async (): Promise<Request[]> =>
    [...this.answers.keys()].map((key) => new Request(new URL(key, ORIGIN)));
}

const cacheOf = (memory: MemoryCache): Cache => memory as unknown as Cache;

it.each([
  ['GET', 'navigate', '/search', 'page'],
  ['GET', 'navigate', '/', 'page'],
  ['GET', 'navigate', '/shared/abc?x=1', 'page'],
  ['GET', 'cors', '/assets/index-a1.js', 'asset'],
  ['GET', 'no-cors', '/icon.svg', 'file'],
  ['POST', 'navigate', '/share', 'share'],
  ['POST', 'cors', '/share', 'other'],
  ['POST', 'navigate', '/search', 'other'],
  ['GET', 'cors', '/search', 'other'],
  ['GET', 'navigate', '/demo/clip.mp4', 'other'],
  ['GET', 'navigate', '/v1', 'other'],
  ['GET', 'navigate', '/oauth/authorize?client_id=a', 'authorization'],
  ['GET', 'cors', '/oauth/authorize', 'other'],
  ['GET', 'navigate', '/v1/files/a?signature=b', 'other'],
  ['POST', 'cors', '/v1/search', 'other'],
])('the request %s %s %s is %s', (method, mode, address, kind) => {
  const request = { method, mode: mode as RequestMode, url: ORIGIN + address };
  expect(kindOf(request, ORIGIN, FILES)).toBe(kind);
});

it('requests to other sites are not handled', () => {
  const request = { method: 'GET', mode: 'cors' as const, url: 'https://other.test/assets/a.js' };
  expect(kindOf(request, ORIGIN, FILES)).toBe('other');
});

const cached = async () => new Response('kept');
const textOf = async (answer: Promise<Response>) => (await answer).text();

it('a page is loaded from the network, even if the response is an error', async () => {
  const networkResponse = async () => new Response('fresh', { status: 404 });
  expect(await textOf(networkFirst(networkResponse(), cached))).toBe('fresh');
});

it.each<[string, () => Promise<Response>]>([
  ['there is no network', async () => Promise.reject(new TypeError('Failed to fetch'))],
  ['the server fails', async () => new Response('', { status: 502 })],
  ['the network takes too long', () => new Promise<Response>(() => undefined)],
])('the cached page is shown when %s', async (_, network) => {
  expect(await textOf(networkFirst(network(), cached, 1))).toBe('kept');
});

it('a failure without a cached page is passed on', async () => {
  const noResponse = async () => undefined;
  await expect(networkFirst(Promise.reject(new TypeError('gone')), noResponse)).rejects.toThrow(
    'gone',
  );
  const failed = Promise.resolve(new Response('', { status: 502 }));
  expect((await networkFirst(failed, noResponse)).status).toBe(502);
});

it('an asset is fetched once, and failures are not cached', async () => {
  const memory = new MemoryCache();
  const statuses = [404, 200];
  const load = async () => new Response('script', { status: statuses.shift() ?? 500 });
  const fetchAsset = async () => {
    const jobs: Promise<void>[] = [];
    const request = new Request(`${ORIGIN}/assets/a.js`);
    const answer = await cacheFirst(cacheOf(memory), request, (job) => jobs.push(job), load);
    await Promise.all(jobs);
    return answer.status;
  };
  expect([await fetchAsset(), await fetchAsset(), await fetchAsset()]).toEqual([404, 200, 200]);
});

it('a response is returned even if there is no space to cache it', async () => {
  const memory = Object.assign(new MemoryCache(), { full: true });
  const request = new Request(`${ORIGIN}/assets/a.js`);
  const load = async () => new Response('script');
  const jobs: Promise<void>[] = [];
  const answer = await cacheFirst(cacheOf(memory), request, (job) => jobs.push(job), load);
  expect(await answer.text()).toBe('script');
  await expect(Promise.all(jobs)).resolves.toBeTruthy();
});

const build: Build = {
  version: '1',
  entry: '/assets/index-1.js',
  assets: ['/assets/index-1.js', '/assets/search-1.js'],
  files: FILES,
};
const serve = (page: string, missing?: string) => async (address: RequestInfo | URL) =>
  String(address) === missing
    ? new Response('', { status: 404 })
    : new Response(String(address) === '/search' ? page : 'file');

it('the page is cached first, and then each asset once', async () => {
  const memory = new MemoryCache();
  const requests: string[] = [];
  const serving = serve('<script src="/assets/index-1.js">');
  const load = async (address: RequestInfo | URL) => {
    requests.push(String(address));
    return serving(address);
  };
  await cachePage(cacheOf(memory), build, load);
  expect(requests).toEqual(['/search', '/icon.svg']);
  await memory.put('/assets/index-1.js', new Response('kept while it was used'));
  await cacheAssets(cacheOf(memory), build, load);
  await cacheAssets(cacheOf(memory), build, load);
  expect(requests.slice(2)).toEqual(['/assets/search-1.js']);
  expect([...memory.answers.keys()]).toEqual(expect.arrayContaining([...build.assets]));
});

it.each([
  ['a page of another build', serve('<script src="/assets/index-2.js">')],
  ['a missing file', serve('<script src="/assets/index-1.js">', '/icon.svg')],
])('%s is not cached', async (_, load) => {
  const caching = cachePage(cacheOf(new MemoryCache()), build, load);
  await expect(caching).rejects.toThrow(/another build|could not be cached/u);
});

it('caching continues after a missing asset the next time', async () => {
  const memory = new MemoryCache();
  const caching = cacheAssets(cacheOf(memory), build, serve('', '/assets/search-1.js'));
  await expect(caching).rejects.toThrow('/assets/search-1.js could not be cached.');
  await cacheAssets(cacheOf(memory), build, serve(''));
  expect([...memory.answers.keys()]).toEqual([...build.assets]);
});
