import { type ChildProcess, fork } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

/** A process that does tasks for a pool. */
export interface PoolChild {
  process: ChildProcess;
  /** True once it takes tasks. */
  ready: boolean;
  /** Why the pool ended it; null while it was not. */
  killedFor: unknown;
  /** The last of what it wrote to standard error. */
  errorText: string;
  /** Resolves when the process is gone, or could not be started. */
  exited: Promise<void>;
}

/** All that a child sees of the environment: nothing secret is among it. */
const PASSED_ENV = ['TZ', 'LANG', 'TMPDIR', 'TEMP', 'TMP', 'SystemRoot', 'NODE_COMPILE_CACHE'];
const MAX_ERROR_TEXT = 4000;

/** Starts a child. Its JavaScript heap gets three quarters of the memory, in megabytes. */
export function startChild(script: URL, settings: object, memoryMb: number): PoolChild {
  const env = Object.fromEntries(
    PASSED_ENV.flatMap((name) => {
      const value = process.env[name];
      return value === undefined ? [] : [[name, value]];
    }),
  );
  const heapMb = Math.max(64, Math.floor(memoryMb * 0.75));
  const child = fork(fileURLToPath(script), [JSON.stringify(settings)], {
    execArgv: [`--max-old-space-size=${heapMb}`, '--no-warnings'],
    env,
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  const started: PoolChild = {
    process: child,
    ready: false,
    killedFor: null,
    errorText: '',
    exited: new Promise((resolve) => {
      child.once('exit', () => resolve());
      child.once('error', () => {
        if (child.pid === undefined) resolve();
      });
    }),
  };
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    started.errorText = (started.errorText + text).slice(-MAX_ERROR_TEXT);
  });
  return started;
}

/** A busy child hears nothing: only SIGKILL ends it for certain. */
export function killChild(child: PoolChild, reason: unknown): void {
  child.killedFor ??= reason;
  child.process.kill('SIGKILL');
}

/** Whether a child that died had run out of memory, by its last words. */
export const ranOutOfMemory = ({ errorText }: PoolChild): boolean =>
  /heap out of memory|Array buffer allocation failed/.test(errorText);

/** A process's resident memory; 0 where the system does not tell, and the heap limit must do. */
export async function residentMegabytes(pid: number | undefined): Promise<number> {
  if (pid === undefined || process.platform !== 'linux') return 0;
  try {
    const status = await readFile(`/proc/${pid}/status`, 'utf8');
    return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0) / 1024;
  } catch {
    return 0;
  }
}
