import { type Client, createClient, type UploadFile } from '@engram/client';
import { searchReady, updateProfile, uploadArtifacts } from '@engram/contract';
import type { Browser, BrowserContextOptions, ConsoleMessage, Page } from 'playwright-core';
import { expect, vi } from 'vitest';
import { type Engram, signIn } from './engram.ts';

/** Resolves when all of somebody's files are read. */
const settle = (client: Client): Promise<void> =>
  vi.waitFor(async () => expect((await client.call(searchReady, {})).data).toBe(true), {
    timeout: 60_000,
    interval: 100,
  });

/** Uploads files and waits until they can be searched. */
export async function uploadAndWait(
  client: Client,
  files: readonly UploadFile[],
  fields: Record<string, string> = {},
): Promise<void> {
  await client.upload(uploadArtifacts, files, fields);
  await settle(client);
}

/** Somebody who has accepted the terms and whose files are searchable. */
export async function startPerson(engram: Engram, email: string, files: readonly UploadFile[]) {
  const token = await signIn(engram, email);
  const client = createClient({ baseUrl: `${engram.url}/v1`, token: () => token });
  await client.call(updateProfile, { body: { isAgreedTerms: true } });
  await uploadAndWait(client, files);

  return {
    client,

    /** Resolves when all of the person's files are read. */
    settled: () => settle(client),

    /** A page in a browser that the person is signed in with; what goes wrong in it is collected. */
    openPage: (browser: Browser, problems: string[], options?: BrowserContextOptions) =>
      openSignedIn(browser, token, problems, options),
  };
}

/** A page in a browser of its own, signed in with a token; what goes wrong in it is collected. */
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

/** Notes what a page's scripts fail with, and what the browser complains about, where it counts. */
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
