import type { Page } from 'playwright-core';

interface BrowserStorage {
  /** The addresses in the browser's caches. */
  addresses: string[];
  databases: string[];
}

/** The parts of the app that this browser has cached. */
export const storageOf = (page: Page): Promise<BrowserStorage> =>
  page.evaluate(`(async () => {
    const names = await caches.keys();
    const kept = await Promise.all(names.map(async (name) => (await caches.open(name)).keys()));
    const databases = await indexedDB.databases();
    return {
      addresses: kept.flat().map(({ url }) => new URL(url).pathname),
      databases: databases.map(({ name }) => name),
    };
  })()`);

/** The assets that the worker has yet to cache in this browser. */
export async function missingAssets(page: Page, origin: string): Promise<string[]> {
  const worker = await (await fetch(`${origin}/service-worker.js`)).text();
  const { addresses } = await storageOf(page);
  const assets = new Set(worker.match(/\/assets\/[\w.-]+/gu));
  return [...assets].filter((file) => !addresses.includes(file));
}

/** The object stores of what has not been uploaded. */
export const UNSENT_FILES = { database: 'engram-unsent', store: 'files' };
export const SHARED_ITEMS = { database: 'engram-share-inbox', store: 'items' };

/** Calls a method of an existing object store in the page, and returns its result. */
export const callStore = (
  page: Page,
  { database, store }: { database: string; store: string },
  method: 'count' | 'clear',
): Promise<unknown> =>
  page.evaluate(`new Promise((resolve, reject) => {
    const opening = indexedDB.open('${database}');
    opening.onerror = () => reject(opening.error);
    opening.onsuccess = () => {
      const request = opening.result.transaction('${store}', 'readwrite').objectStore('${store}').${method}();
      request.onsuccess = () => {
        opening.result.close();
        resolve(request.result);
      };
    };
  })`);
