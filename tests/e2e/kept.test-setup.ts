import type { Page } from 'playwright-core';

interface Kept {
  /** Of everything in the browser's caches. */
  addresses: string[];
  databases: string[];
}

/** What this browser keeps of the app. */
export const keptIn = (page: Page): Promise<Kept> =>
  page.evaluate(`(async () => {
    const names = await caches.keys();
    const kept = await Promise.all(names.map(async (name) => (await caches.open(name)).keys()));
    const databases = await indexedDB.databases();
    return {
      addresses: kept.flat().map(({ url }) => new URL(url).pathname),
      databases: databases.map(({ name }) => name),
    };
  })()`);

/** Of the assets that a server's worker is to keep, those that this browser does not have yet. */
export async function notKeptYet(page: Page, origin: string): Promise<string[]> {
  const worker = await (await fetch(`${origin}/service-worker.js`)).text();
  const { addresses } = await keptIn(page);
  const assets = new Set(worker.match(/\/assets\/[\w.-]+/gu));
  return [...assets].filter((file) => !addresses.includes(file));
}
