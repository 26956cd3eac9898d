/** What one build of the app consists of, as far as it has to be there without a network. */
export interface Build {
  /** Changes with anything that is kept. */
  version: string;
  /** The script that the page begins with; it tells which build a page runs. */
  entry: string;
  /** Files whose names change with their content. */
  assets: readonly string[];
  /** Files that keep their names. */
  files: readonly string[];
}

/** Begins the name of every cache of the shell. */
export const SHELL_CACHES = 'engram-shell-';

/** The address that the page is kept under; every page of the app is this one document. */
export const PAGE = '/search';

/** How long the network may take before the kept copy is shown, in milliseconds. */
const PATIENCE_MS = 3000;

const inTime = <T>(promise: Promise<T>, ms: number): Promise<T | null> =>
  new Promise((resolve) => {
    const timer = setTimeout(() => resolve(null), ms);
    promise.then(resolve, () => resolve(null)).finally(() => clearTimeout(timer));
  });

async function keep(
  cache: Cache,
  names: readonly string[],
  mode: RequestCache,
  load: typeof fetch,
): Promise<void> {
  for (const name of names) {
    const answer = await load(name, { cache: mode, priority: 'low' });
    if (!answer.ok) throw new Error(`${name} could not be kept.`);
    await cache.put(name, answer);
  }
}

/**
 * Keeps the page and the files that are asked for anew each time. The assets that a page has loaded
 * are in the browser's own cache until {@link keepAssets} takes them over.
 */
export async function keepPage(cache: Cache, build: Build, load = fetch): Promise<void> {
  const page = await load(PAGE, { cache: 'no-cache' });
  // Between two versions of the server, the page and this list could differ.
  if (!page.ok || page.redirected || !(await page.clone().text()).includes(build.entry)) {
    throw new Error('The page belongs to another build.');
  }
  await cache.put(PAGE, page);
  await keep(cache, build.files, 'no-cache', load);
}

/** Keeps the assets not kept yet, one after the other: nobody waits for them, and others use the network. */
export async function keepAssets(cache: Cache, build: Build, load = fetch): Promise<void> {
  const kept = new Set((await cache.keys()).map(({ url }) => new URL(url).pathname));
  const missing = build.assets.filter((name) => !kept.has(name));
  await keep(cache, missing, 'default', load);
}

/**
 * The network's answer as long as it comes in time and from a server that works, else the kept one.
 * Without a kept one it is whatever the network brings.
 */
export async function networkFirst(
  network: Promise<Response>,
  kept: () => Promise<Response | undefined>,
  patienceMs = PATIENCE_MS,
): Promise<Response> {
  const answer = await inTime(network, patienceMs);
  if (answer && answer.status < 500) return answer;
  return (await kept()) ?? answer ?? network;
}

/** The kept answer; what was not kept is fetched, and kept when it is good. */
export async function keptFirst(
  cache: Cache,
  request: Request,
  whileAlive: (work: Promise<void>) => void,
  load: (request: Request) => Promise<Response> = fetch,
): Promise<Response> {
  const kept = await cache.match(request, { ignoreVary: true });
  if (kept) return kept;
  const answer = await load(request);
  if (answer.status === 200) {
    // A full disk only means that it is fetched again next time.
    whileAlive(cache.put(request, answer.clone()).catch(() => undefined));
  }
  return answer;
}

/** What a request is, for a worker that touches nothing but the shell. */
export function kindOf(
  request: Pick<Request, 'method' | 'mode' | 'url'>,
  origin: string,
  files: readonly string[],
): 'share' | 'authorization' | 'page' | 'asset' | 'file' | 'other' {
  const { origin: of, pathname } = new URL(request.url);
  if (of !== origin || /^\/(?:v1|\.well-known)(?:\/|$)/u.test(pathname)) return 'other';
  if (pathname.startsWith('/oauth/')) {
    return request.method === 'GET' && request.mode === 'navigate' ? 'authorization' : 'other';
  }
  if (request.method === 'POST' && request.mode === 'navigate' && pathname === '/share') {
    return 'share';
  }
  if (request.method !== 'GET') return 'other';
  if (pathname.startsWith('/assets/')) return 'asset';
  if (files.includes(pathname)) return 'file';
  // Addresses of pages have no ending; whatever has one is a file of its own.
  return request.mode === 'navigate' && !/\.\w+$/u.test(pathname) ? 'page' : 'other';
}
