import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { uploadArtifacts } from '@engram/contract';
import { memoryOf, watchMemory } from './process-memory.ts';
import { noteFile, signIn, startServer, type Table, untilReady, type User } from './setup.ts';

/** Seconds after the start, and after all files are read, at which memory is measured. */
const AFTER_START = [10, 90];
const AFTER_READING = [0, 30, 120];
const FILES_PER_UPLOAD = 1000;
const LARGE_FILES = 4;
const LARGE_FILE_MEGABYTES = 256;

async function uploadNotes({ client }: User, count: number): Promise<void> {
  for (let from = 0; from < count; from += FILES_PER_UPLOAD) {
    const size = Math.min(FILES_PER_UPLOAD, count - from);
    const files = Array.from({ length: size }, (_, index) => noteFile(from + index));
    await client.upload(uploadArtifacts, files, {});
  }
}

/** Uploads each file separately, because the server rejects some of them. */
async function uploadFolder({ client }: User, folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    const content = new Blob([await readFile(join(folder, name))]);
    await client.upload(uploadArtifacts, [{ name, content }], {}).catch(() => undefined);
  }
}

/** Streams large files without storing them. */
async function uploadLargeFiles(url: string, { token }: User): Promise<void> {
  const chunk = new Uint8Array(1_048_576).fill(0x20);
  for (let number = 0; number < LARGE_FILES; number += 1) {
    async function* body() {
      const name = `large-${number}.avi`;
      yield Buffer.from(
        `--b\r\nContent-Disposition: form-data; name="files"; filename="${name}"\r\n\r\nRIFF${number}   AVI LIST`,
      );
      for (let sent = 0; sent < LARGE_FILE_MEGABYTES; sent += 1) yield chunk;
      yield Buffer.from('\r\n--b--\r\n');
    }
    const response = await fetch(`${url}/v1/artifacts/upload`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'multipart/form-data; boundary=b',
      },
      body: ReadableStream.from(body()),
      duplex: 'half',
    });
    if (!response.ok) throw new Error(`The upload was rejected: ${await response.text()}`);
  }
}

/**
 * Measures resident memory of the server and its children after the start, a folder of hostile files,
 * 1 GB in large files, and many small files (Linux only).
 */
export async function run(files: number, folder?: string): Promise<Table[]> {
  await using engram = await startServer();
  const rows: object[] = [];
  const measureAfter = async (event: string, moments: readonly number[]): Promise<void> => {
    let elapsed = 0;
    for (const seconds of moments) {
      await wait((seconds - elapsed) * 1000);
      elapsed = seconds;
      rows.push({ moment: `${seconds} s after ${event}`, ...memoryOf(engram.pid()) });
    }
  };
  await measureAfter('the start', AFTER_START);
  const user = await signIn(engram);
  const measure = async (event: string, upload: () => Promise<void>): Promise<void> => {
    const stop = watchMemory(engram.pid());
    await upload();
    await untilReady(user.client);
    rows.push({ moment: `${event}, peak`, ...stop() });
    await measureAfter(event, AFTER_READING);
  };
  if (folder) await measure('the hostile folder', () => uploadFolder(user, folder));
  await measure('1 GB of large files', () => uploadLargeFiles(engram.url, user));
  await measure(`${files} small files`, () => uploadNotes(user, files));
  return [{ title: 'Resident memory, in megabytes', rows }];
}
