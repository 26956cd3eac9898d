import { type ChildProcess, fork, spawnSync } from 'node:child_process';
import { existsSync, realpathSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

export interface SealedProcessOptions {
  script: URL;
  args: readonly string[];
  /** Files and folders that it may read, besides the program itself. They must exist. */
  reads: readonly string[];
  /** Whether it may start child processes until it drops the permission. */
  startsProcesses?: boolean;
  /** The maximum JavaScript heap. */
  heapMb?: number;
}

/** The environment of the process, without secrets. */
const PASSED_ENV = [
  'TZ',
  'LANG',
  'TMPDIR',
  'TEMP',
  'TMP',
  'SystemRoot',
  'LD_LIBRARY_PATH',
  'NODE_COMPILE_CACHE',
];

/** Reduces the memory that the C library reserves for each thread. */
const LEAN_ENV = { MALLOC_ARENA_MAX: '2' };
/** The size of each half of the heap's young generation. Node's default is up to 100 MB. */
const SEMI_SPACE_MB = 8;

const ROOT = path.resolve(import.meta.dirname, '../../../../..');
const SEAL = new URL('./seal.ts', import.meta.url);

/** The program, without settings and the data folder, which may be in the same folder. */
const PROGRAM = [
  'node_modules',
  'packages',
  'apps/server/src',
  'apps/server/package.json',
  'apps/server/node_modules',
].flatMap((name) => {
  const place = path.join(ROOT, name);
  return existsSync(place) ? [...new Set([place, realpathSync(place)])] : [];
});

/** Commands that start a program in an isolated network namespace, as root and as another user. */
const NO_NETWORK = [
  ['unshare', '--net', '--'],
  ['unshare', '--map-current-user', '--net', '--'],
];
/** Starts a program that cannot gain privileges. */
const NO_NEW_RIGHTS = ['setpriv', '--no-new-privs', '--'];
const TRIAL_MS = 10_000;

interface Seals {
  network: readonly string[];
  rights: readonly string[];
}

let seals: Seals | undefined;

function works([program, ...args]: readonly string[]): boolean {
  if (program === undefined || process.platform !== 'linux') return false;
  const trial = [...args, process.execPath, '--version'];
  return spawnSync(program, trial, { timeout: TRIAL_MS, stdio: 'ignore' }).status === 0;
}

/** The system's commands that restrict a program. */
const systemSealsOf = (): Seals =>
  (seals ??= {
    network: NO_NETWORK.find(works) ?? [],
    rights: works(NO_NEW_RIGHTS) ? NO_NEW_RIGHTS : [],
  });

/** Whether the system isolates sealed processes from the network, besides Node. */
export const systemSeals = (): boolean => systemSealsOf().network.length > 0;

/** The command line without network access and new privileges, if the system supports that. */
export function withoutNetwork(program: string, args: readonly string[]): [string, string[]] {
  const { network, rights } = systemSealsOf();
  const [first = program, ...rest] = [...network, ...rights, program];
  return [first, [...rest, ...args]];
}

/**
 * Starts a process for untrusted data. It can only read the program and the given files, and exchange
 * messages with its parent. It cannot write, start processes, use the network or see secrets.
 */
export function startSealed(options: SealedProcessOptions): ChildProcess {
  const { script, args, reads, startsProcesses = false, heapMb } = options;
  const passed = PASSED_ENV.flatMap((name) => {
    const value = process.env[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  const cache = process.env['NODE_COMPILE_CACHE'];
  const flags = [
    '--permission',
    '--allow-addons',
    '--allow-worker',
    ...(startsProcesses ? ['--allow-child-process'] : []),
    ...[...PROGRAM, ...reads].map((place) => `--allow-fs-read=${place}`),
    ...(cache === undefined ? [] : [`--allow-fs-read=${cache}`, `--allow-fs-write=${cache}`]),
    `--import=${SEAL.href}`,
    '--no-warnings',
    `--max-semi-space-size=${SEMI_SPACE_MB}`,
    ...(heapMb === undefined ? [] : [`--max-old-space-size=${heapMb}`]),
  ];
  const [execPath, execArgv] = withoutNetwork(process.execPath, flags);
  return fork(fileURLToPath(script), args, {
    execPath,
    execArgv,
    env: { ...Object.fromEntries(passed), ...LEAN_ENV },
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
}
