/**
 * Runs a command beside a temporary PostgreSQL server and passes its exit code on:
 *   node scripts/with-postgres.ts [--install] <command…>
 * The command finds the server in ENGRAM_TEST_DATABASE_URL. The cluster lives in a temporary folder,
 * listens on a free port of 127.0.0.1 and is removed afterwards. With --install a missing server is
 * installed from Debian's packages (as root, for CI).
 */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';

const DEBIAN_FOLDER = '/usr/lib/postgresql';

/** PostgreSQL refuses to run as root: its programs then run as the user that its package made. */
interface Account {
  uid?: number;
  gid?: number;
}

function findBinaries(): string | undefined {
  const versions = existsSync(DEBIAN_FOLDER) ? readdirSync(DEBIAN_FOLDER) : [];
  const folders = versions
    .toSorted((a, b) => Number(b) - Number(a))
    .map((version) => join(DEBIAN_FOLDER, version, 'bin'));
  return [...folders, ...(process.env.PATH ?? '').split(delimiter)].find((folder) =>
    existsSync(join(folder, 'initdb')),
  );
}

function run(command: string, args: string[], account: Account = {}): void {
  const { status, error, stderr } = spawnSync(command, args, {
    ...account,
    stdio: ['ignore', 'ignore', 'pipe'],
    encoding: 'utf8',
    cwd: tmpdir(),
  });
  if (status !== 0) throw new Error(`${command} failed: ${error?.message ?? stderr}`);
}

function install(): void {
  run('apt-get', ['update']);
  run('apt-get', ['install', '--yes', '--no-install-recommends', 'postgresql']);
}

function findAccount(): Account {
  if (process.getuid?.() !== 0) return {};
  const id = (flag: string) =>
    Number(spawnSync('id', [flag, 'postgres'], { encoding: 'utf8' }).stdout);
  return { uid: id('-u'), gid: id('-g') };
}

async function findFreePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as AddressInfo;
  probe.close();
  return port;
}

/** Starts a cluster in a fresh folder; returns its address and what stops and removes it. */
async function startServer(binaries: string) {
  const account = findAccount();
  const folder = mkdtempSync(join(tmpdir(), 'engram-postgres-'));
  if (account.uid && account.gid) chownSync(folder, account.uid, account.gid);
  const data = join(folder, 'data');
  const port = await findFreePort();
  const stop = () => {
    if (existsSync(join(data, 'postmaster.pid'))) {
      run(join(binaries, 'pg_ctl'), ['-D', data, '-m', 'immediate', '-w', 'stop'], account);
    }
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    run(
      join(binaries, 'initdb'),
      ['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C.UTF-8', '--no-sync'],
      account,
    );
    const settings = `-p ${port} -c listen_addresses=127.0.0.1 -c unix_socket_directories=${folder} -c fsync=off`;
    const log = join(folder, 'log');
    run(join(binaries, 'pg_ctl'), ['-D', data, '-l', log, '-o', settings, '-w', 'start'], account);
  } catch (error) {
    stop();
    throw error;
  }
  return { url: `postgres://postgres@127.0.0.1:${port}/postgres`, stop };
}

async function main(): Promise<number> {
  const [first, ...rest] = process.argv.slice(2);
  const command = first === '--install' ? rest : first === undefined ? [] : [first, ...rest];
  const [program, ...args] = command;
  if (!program) throw new Error('Usage: node scripts/with-postgres.ts [--install] <command…>');
  if (!findBinaries() && first === '--install') install();
  const binaries = findBinaries();
  if (!binaries) {
    throw new Error('No PostgreSQL server is installed here: apt-get install postgresql');
  }
  const server = await startServer(binaries);
  try {
    const child = spawn(program, args, {
      stdio: 'inherit',
      env: { ...process.env, ENGRAM_TEST_DATABASE_URL: server.url },
    });
    for (const signal of ['SIGINT', 'SIGTERM'] as const) {
      process.on(signal, () => child.kill(signal));
    }
    const [code] = (await once(child, 'exit')) as [number | null];
    return code ?? 1;
  } finally {
    server.stop();
  }
}

try {
  process.exitCode = await main();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
