import { readdirSync, readFileSync } from 'node:fs';

const POLL_MS = 200;

/** Resident memory in megabytes: of the server, of all its children, and of both. */
export interface Memory {
  server: number;
  children: number;
  all: number;
}

/** Resident memory of a process in megabytes; 0 if it has ended (Linux only). */
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

/** The memory of a process and its children now. */
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

/** Watches the memory of a process and its children. The result stops it and returns the maxima. */
export function watchMemory(pid: number): () => Memory {
  const most: Memory = { server: 0, children: 0, all: 0 };
  const look = (): void => {
    const now = memoryOf(pid);
    for (const part of ['server', 'children', 'all'] as const) {
      most[part] = Math.max(most[part], now[part]);
    }
  };
  const timer = setInterval(look, POLL_MS);
  return () => {
    clearInterval(timer);
    return most;
  };
}
