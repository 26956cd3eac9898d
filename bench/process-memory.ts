import { readdirSync, readFileSync } from 'node:fs';

const LOOK_EVERY_MS = 200;

/** Resident memory of a process in megabytes; 0 when it is gone (Linux only). */
export function residentMegabytes(pid: number): number {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    return Number(/VmRSS:\s+(\d+)/u.exec(status)?.[1] ?? 0) / 1024;
  } catch {
    return 0;
  }
}

/** The processes that a process has started, whichever of its threads did. */
export function childrenOf(parent: number): number[] {
  const processes = readdirSync('/proc').filter((name) => /^\d+$/u.test(name));
  return processes.map(Number).filter((pid) => {
    try {
      return /\) \S (\d+)/u.exec(readFileSync(`/proc/${pid}/stat`, 'utf8'))?.[1] === String(parent);
    } catch {
      return false;
    }
  });
}

/** Megabytes of a process, of all its children together, and of the largest of them. */
export function memoryOf(pid: number): { server: number; children: number; child: number } {
  const children = childrenOf(pid).map(residentMegabytes);
  return {
    server: residentMegabytes(pid),
    children: children.reduce((sum, megabytes) => sum + megabytes, 0),
    child: Math.max(0, ...children),
  };
}

/** Watches the memory of a process and of its children until it is stopped. */
export function watchMemory(pid: number) {
  const most = { server: 0, children: 0, child: 0, all: 0 };
  const look = (): void => {
    const now = memoryOf(pid);
    most.server = Math.max(most.server, now.server);
    most.children = Math.max(most.children, now.children);
    most.child = Math.max(most.child, now.child);
    most.all = Math.max(most.all, now.server + now.children);
  };
  const timer = setInterval(look, LOOK_EVERY_MS);
  return { most, stop: () => clearInterval(timer) };
}
