import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { Client } from '@engram/client';
import { searchReady, uploadArtifacts } from '@engram/contract';
import { startEngram } from '../tests/e2e/engram.ts';
import { memoryOf, watchMemory } from './process-memory.ts';
import { signIn } from './sign-in.ts';
import { uploadNotes } from './small-notes.ts';

/** Resident memory in megabytes. */
export interface MemoryRow {
  moment: string;
  server: number;
  children: number;
  all: number;
}

export interface MemoryOptions {
  /** How many small files are uploaded. */
  files?: number | undefined;
  /** A folder of files made to do harm; by default that of the evaluation files beside the project. */
  folder?: string | undefined;
}

const HOSTILE = resolve(import.meta.dirname, '../../shared/evaldata/files/hostile');
/** Seconds after the start, and after all is read, at which the memory is looked at. */
const AFTER_START = [10, 90];
const AFTER_READING = [0, 30, 120];
const POLL_MS = 500;

async function untilRead(client: Client): Promise<void> {
  while (!(await client.call(searchReady, {})).data) await wait(POLL_MS);
}

/** Uploads each file by itself: what is refused is part of it. */
async function uploadFolder(client: Client, folder: string): Promise<void> {
  const names = (await readdir(folder)).filter((name) => name !== 'manifest.jsonl');
  for (const name of names) {
    const content = new Blob([await readFile(join(folder, name))]);
    await client.upload(uploadArtifacts, [{ name, content }], {}).catch(() => undefined);
  }
}

/**
 * Resident memory of the server and of all its children: after the start, after a folder of hostile
 * files, and after many small ones (Linux only).
 */
export async function run({ files = 10_000, folder = HOSTILE }: MemoryOptions = {}): Promise<{
  title: string;
  rows: MemoryRow[];
}> {
  const engram = await startEngram({ ENGRAM_LLM: 'none', ENGRAM_RATE_LIMITS: 'off' });
  const rows: MemoryRow[] = [];
  const note = (moment: string, { server, children }: { server: number; children: number }) =>
    rows.push({
      moment,
      server: Math.round(server),
      children: Math.round(children),
      all: Math.round(server + children),
    });
  const noteAfter = async (what: string, moments: readonly number[]): Promise<void> => {
    let passed = 0;
    for (const seconds of moments) {
      await wait((seconds - passed) * 1000);
      passed = seconds;
      note(`${seconds} s after ${what}`, memoryOf(engram.pid()));
    }
  };
  try {
    await noteAfter('the start', AFTER_START);
    const { client } = await signIn(engram.url, engram.codeFor);
    const measure = async (what: string, upload: () => Promise<void>): Promise<void> => {
      const { most, stop } = watchMemory(engram.pid());
      await upload();
      await untilRead(client);
      stop();
      note(`${what}, at most`, most);
      rows.at(-1)!.all = Math.round(most.all);
      await noteAfter(what, AFTER_READING);
    };
    if (existsSync(folder)) await measure('the hostile folder', () => uploadFolder(client, folder));
    await measure(`${files} small files`, () => uploadNotes(client, files));
    return { title: 'Resident memory, in megabytes', rows };
  } finally {
    await engram.close();
  }
}
