import type { ChildProcess } from 'node:child_process';
import { createScratchFolder, type ScratchFolder } from './scratch-folder.ts';
import { startSealed } from './sealed-process.ts';

/** A process that does tasks for a pool. */
export interface PoolChild {
  process: ChildProcess;
  /** Where it finds the files of its tasks. */
  scratch: ScratchFolder;
  /** True once it takes tasks. */
  ready: boolean;
  /** Why the pool ended it; null while it was not. */
  killedFor: unknown;
  /** The last of what it wrote to standard error. */
  errorText: string;
  /** Resolves when the process is gone, or could not be started. */
  exited: Promise<void>;
}

export interface ChildOptions {
  /** The module that it runs; it calls `serveTasks`. */
  script: URL;
  /** Told to it at its start; nothing secret. */
  settings?: object;
  /** Resident memory it may take, in megabytes; its JavaScript heap gets three quarters. */
  memoryMb: number;
  /** A folder in which it gets one of its own, for the files of its tasks. */
  scratch: string;
  /** Files and folders that it may read besides; they must be there. */
  reads?: readonly string[];
}

const MAX_ERROR_TEXT = 4000;

/** Starts a child. */
export function startChild(options: ChildOptions): PoolChild {
  const { script, settings = {}, memoryMb, reads = [] } = options;
  const scratch = createScratchFolder(options.scratch);
  const child = startSealed({
    script,
    args: [JSON.stringify(settings)],
    reads: [scratch.path, ...reads],
    heapMb: Math.max(64, Math.floor(memoryMb * 0.75)),
    keepsErrors: true,
  });
  const started: PoolChild = {
    process: child,
    scratch,
    ready: false,
    killedFor: null,
    errorText: '',
    exited: new Promise<void>((resolve) => {
      child.once('exit', () => resolve());
      child.once('error', () => {
        if (child.pid === undefined) resolve();
      });
    }).then(scratch.remove),
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
