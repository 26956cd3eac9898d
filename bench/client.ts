import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { generateApiKey } from '@engram/contract';
import { startEngram } from '../tests/e2e/engram.ts';
import { signIn } from './sign-in.ts';

const MEGABYTES = 1024;
const child = path.join(import.meta.dirname, 'client-child.ts');

/** What a file of 1 GB, sent and fetched by the library, adds to the memory of a program (Linux only). */
export async function run(): Promise<{ title: string; rows: object[] }> {
  const folder = await mkdtemp(path.join(tmpdir(), 'engram-client-'));
  const engram = await startEngram({
    ENGRAM_LLM: 'none',
    ENGRAM_RATE_LIMITS: 'off',
    ENGRAM_UPLOAD_LIMIT_MB: '2048',
    ENGRAM_MEDIA_LIMIT_MB: '2048',
  });
  try {
    const { client } = await signIn(engram.url, engram.codeFor);
    const { data } = await client.call(generateApiKey, { params: { name: 'bench' }, body: {} });
    const env = { ...process.env, ENGRAM_BASE_URL: engram.url, ENGRAM_API_KEY: data.apiKey };
    const rows: object[] = [];
    for (const way of ['upload', 'download']) {
      const args = [child, way, folder, String(MEGABYTES)];
      const { stdout } = await promisify(execFile)(process.execPath, args, { env });
      rows.push(JSON.parse(stdout) as object);
    }
    return { title: 'A file by the TypeScript SDK, and what it adds to the program', rows };
  } finally {
    await engram.close();
    await rm(folder, { recursive: true, force: true });
  }
}
