import { readdirSync, readFileSync } from 'node:fs';

const POLL_MS = 200;

/** Resident memory in megabytes: of the server, of its children, and in total. */
export interface Memory {
  server: number;
  children: number;
  all: number;
}

/** Resident memory of a process in megabytes, or 0 if it has exited (Linux only). */
function residentMegabytes(pid: number | string): number {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    return Number(/VmRSS:\s+(\d+)/u.exec(status)?.[1] ?? 0) / 1024;
  } catch {
    return 0;
  }
}

function isChild(pid: string, parent: number): boolean {
  try {
    return /\) \S (\d+)/u.exec(readFileSync(`/proc/${pid}/stat`, 'utf8'))?.[1] === String(parent);
  } catch {
    return false;
  }
}

/** The current memory of a process and its children. */
export function memoryOf(pid: number): Memory {
  const server = residentMegabytes(pid);
  const children = readdirSync('/proc')
    .filter((name) => /^\d+$/u.test(name) && isChild(name, pid))
    .reduce((sum, child) => sum + residentMegabytes(child), 0);
  return {
    server: Math.round(server),
    children: Math.round(children),
    all: Math.round(server + children),
  };
}

/** Watches the memory of a process and its children. The returned function stops and returns the peaks. */
export function watchMemory(pid: number): () => Memory {
  const peak: Memory = { server: 0, children: 0, all: 0 };
  const update = (): void => {
    const current = memoryOf(pid);
    for (const part of ['server', 'children', 'all'] as const) {
      peak[part] = Math.max(peak[part], current[part]);
    }
  };
  const timer = setInterval(update, POLL_MS);
  return () => {
    clearInterval(timer);
    return peak;
  };
}
