export interface Build {
  /** Changes whenever a cached file changes. */
  version: string;
  /** The entry script of the page, which identifies its build. */
  entry: string;
  assets: readonly string[];
  files: readonly string[];
}

export const SHELL_CACHES = 'engram-shell-';

/** The cache key of the document, which is the same for all pages. */
export const PAGE = '/search';

/** Milliseconds to wait for the network before the cached copy is used. */
const NETWORK_TIMEOUT_MS = 3000;

const withTimeout = <T>(promise: Promise<T>, ms: number): Promise<T | null> =>
  new Promise((resolve) => {
    const timer = setTimeout(() => resolve(null), ms);
    promise.then(resolve, () => resolve(null)).finally(() => clearTimeout(timer));
  });

async function store(
  cache: Cache,
  names: readonly string[],
  mode: RequestCache,
  load: typeof fetch,
): Promise<void> {
  for (const name of names) {
    const response = await load(name, { cache: mode, priority: 'low' });
    if (!response.ok) throw new Error(`${name} could not be cached.`);
    await cache.put(name, response);
  }
}

/**
 * Caches the page and the files with constant names. Loaded assets are in the browser's HTTP cache until
 * {@link cacheAssets} caches them.
 */
export async function cachePage(cache: Cache, build: Build, load = fetch): Promise<void> {
  const page = await load(PAGE, { cache: 'no-cache' });
  // During an update of the server, the page and this list may differ.
  if (!page.ok || page.redirected || !(await page.clone().text()).includes(build.entry)) {
    throw new Error('The page belongs to another build.');
  }
  await cache.put(PAGE, page);
  await store(cache, build.files, 'no-cache', load);
}

/** Caches the missing assets one by one, so that they do not delay other requests. */
export async function cacheAssets(cache: Cache, build: Build, load = fetch): Promise<void> {
  const cached = new Set((await cache.keys()).map(({ url }) => new URL(url).pathname));
  const missing = build.assets.filter((name) => !cached.has(name));
  await store(cache, missing, 'default', load);
}

/**
 * The network's response if it arrives in time from a working server, else the cached one. Without a
 * cached response, any response of the network.
 */
export async function networkFirst(
  network: Promise<Response>,
  cached: () => Promise<Response | undefined>,
  timeoutMs = NETWORK_TIMEOUT_MS,
): Promise<Response> {
  const response = await withTimeout(network, timeoutMs);
  if (response && response.status < 500) return response;
  return (await cached()) ?? response ?? network;
}

/** The cached response. Other requests are fetched, and cached on success. */
export async function cacheFirst(
  cache: Cache,
  request: Request,
  whileAlive: (promise: Promise<void>) => void,
  load: (request: Request) => Promise<Response> = fetch,
): Promise<Response> {
  const cached = await cache.match(request, { ignoreVary: true });
  if (cached) return cached;
  const response = await load(request);
  if (response.status === 200) {
    // If the storage is full, it is fetched again next time.
    whileAlive(cache.put(request, response.clone()).catch(() => undefined));
  }
  return response;
}

/** Classifies a request. The worker handles only the shell. */
export function kindOf(
  request: Pick<Request, 'method' | 'mode' | 'url'>,
  origin: string,
  files: readonly string[],
): 'share' | 'authorization' | 'page' | 'asset' | 'file' | 'other' {
  const { origin: requestOrigin, pathname } = new URL(request.url);
  if (requestOrigin !== origin || /^\/(?:v1|\.well-known)(?:\/|$)/u.test(pathname)) return 'other';
  if (pathname.startsWith('/oauth/')) {
    return request.method === 'GET' && request.mode === 'navigate' ? 'authorization' : 'other';
  }
  if (request.method === 'POST' && request.mode === 'navigate' && pathname === '/share') {
    return 'share';
  }
  if (request.method !== 'GET') return 'other';
  if (pathname.startsWith('/assets/')) return 'asset';
  if (files.includes(pathname)) return 'file';
  // Page addresses have no file extension.
  return request.mode === 'navigate' && !/\.\w+$/u.test(pathname) ? 'page' : 'other';
}
