import { setImmediate } from 'node:timers/promises';
import { searchReady } from '@engram/contract';
import { startEngram } from '../tests/e2e/engram.ts';
import { residentMegabytes, watchMemory } from './process-memory.ts';
import { signIn } from './sign-in.ts';

export interface MemoryRow {
  moment: string;
  /** Resident memory of the server process, in megabytes. */
  megabytes: number;
}

const FILES = 4;
const MEGABYTES_PER_FILE = 256;

/** A form written by hand, part by part, so that the client holds none of it. */
async function streamUpload(
  url: string,
  token: string,
  number: number,
  megabytes = MEGABYTES_PER_FILE,
): Promise<void> {
  const encoder = new TextEncoder();
  const chunk = new Uint8Array(1_048_576).fill(0x20);
  const head = `--b\r\nContent-Disposition: form-data; name="files"; filename="large-${number}.avi"\r\n\r\nRIFF${number}   AVI LIST`;
  async function* body() {
    yield encoder.encode(head);
    for (let sent = 0; sent < megabytes; sent += 1) yield chunk;
    yield encoder.encode('\r\n--b--\r\n');
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
  if (!response.ok) throw new Error(`The upload was refused: ${await response.text()}`);
}

/** Memory of the server's process before, during and after 1 GB of uploads (Linux only). */
export async function run(): Promise<{ title: string; rows: MemoryRow[] }> {
  const engram = await startEngram({ ENGRAM_LLM: 'none', ENGRAM_RATE_LIMITS: 'off' });
  try {
    const { token, client } = await signIn(engram.url, engram.codeFor);
    // The first upload opens tables and index; what that takes is not the uploads' doing.
    await streamUpload(engram.url, token, FILES, 1);
    while (!(await client.call(searchReady, {})).data) await setImmediate();
    const before = residentMegabytes(engram.pid());
    const { most, stop } = watchMemory(engram.pid());
    for (let number = 0; number < FILES; number += 1) await streamUpload(engram.url, token, number);
    stop();
    return {
      title: `Memory of the server over ${(FILES * MEGABYTES_PER_FILE) / 1024} GB of uploads`,
      rows: [
        { moment: 'before', megabytes: Math.round(before) },
        { moment: 'most during the uploads', megabytes: Math.round(most.server) },
        { moment: 'after', megabytes: Math.round(residentMegabytes(engram.pid())) },
      ],
    };
  } finally {
    await engram.close();
  }
}
