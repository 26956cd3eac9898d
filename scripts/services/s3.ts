import { mkdirSync, openSync } from 'node:fs';
import { join } from 'node:path';
import {
  answers,
  endProcess,
  findFreePort,
  findProgram,
  fromCache,
  makeScratch,
  removeFolder,
  run,
  startProcess,
  type RunningService,
  type StartOptions,
} from './service.ts';

const VERSION = '1.8.0';
const KEY = 'test';
const SECRET = 'testsecret';

/** Builds versitygw by Go, which checks what it fetches against Go's own list of checksums. */
async function build(folder: string): Promise<void> {
  if (!findProgram('go')) throw new Error('building versitygw needs Go');
  const env = { ...process.env, GOBIN: folder, GOFLAGS: '-trimpath', CGO_ENABLED: '0' };
  const program = `github.com/versity/versitygw/cmd/versitygw@v${VERSION}`;
  await run('go', ['install', '-ldflags=-s -w', program], { env });
}

async function start(options: StartOptions): Promise<RunningService> {
  const programs = await fromCache(`versitygw-${VERSION}`, options, build);
  const folder = makeScratch('s3');
  const files = join(folder, 'files');
  mkdirSync(files);
  const port = await findFreePort();
  const server = startProcess(
    join(programs, 'versitygw'),
    [
      '--port',
      `127.0.0.1:${port}`,
      '--health',
      '/health',
      '--quiet',
      '--keep-alive',
      'posix',
      files,
    ],
    {
      env: { ...process.env, ROOT_ACCESS_KEY: KEY, ROOT_SECRET_KEY: SECRET },
      log: openSync(join(folder, 'log'), 'w'),
    },
  );
  const stop = async () => {
    await endProcess(server);
    removeFolder(folder);
  };
  try {
    await answers(`http://127.0.0.1:${port}/health`, server, 30);
  } catch (error) {
    await stop();
    throw error;
  }
  return { env: { ENGRAM_TEST_S3_URL: `http://${KEY}:${SECRET}@127.0.0.1:${port}` }, stop };
}

export const s3 = { name: 'S3 (versitygw)', start };
