import { type ChildProcess, fork, spawnSync } from 'node:child_process';
import { existsSync, realpathSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

export interface SealedProcessOptions {
  /** The module that it runs. */
  script: URL;
  args: readonly string[];
  /** Files and folders that it may read, beside the program itself; they must be there. */
  reads: readonly string[];
  /** Whether it may start child processes until it drops that permission. */
  startsProcesses?: boolean;
  /** Most memory of its JavaScript heap, in megabytes; Node's own measure unless set. */
  heapMb?: number;
  /** Whether what it writes to standard error can be read. */
  keepsErrors: boolean;
}

/** All that it sees of the environment: nothing secret is among it. */
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

/** Frees what a library has freed sooner; what the C library keeps for each thread adds up. */
const LEAN_ENV = { MALLOC_ARENA_MAX: '2' };
/** Megabytes of each half of the heap's young generation; Node's own measure grows to 100 MB in all. */
const YOUNG_HALF_MB = 8;

const ROOT = path.resolve(import.meta.dirname, '../../../../..');
const SEAL = new URL('./seal.ts', import.meta.url);

/** The program, without what may lie beside it: settings and the data folder. */
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

/** Ways to start a program in a network of its own that has no connection: by root, by anybody. */
const CUT_OFF = [
  ['unshare', '--net', '--'],
  ['unshare', '--map-current-user', '--net', '--'],
];
/** Starts a program that gains no rights by what it starts, such as one of another user's. */
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

/** How a program is started so that the system itself binds it; empty where it cannot. */
const systemSealsOf = (): Seals =>
  (seals ??= {
    network: CUT_OFF.find(works) ?? [],
    rights: works(NO_NEW_RIGHTS) ? NO_NEW_RIGHTS : [],
  });

/** Whether the system itself keeps sealed processes off the network, or only Node does. */
export const systemSeals = (): boolean => systemSealsOf().network.length > 0;

/** The same program without a network and without ways to more rights, where the system can do that. */
export function withoutNetwork(program: string, args: readonly string[]): [string, string[]] {
  const { network, rights } = systemSealsOf();
  const [first = program, ...rest] = [...network, ...rights, program];
  return [first, [...rest, ...args]];
}

/**
 * Starts a process that touches what strangers made. It reads the program and what it is told,
 * writes nothing, starts no process, has no network and knows no secret: its parent hears it by
 * messages alone.
 */
export function startSealed(options: SealedProcessOptions): ChildProcess {
  const { script, args, reads, startsProcesses = false, heapMb, keepsErrors } = options;
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
    `--max-semi-space-size=${YOUNG_HALF_MB}`,
    ...(heapMb === undefined ? [] : [`--max-old-space-size=${heapMb}`]),
  ];
  const [execPath, execArgv] = withoutNetwork(process.execPath, flags);
  return fork(fileURLToPath(script), args, {
    execPath,
    execArgv,
    env: { ...Object.fromEntries(passed), ...LEAN_ENV },
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', keepsErrors ? 'pipe' : 'ignore', 'ipc'],
  });
}
