/** Helpers for benches and screenshots: a server, users, a browser and figures. */
import { setTimeout as wait } from 'node:timers/promises';
import { type Client, createClient } from '@engram/client';
import { generateCode, searchReady, updateProfile, validateCode } from '@engram/contract';
import { type Browser, type BrowserContext, chromium } from 'playwright-core';
import { requireChromium } from '../scripts/chromium.ts';
import { ensureWebBuild } from '../scripts/web-build.ts';
import {
  chromiumOfThisMachine,
  type Engram,
  signIn as signInForToken,
  startEngram,
} from '../tests/e2e/engram.ts';

export const EMAIL = 'bench@example.org';

/** A table of one bench. */
export interface Table {
  title: string;
  rows: readonly object[];
}

/** A server process without a model and rate limits. */
export const startServer = (env: Record<string, string> = {}): Promise<Engram> =>
  startEngram({ ENGRAM_LLM: 'none', ENGRAM_RATE_LIMITS: 'off', ...env });

export interface User {
  token: string;
  client: Client;
}

/** Signs a user in and accepts the terms. */
export async function signIn(engram: Engram, email = EMAIL): Promise<User> {
  const token = await signInForToken(engram, email);
  const client = createClient({ baseUrl: `${engram.url}/v1`, token: () => token });
  await client.call(updateProfile, { body: { isAgreedTerms: true } });
  return { token, client };
}

/** Signs a browser in by its cookie. */
export async function signInBrowser(
  { request }: BrowserContext,
  engram: Engram,
  email = EMAIL,
): Promise<void> {
  const post = (path: string, data: object) => request.post(`${engram.url}/v1${path}`, { data });
  await post(generateCode.path, { email });
  await post(validateCode.path, { email, code: await engram.codeFor(email) });
}

/** Builds the web app and opens a Chromium. */
export async function openBrowser(): Promise<Browser> {
  await ensureWebBuild();
  return chromium.launch({ ...chromiumOfThisMachine, executablePath: requireChromium() });
}

export const textFile = (name: string, text: string) => ({ name, content: new Blob([text]) });

/** A text file of about 1.7 KB, different for each number. */
export const noteFile = (number: number) =>
  textFile(
    `note-${number}.txt`,
    Array.from(
      { length: 40 },
      (_, line) => `Line ${line} of note ${number} is ${number + line}.`,
    ).join('\n'),
  );

/** Waits until all files of a user are searchable. */
export async function untilReady(client: Client, pollMs = 200): Promise<void> {
  while (!(await client.call(searchReady, {})).data) await wait(pollMs);
}

/** Runs a function and returns its duration in milliseconds. */
export async function timeOf(run: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await run();
  return performance.now() - start;
}

/** Rounds to two decimal places. */
export const round = (value: number): number => Math.round(value * 100) / 100;

/** The percentile of a share, to two decimal places. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0);
}
