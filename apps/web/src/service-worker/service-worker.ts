import {
  cacheAssets,
  cachePage,
  cacheFirst,
  kindOf,
  networkFirst,
  PAGE,
  SHELL_CACHES,
  type Build,
} from './shell.ts';
import { storeShared } from '../features/installation/share-inbox.ts';

declare const self: ServiceWorkerGlobalScope;
declare const BUILD: Build;
const build = BUILD;

const shell = SHELL_CACHES + build.version;
const openShell = (): Promise<Cache> => caches.open(shell);
const cached = async (address: string): Promise<Response | undefined> =>
  (await openShell()).match(address, { ignoreVary: true });

/** Caches all of an update, but on the first visit only the page. The assets are cached after it has loaded. */
async function install(): Promise<void> {
  try {
    const cache = await openShell();
    await cachePage(cache, build);
    if (self.registration.active) await cacheAssets(cache, build);
  } catch (error) {
    await caches.delete(shell);
    throw error;
  }
}

self.addEventListener('install', (event) => event.waitUntil(install()));

let caching: Promise<void> | undefined;
/** Failed requests are repeated when needed, or on the next visit. */
const cacheRemaining = (): Promise<void> =>
  (caching ??= openShell()
    .then((cache) => cacheAssets(cache, build))
    .catch(() => undefined)
    .finally(() => (caching = undefined)));

async function takeOver(): Promise<void> {
  const names = await caches.keys();
  const old = names.filter((name) => name.startsWith(SHELL_CACHES) && name !== shell);
  await Promise.all(old.map((name) => caches.delete(name)));
  await self.registration.navigationPreload?.enable();
  await self.clients.claim();
}

self.addEventListener('activate', (event) => event.waitUntil(takeOver()));

const textOf = (form: FormData, name: string): string => {
  const value = form.get(name);
  return typeof value === 'string' ? value : '';
};

async function receiveShare(request: Request): Promise<Response> {
  const redirectTo = (path: string): Response =>
    Response.redirect(new URL(path, request.url).href, 303);
  let form: FormData;
  try {
    form = await request.formData();
  } catch {
    return redirectTo('/share/again');
  }
  const files = form.getAll('files').filter((value) => typeof value !== 'string');
  const content = {
    title: textOf(form, 'title'),
    text: textOf(form, 'text'),
    url: textOf(form, 'url'),
    // A form without a file sends an empty one without a name.
    files: files.filter((file) => file.name !== '' || file.size > 0),
  };
  if (content.files.length > 0 || content.title || content.text || content.url) {
    try {
      await storeShared(content, Date.now());
    } catch {
      return redirectTo('/share/again?because=room');
    }
  }
  return redirectTo('/share');
}

const loadPage = async (event: FetchEvent): Promise<Response> =>
  ((await event.preloadResponse) as Response | undefined) ?? fetch(event.request);

self.addEventListener('fetch', (event) => {
  const { request } = event;
  const kind = kindOf(request, self.location.origin, build.files);
  if (kind === 'share') event.respondWith(receiveShare(request));
  // The browser has preloaded it, so it must not be requested again.
  if (kind === 'authorization') event.respondWith(loadPage(event));
  if (kind === 'asset') {
    event.respondWith(
      openShell().then((cache) =>
        cacheFirst(cache, request, (promise) => event.waitUntil(promise)),
      ),
    );
  }
  if (kind === 'page' || kind === 'file') {
    const network = kind === 'page' ? loadPage(event) : fetch(request);
    const address = kind === 'page' ? PAGE : request.url;
    event.respondWith(networkFirst(network, () => cached(address)));
    event.waitUntil(network.catch(() => undefined));
  }
});

self.addEventListener('message', (event) => {
  if (event.data === 'which-build') event.ports[0]?.postMessage(build.entry);
  if (event.data === 'keep-the-rest') event.waitUntil(cacheRemaining());
  if (event.data === 'take-over') event.waitUntil(self.skipWaiting());
});
