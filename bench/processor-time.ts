import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Pool } from 'pg';
import { childrenOf } from './process-memory.ts';

/** Linux counts processor time in hundredths of a second, whatever its own clock is. */
const TICKS_PER_SECOND = 100;
const MS_PER_SECOND = 1000;

/** Of a process with the children that have ended; 0 when it is gone. */
function ownSeconds(pid: number): number {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name of the program, which may hold anything, ends at the last bracket.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0) / TICKS_PER_SECOND;
  } catch {
    return 0;
  }
}

/** Processor time of a process and of all its children up to now, in seconds (Linux only). */
export const processorSeconds = (pid: number): number =>
  childrenOf(pid).reduce((sum, child) => sum + ownSeconds(child), ownSeconds(pid));

/** The same of a PostgreSQL on this machine. */
export async function postgresSeconds(pool: Pool): Promise<number> {
  const { rows } = await pool.query<{ folder: string }>(
    `select current_setting('data_directory') as folder`,
  );
  const [pid] = readFileSync(path.join(rows[0]?.folder ?? '', 'postmaster.pid'), 'utf8').split(
    '\n',
  );
  return processorSeconds(Number(pid));
}

/** The same of an OpenSearch, wherever it runs. */
export async function openSearchSeconds(url: string): Promise<number> {
  const response = await fetch(`${url}/_nodes/stats/process`);
  const { nodes } = (await response.json()) as {
    nodes: Record<string, { process: { cpu: { total_in_millis: number } } }>;
  };
  const each = Object.values(nodes).map(({ process: { cpu } }) => cpu.total_in_millis);
  return each.reduce((sum, ms) => sum + ms, 0) / MS_PER_SECOND;
}
