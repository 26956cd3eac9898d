import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import {
  findFreePort,
  findProgram,
  fromCache,
  makeScratch,
  run,
  type RunningService,
  startServer,
  type StartOptions,
} from './service.ts';

const VERSION = '1.8.0';
const KEY = 'test';
const SECRET = 'testsecret';

/** Builds versitygw with Go, which verifies the checksums of its sources. */
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
  const address = `127.0.0.1:${port}`;
  const args = ['--port', address, '--health', '/health', '--quiet', '--keep-alive'];
  const stop = await startServer(join(programs, 'versitygw'), [...args, 'posix', files], {
    env: { ...process.env, ROOT_ACCESS_KEY: KEY, ROOT_SECRET_KEY: SECRET },
    folder,
    health: `http://${address}/health`,
    seconds: 30,
  });
  return { env: { ENGRAM_TEST_S3_URL: `http://${KEY}:${SECRET}@${address}` }, stop };
}

export const s3 = { name: 'S3 (versitygw)', start };
