import { chownSync, existsSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import {
  accountOf,
  findFreePort,
  findProgram,
  installDebian,
  makeScratch,
  removeFolder,
  run,
  type RunningService,
  type StartOptions,
} from './service.ts';

const DEBIAN_FOLDER = '/usr/lib/postgresql';

/** The folder with the newest server's programs. */
function findBinaries(): string | undefined {
  const versions = existsSync(DEBIAN_FOLDER) ? readdirSync(DEBIAN_FOLDER) : [];
  const folders = versions
    .toSorted((a, b) => Number(b) - Number(a))
    .map((version) => join(DEBIAN_FOLDER, version, 'bin'));
  const found = findProgram('initdb');
  return [...folders, ...(found ? [dirname(found)] : [])].find((folder) =>
    existsSync(join(folder, 'initdb')),
  );
}

async function start({ install }: StartOptions): Promise<RunningService> {
  if (!findBinaries() && install) await installDebian('postgresql');
  const binaries = findBinaries();
  if (!binaries)
    throw new Error('no server is installed here (Debian: apt-get install postgresql)');
  const account = await accountOf('postgres');
  const folder = makeScratch('postgres');
  if (account.uid && account.gid) chownSync(folder, account.uid, account.gid);
  const data = join(folder, 'data');
  const port = await findFreePort();
  const stop = async () => {
    if (existsSync(join(data, 'postmaster.pid'))) {
      await run(join(binaries, 'pg_ctl'), ['-D', data, '-m', 'immediate', '-w', 'stop'], account);
    }
    removeFolder(folder);
  };
  try {
    const database = ['-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C.UTF-8'];
    await run(join(binaries, 'initdb'), ['-D', data, ...database, '--no-sync'], account);
    const settings = `-p ${port} -c listen_addresses=127.0.0.1 -c unix_socket_directories=${folder} -c fsync=off`;
    const options = ['-D', data, '-l', join(folder, 'log'), '-o', settings];
    await run(join(binaries, 'pg_ctl'), [...options, '-w', 'start'], account);
  } catch (error) {
    await stop();
    throw error;
  }
  const url = `postgres://postgres@127.0.0.1:${port}/postgres`;
  return { env: { ENGRAM_TEST_DATABASE_URL: url }, stop };
}

export const postgres = { name: 'PostgreSQL', start };
