import { createInterface } from 'node:readline/promises';
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import path from 'node:path';
import { createAutostart, ownCommand } from '../system/autostart.ts';
import { callByName, type CallName, callNames, isCall, type RemoteConnector } from '../calls.ts';
import type { ConnectorStatus, FolderSettings, FolderStatus, Preview } from '../connector.ts';
import { Engine } from '../engine.ts';
import { freeHeap } from '../system/free-memory.ts';
import { connectorHome } from '../system/home.ts';
import { askInstance, isListening, listenForCommands, lockHome } from '../system/instance.ts';
import { openBrowser } from '../system/open-browser.ts';
import { toSyncError } from '../sync-problem.ts';
import { count, number, size, summary } from '../page/browser/format.ts';
import { describeBroadFolder } from '../sync/folder-rules.ts';
import manifest from '../../package.json' with { type: 'json' };

const HELP = `engram-connector syncs folders of this computer with Engram.

  pair --server URL [--key KEY]   connect to a server with a code or an API key
  add FOLDER [--keyword K]... [--interval 5m] [--archive] [--top-folder-keyword] [--yes]
  answer FOLDER --archive|--leave archive or leave files that were removed locally
  remove FOLDER                   stop syncing a folder; its files stay in Engram
  run                             sync folders and serve the page
  open                            open the page of the running Connector
  sync --once                     sync all folders once
  status [--json]                 show whether it is running, and the progress
  pause, resume
  uninstall                       disconnect this device and delete its local data

Exit codes: 0 for success, 1 for a failure, 2 for invalid usage, 3 if it is not paired (any more),
and 4 if something waits for the server.
'status' exits with 5 if the Connector is not running.
`;

const EXIT = {
  ok: 0,
  failed: 1,
  usage: 2,
  unpaired: 3,
  waiting: 4,
  stopped: 5,
} as const;

/** How long a running Connector may take to report its status, in milliseconds. */
const STATUS_TIMEOUT_MS = 5000;

/** How long a command waits for another one, in milliseconds. */
const LOCK_TIMEOUT_MS = 5000;
const LOCK_RETRY_MS = 100;

/** The Connector of this process, or the one that is already running. */
interface Remote extends RemoteConnector {
  isRunning: boolean;
  close(): Promise<void>;
}

const NOT_RUNNING = "The Connector is not running. Start it with 'engram-connector run'.";

const print = (text: string): void => void process.stdout.write(`${text}\n`);
const printError = (text: string): void => void process.stderr.write(`${text}\n`);

class UsageError extends Error {}

const openEngine = (home: string): Promise<Engine> => {
  const autostart = createAutostart({ command: [...ownCommand(), 'run'] });
  return Engine.open({
    home,
    version: manifest.version,
    autostart: (on) => (on ? autostart.enable() : autostart.disable()),
    freeHeap,
    // Tests use no keychain.
    ...(process.env['ENGRAM_CONNECTOR_KEYCHAIN'] === 'off' ? { keychain: null } : {}),
  });
};

/** The methods of a Connector, each of which passes its name to `call`. */
const methodsOf = (call: (name: CallName, args: unknown[]) => Promise<unknown>): RemoteConnector =>
  Object.fromEntries(
    callNames.map((name) => [name, (...args: unknown[]) => call(name, args)]),
  ) as unknown as RemoteConnector;

/**
 * Locks a home as `lockHome` does. If another command has the lock, or a Connector that does not listen
 * yet, it waits up to `waitMs`.
 */
async function lockWhenFree(
  home: string,
  waitMs: number,
  onWait?: () => void,
): Promise<(() => void) | null> {
  const end = Date.now() + waitMs;
  for (let attempt = 0; ; attempt += 1) {
    const unlock = lockHome(home);
    if (unlock !== null || (await isListening(home)) || Date.now() >= end) return unlock;
    if (attempt === 0) onWait?.();
    await wait(LOCK_RETRY_MS);
  }
}

async function openRemote(home: string): Promise<Remote> {
  const unlock = await lockWhenFree(home, LOCK_TIMEOUT_MS);
  if (unlock === null) {
    return {
      ...methodsOf((name, args) =>
        askInstance(home, name, args, name === 'status' ? STATUS_TIMEOUT_MS : 0),
      ),
      isRunning: true,
      close: async () => undefined,
    };
  }
  const engine = await openEngine(home);
  return {
    ...methodsOf((name, args) => callByName(engine, name, args)),
    isRunning: false,
    close: async () => {
      await engine.close();
      unlock();
    },
  };
}

const UNITS = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

function milliseconds(text: string): number {
  const [, count, unit] = /^(\d{1,6})([smhd])$/u.exec(text) ?? [];
  if (!count || !unit)
    throw new UsageError(`An interval must be a number followed by s, m, h or d: '${text}'.`);
  return Number(count) * UNITS[unit as keyof typeof UNITS];
}

function printPreview({ files, bytes, leftOut, leftOutCount }: Preview): void {
  const without = leftOutCount > 0 ? `; ${number(leftOutCount)} left out` : '';
  print(`Would send ${count(files, 'file')}, ${size(bytes)}${without}.`);
  for (const { path: name, reason } of leftOut.slice(0, 20)) print(`  ${name}: ${reason}`);
}

async function confirm(question: string): Promise<boolean> {
  if (!process.stdin.isTTY) {
    throw new Error(`${question} There is no terminal to answer on. Add --yes to confirm.`);
  }
  const reader = createInterface({ input: process.stdin, output: process.stdout });
  const reply = await reader.question(`${question} [y/N] `);
  reader.close();
  return /^y(?:es)?$/iu.test(reply.trim());
}

function exitCodeOf({ pairing, problem }: ConnectorStatus): number {
  if (pairing !== 'paired') return EXIT.unpaired;
  return problem === null ? EXIT.ok : EXIT.waiting;
}

const toStopped = (folder: FolderStatus) => ({ ...folder, state: 'stopped' as const });

interface ShownStatus extends Omit<ConnectorStatus, 'folders'> {
  folders: readonly (FolderStatus | ReturnType<typeof toStopped>)[];
}

function printStatus(status: ShownStatus): void {
  const { pairing, server, paused, problem, secretLocation, newer } = status;
  print(`Engram: ${server ?? 'none'} (${pairing}${paused ? ', paused' : ''})`);
  if (secretLocation) print(secretLocation);
  if (newer) print(`Version ${newer.version} is available: ${newer.link}`);
  if (problem) print(problem);
  for (const { root, state, files, waiting, refused, archiveAsked } of status.folders) {
    print(`${root}: ${state}; ${files} in Engram, ${waiting} waiting, ${refused} left out`);
    if (archiveAsked > 0)
      print(`  ${archiveAsked} files were removed: 'answer FOLDER' with --archive or --leave.`);
  }
}

/** Prints the status. If no Connector is running, all folders are shown as stopped. */
async function statusCommand(remote: Remote, json: boolean): Promise<number> {
  const { isRunning: running } = remote;
  const status = await remote.status();
  const folders = running ? status.folders : status.folders.map(toStopped);
  if (json) print(JSON.stringify({ running, ...status, folders }, null, 2));
  else {
    if (!running) print(`${NOT_RUNNING} Last known status:`);
    printStatus({ ...status, folders });
    if (running && folders.length > 0) print(`${summary(status)}.`);
  }
  return !running && status.pairing === 'paired' ? EXIT.stopped : exitCodeOf(status);
}

async function pair(remote: Remote, server: string, key: string | undefined): Promise<number> {
  await remote.pair(server, ...(key === undefined ? [] : [key]));
  let shown = '';
  for (;;) {
    const status = await remote.status();
    const { code, pairing, problem, secretLocation } = status;
    if (pairing === 'paired') {
      print(`Connected. ${secretLocation ?? ''}`);
      return EXIT.ok;
    }
    if (pairing !== 'pairing') throw new Error(problem ?? 'The Connector was not authorized.');
    if (code && code.userCode !== shown) {
      shown = code.userCode;
      print(`Open ${code.link} and confirm the code ${code.userCode}.`);
    }
    await wait(1000);
  }
}

async function answerArchive(remote: Remote, folder: FolderStatus, values: Values): Promise<void> {
  const { archive = false, leave = false } = values;
  if (archive === leave) throw new UsageError('Add either --archive or --leave.');
  // If it was not running, the removed files are not known yet.
  if (folder.archiveAsked === 0) await remote.syncOnce();
  await remote.answerArchive(folder.id, archive);
  await remote.syncOnce();
}

async function folderCommand(
  remote: Remote,
  name: 'add' | 'answer' | 'remove',
  words: string[],
  values: Values,
) {
  const [folder] = words;
  if (folder === undefined) throw new UsageError(`Name a folder: '${name} FOLDER'.`);
  const root = path.resolve(folder);
  if (name !== 'add') {
    const { folders } = await remote.status();
    const syncedFolder = folders.find((folder) => folder.root === root);
    if (!syncedFolder) throw new Error(`'${root}' is not a synced folder.`);
    if (name === 'remove') await remote.removeFolder(syncedFolder.id);
    else await answerArchive(remote, syncedFolder, values);
    return EXIT.ok;
  }
  const broadFolder = describeBroadFolder(root);
  const isConfirmed =
    broadFolder === null ||
    values.yes ||
    (await confirm(`'${root}' is ${broadFolder}. Add all of it?`));
  if (!isConfirmed) return EXIT.failed;
  printPreview(await remote.preview(root));
  if (!values.yes && !(await confirm('Sync this folder?'))) return EXIT.failed;
  const settings: Partial<FolderSettings> = {
    ...(values.keyword ? { keywords: values.keyword } : {}),
    ...(values.interval ? { intervalMs: milliseconds(values.interval) } : {}),
    ...(values.archive ? { archive: true } : {}),
    ...(values['top-folder-keyword'] ? { topFolderKeyword: true } : {}),
  };
  await remote.addFolder(root, settings);
  return EXIT.ok;
}

async function run(home: string): Promise<number> {
  const unlock = await lockWhenFree(home, Infinity, () =>
    print('The Connector starts when another command has ended.'),
  );
  if (unlock === null) {
    print(`The Connector is already running: ${String(await askInstance(home, 'page'))}`);
    return EXIT.ok;
  }
  const engine = await openEngine(home);
  const ended = Promise.withResolvers<void>();
  const { startPage } = await import('../page/page.ts');
  const page = await startPage(engine, { onQuit: () => ended.resolve() });
  const server = await listenForCommands(home, async (name, args) => {
    if (name === 'page') return page.newUrl();
    if (!isCall(name)) throw new Error(`There is no command '${name}'.`);
    const result = await callByName(engine, name, args);
    if (name === 'uninstall') setImmediate(ended.resolve);
    return result;
  });
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => ended.resolve());
  print(`The Connector is running. Its page: ${page.newUrl()}`);
  engine.start();
  await ended.promise;
  server.close();
  await page.close();
  await engine.close();
  unlock();
  return EXIT.ok;
}

const OPTIONS = {
  server: { type: 'string' },
  key: { type: 'string' },
  keyword: { type: 'string', multiple: true },
  interval: { type: 'string' },
  archive: { type: 'boolean' },
  leave: { type: 'boolean' },
  'top-folder-keyword': { type: 'boolean' },
  yes: { type: 'boolean' },
  once: { type: 'boolean' },
  json: { type: 'boolean' },
  help: { type: 'boolean' },
} as const;

const parse = (args: readonly string[]) =>
  parseArgs({ args: [...args], options: OPTIONS, allowPositionals: true });
type Values = ReturnType<typeof parse>['values'];

async function withRemote(
  remote: Remote,
  command: string,
  words: string[],
  values: Values,
): Promise<number> {
  switch (command) {
    case 'pair':
      if (!values.server) throw new UsageError('Add --server and the address of the server.');
      return pair(remote, values.server, values.key);
    case 'add':
    case 'answer':
    case 'remove':
      return folderCommand(remote, command, words, values);
    case 'sync': {
      if (!values.once) throw new UsageError("Use 'sync --once', or 'run' to sync continuously.");
      await remote.syncOnce();
      const status = await remote.status();
      if (status.problem) printError(status.problem);
      printStatus(status);
      if (status.folders.length > 0) print(`${summary(status)}.`);
      return exitCodeOf(status);
    }
    case 'status':
      return statusCommand(remote, values.json ?? false);
    case 'pause':
    case 'resume':
    case 'uninstall':
      await remote[command]();
      return EXIT.ok;
    default:
      throw new UsageError(`There is no command '${command}'. See engram-connector --help.`);
  }
}

/** Runs a command and returns the exit code. */
export async function runCommand(args: readonly string[], home = connectorHome()): Promise<number> {
  let remote: Remote | null = null;
  try {
    const { values, positionals } = parse(args);
    const [command = 'run', ...words] = positionals;
    if (values.help) {
      print(HELP);
      return EXIT.ok;
    }
    if (command === 'run') return await run(home);
    if (command === 'open') {
      const url = String(await askInstance(home, 'page'));
      print(url);
      await openBrowser(url);
      return EXIT.ok;
    }
    remote = await openRemote(home);
    return await withRemote(remote, command, words, values);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const { message } = toSyncError(error) as Error;
    const isNotRunning = code === 'ENOENT' || code === 'ECONNREFUSED';
    printError(isNotRunning ? NOT_RUNNING : message);
    const isUsageError = error instanceof UsageError || code?.startsWith('ERR_PARSE_ARGS');
    return isUsageError ? EXIT.usage : EXIT.failed;
  } finally {
    await remote?.close();
  }
}
