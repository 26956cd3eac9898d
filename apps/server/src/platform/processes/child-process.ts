import type { ChildProcess } from 'node:child_process';
import { createScratchFolder, type ScratchFolder } from './scratch-folder.ts';
import { startSealed } from './sealed-process.ts';

export interface PoolChild {
  process: ChildProcess;
  scratch: ScratchFolder;
  ready: boolean;
  killedFor: unknown;
  errorText: string;
  /** Resolves when the process has ended, or could not be started. */
  exited: Promise<void>;
}

export interface ChildOptions {
  /** Its module, which calls `serveTasks`. */
  script: URL;
  /** Passed at its start; nothing secret. */
  settings?: object;
  /** Maximum resident memory in megabytes. Its JavaScript heap gets three quarters. */
  memoryMb: number;
  scratch: string;
  /** Other files and folders that it may read. They must exist. */
  reads?: readonly string[];
}

const MAX_ERROR_TEXT = 4000;

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

/** Only SIGKILL ends a busy process for certain. */
export function killChild(child: PoolChild, reason: unknown): void {
  child.killedFor ??= reason;
  child.process.kill('SIGKILL');
}

export const ranOutOfMemory = ({ errorText }: PoolChild): boolean =>
  /heap out of memory|Array buffer allocation failed/.test(errorText);
