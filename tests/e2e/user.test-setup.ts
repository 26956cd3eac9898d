import { type Client, createClient, type UploadFile } from '@engram/client';
import { searchReady, updateProfile, uploadArtifacts } from '@engram/contract';
import type { Browser, BrowserContextOptions, ConsoleMessage, Page } from 'playwright-core';
import { expect, vi } from 'vitest';
import { type Engram, signIn } from './engram.ts';

/** Resolves when all files of a user are processed. */
const waitUntilProcessed = (client: Client): Promise<void> =>
  vi.waitFor(async () => expect((await client.call(searchReady, {})).data).toBe(true), {
    timeout: 180_000,
    interval: 100,
  });

/** Uploads files and waits until they are searchable. */
export async function uploadAndWait(
  client: Client,
  files: readonly UploadFile[],
  fields: Record<string, string> = {},
): Promise<void> {
  await client.upload(uploadArtifacts, files, fields);
  await waitUntilProcessed(client);
}

/** Creates a user who has accepted the terms and has searchable files. */
export async function startUser(engram: Engram, email: string, files: readonly UploadFile[]) {
  const token = await signIn(engram, email);
  const client = createClient({ baseUrl: `${engram.url}/v1`, token: () => token });
  await client.call(updateProfile, { body: { isAgreedTerms: true } });
  await uploadAndWait(client, files);

  return {
    client,

    /** Resolves when all files of the user are processed. */
    settled: () => waitUntilProcessed(client),

    /** Opens a page in which the user is signed in, and collects its errors. */
    openPage: (browser: Browser, problems: string[], options?: BrowserContextOptions) =>
      openSignedIn(browser, token, problems, options),
  };
}

/** Opens a page in its own context, signed in with a token, and collects its errors. */
export async function openSignedIn(
  browser: Browser,
  token: string,
  problems: string[],
  options: BrowserContextOptions = {},
): Promise<Page> {
  const context = await browser.newContext({ serviceWorkers: 'block', ...options });
  await context.addInitScript(
    (session) => {
      for (const [key, value] of Object.entries(session)) sessionStorage.setItem(key, value);
    },
    { authToken: token, a_exist: 'true', q_exits: 'false' },
  );
  const page = await context.newPage();
  collectProblems(page, problems);
  return page;
}

/** Runs in the page: a sound starts again at its end, so that a slow test does not miss it. */
export const LOOP_SOUNDS = `{
  const { play } = HTMLMediaElement.prototype;
  HTMLMediaElement.prototype.play = function () {
    this.loop = true;
    return play.call(this);
  };
}`;

/** Records the main headings of a page, some of which are shown for a moment only. */
export const recordHeadings = (page: Page): Promise<unknown> =>
  page.addInitScript(`
    window.headings = new Set();
    new MutationObserver(() => window.headings.add(document.querySelector('h1')?.textContent))
      .observe(document, { childList: true, characterData: true, subtree: true });
  `);

/** Waits until a page with {@link recordHeadings} has shown a heading since it was loaded. */
export async function waitForPassingHeading(page: Page, heading: string): Promise<void> {
  await expect.poll(() => page.evaluate('[...window.headings]')).toContain(heading);
}

/** Records the script errors of a page and the relevant errors of the browser. */
export function collectProblems(
  page: Page,
  problems: string[],
  counts: (message: ConsoleMessage) => boolean = () => true,
): void {
  page.on('pageerror', (error) => problems.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error' && counts(message)) problems.push(message.text());
  });
}
