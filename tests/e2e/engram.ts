import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import PostalMime from 'postal-mime';
import { createInterface } from 'node:readline';
import { type Browser, chromium, type Page } from 'playwright-core';
import { createClient } from '@engram/client';
import { generateCode, validateCode } from '@engram/contract';
import serverProcess from '../../scripts/server-process.json' with { type: 'json' };
import { startMailServer } from '../../apps/server/src/tests/mail-server.test-setup.ts';

const root = path.resolve(import.meta.dirname, '../..');

export interface Engram {
  url: string;
  dataDir: string;
  pid: () => number;
  /** Waits for the next mail to an address, and returns its code. */
  codeFor: (address: string) => Promise<string>;
  /** Waits for the next mail to an address, and returns its sign-in link. */
  linkFor: (address: string) => Promise<string>;
  /** Kills the server, as a power failure would. */
  kill: () => Promise<unknown>;
  /** Asks the server to stop, and returns its exit code. */
  stop: () => Promise<number | null>;
  /** Restarts the server with the same data and port. */
  restart: () => Promise<string>;
  close: () => Promise<void>;
  [Symbol.asyncDispose]: () => Promise<void>;
}

export async function launch(dataDir: string, env: Record<string, string>) {
  const child = spawn(process.execPath, [...serverProcess.flags, 'apps/server/src/main.ts'], {
    cwd: root,
    env: {
      ...process.env,
      ...serverProcess.environment,
      PORT: '0',
      ENGRAM_DATA_DIR: dataDir,
      ENGRAM_LOG_LEVEL: 'warn',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  // Not inherited, because Vitest would wait forever for a server that a failed test left running.
  child.stderr.on('data', (chunk: Buffer) => process.stderr.write(chunk));
  const lines = createInterface({ input: child.stdout });
  for await (const line of lines) {
    const ready = /^Engram is ready on (\S+)/u.exec(line);
    if (ready?.[1]) {
      child.stdout.resume();
      return { child, url: ready[1] };
    }
  }
  throw new Error('Engram did not start.');
}

export async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<number | null> {
  if (child.exitCode === null && child.signalCode === null) {
    const exited = once(child, 'exit');
    child.kill(signal);
    await exited;
  }
  return child.exitCode;
}

/** Starts a real server process with an empty data folder, and a real mail server. */
export async function startEngram(env: Record<string, string> = {}): Promise<Engram> {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'engram-e2e-'));
  const mail = await startMailServer();
  const settings = { SMTP_URL: mail.url, ENGRAM_EMBEDDINGS: 'none', ...env };
  let { child, url } = await launch(dataDir, settings);
  const close = async (): Promise<void> => {
    await end(child, 'SIGTERM');
    await mail.close();
    await rm(dataDir, { recursive: true, force: true });
  };
  return {
    url,
    dataDir,
    pid: () => child.pid ?? 0,
    codeFor: async (address) => {
      const message = await mail.next(address);
      const code = /\b\d{6}\b/u.exec(message.text)?.[0];
      if (!code) throw new Error('There is no code in the mail.');
      return code;
    },
    linkFor: async (address) => {
      const { text = '' } = await PostalMime.parse((await mail.next(address)).text);
      const link = /https?:\/\/\S+/u.exec(text)?.[0];
      if (!link) throw new Error('There is no link in the mail.');
      return link;
    },
    kill: () => end(child, 'SIGKILL'),
    stop: () => end(child, 'SIGTERM'),
    restart: async () => {
      await end(child, 'SIGTERM');
      ({ child, url } = await launch(dataDir, { ...settings, PORT: new URL(url).port }));
      return url;
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** Signs a user in by a mailed code, and returns the token. */
export async function signIn(engram: Engram, email: string): Promise<string> {
  const anonymous = createClient({ baseUrl: `${engram.url}/v1` });
  await anonymous.call(generateCode, { body: { email } });
  const body = { email, code: await engram.codeFor(email) };
  return (await anonymous.call(validateCode, { body })).data.token;
}

/** Types the mailed code into the dialog once it has the focus. */
export async function enterCode(page: Page, engram: Engram, email: string): Promise<void> {
  await page.getByRole('dialog').locator('input:focus:not([readonly])').waitFor();
  // An opening dialog focuses its first field again in a timer, and timers run in their order.
  await page.evaluate('new Promise((resolve) => setTimeout(resolve))');
  await page.keyboard.type(await engram.codeFor(email));
}

/** The Chromium of this machine, without its sandbox for root. */
export const chromiumOfThisMachine = {
  executablePath: process.env['CHROMIUM_PATH'] ?? '',
  args: [
    ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
    '--disable-gpu',
    '--no-first-run',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
  ],
};

/** How long a step in a browser may take, in milliseconds: a busy machine must not fail a test that is only slow. */
export const STEP_TIMEOUT_MS = 120_000;

export async function openBrowser(args: readonly string[] = []): Promise<Browser> {
  const browser = await chromium.launch({
    ...chromiumOfThisMachine,
    args: [...chromiumOfThisMachine.args, ...args],
  });
  browser.on('context', (context) => context.setDefaultTimeout(STEP_TIMEOUT_MS));
  return browser;
}
