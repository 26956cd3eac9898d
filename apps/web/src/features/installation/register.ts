import { createStore } from '../../browser/store.ts';
import { onFirstInteraction, whenIdle } from '../../browser/when-idle.ts';

const CHECK_INTERVAL_MS = 3_600_000;

/** A newer installed version, which a reload activates. */
export const newVersion = createStore<ServiceWorker | null>(null);

type Message = 'which-build' | 'keep-the-rest' | 'take-over';

const send = (worker: ServiceWorker, message: Message, ports: MessagePort[] = []): void =>
  worker.postMessage(message, ports);

export function reloadIntoNewVersion(): void {
  const worker = newVersion.get();
  // Another window may have activated it already.
  if (worker?.state !== 'installed') return location.reload();
  navigator.serviceWorker.addEventListener('controllerchange', () => location.reload(), {
    once: true,
  });
  send(worker, 'take-over');
}

const buildOf = (worker: ServiceWorker): Promise<unknown> =>
  new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.addEventListener('message', ({ data }) => {
      port1.close();
      resolve(data);
    });
    port1.start();
    send(worker, 'which-build', [port2]);
  });

const pageBuild = (): string | undefined => {
  const script = document.querySelector<HTMLScriptElement>('script[type="module"][src]');
  return script ? new URL(script.src).pathname : undefined;
};

async function offerVersion(worker: ServiceWorker): Promise<void> {
  // Without an earlier worker, this page already has the newest version.
  if (!navigator.serviceWorker.controller || worker.state !== 'installed') return;
  // A page from the network is new already. Its worker waits until all windows are closed.
  if ((await buildOf(worker)) !== pageBuild()) newVersion.set(worker);
}

function watchForUpdates(registration: ServiceWorkerRegistration): void {
  const watchWorker = (worker: ServiceWorker | null): void => {
    if (!worker) return;
    void offerVersion(worker);
    worker.addEventListener('statechange', () => void offerVersion(worker));
  };
  watchWorker(registration.waiting);
  watchWorker(registration.installing);
  registration.addEventListener('updatefound', () => watchWorker(registration.installing));
  let checked = Date.now();
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState !== 'visible' || Date.now() - checked < CHECK_INTERVAL_MS) return;
    checked = Date.now();
    registration.update().catch(() => undefined);
  });
}

/**
 * Has the worker cache everything that the app needs offline. On the first visit this waits until the
 * user interacts or leaves, so that a quick look at a page loads only that page.
 */
function cacheRest(isFirstVisit: boolean): void {
  const requestCaching = async (): Promise<void> => {
    const { active } = await navigator.serviceWorker.ready;
    if (active) send(active, 'keep-the-rest');
  };
  if (!isFirstVisit) return void requestCaching();
  onFirstInteraction(() => whenIdle(() => void requestCaching()));
  const leaving = new AbortController();
  const { signal } = leaving;
  document.addEventListener(
    'visibilitychange',
    () => {
      // A page that was opened in the background becomes visible first.
      if (document.visibilityState !== 'hidden') return;
      leaving.abort();
      void requestCaching();
    },
    { signal },
  );
}

let registering: Promise<ServiceWorkerRegistration> | null = null;

/**
 * Registers the service worker and watches for new versions. Browsers allow it only on https and
 * localhost.
 */
export async function registerServiceWorker(): Promise<void> {
  if (!('serviceWorker' in navigator)) return;
  const isFirstVisit = !navigator.serviceWorker.controller;
  registering ??= navigator.serviceWorker
    .register('/service-worker.js', { updateViaCache: 'none' })
    .then((registration) => {
      watchForUpdates(registration);
      cacheRest(isFirstVisit);
      return registration;
    });
  try {
    await registering;
  } catch {
    // The app works without it, and the next visit tries again.
    registering = null;
  }
}
