import { extract, ExtractionError, type FileType } from '../packages/extraction/src/index.ts';
import {
  growingFiles,
  type Make,
} from '../packages/extraction/src/tests/growing-files.test-setup.ts';

/** Four times as much takes four times as long if the work is linear, 16 times if it is quadratic. */
const TIMES_AS_MUCH = 4;
const MOST_GROWTH = 9;
/** From this growth on larger files are measured, up to this many times the least size. */
const SUSPICIOUS = 6;
const LARGEST = 8;
/** Milliseconds of the processor below which nothing is told apart. */
const MEASURABLE = 200;
/** How often both sizes are measured before their growth is believed. */
const TRIES = 3;

/** Milliseconds of this thread's processor that reading takes; a refusal is an end like any other. */
async function timeOf(type: FileType, made: Uint8Array | string): Promise<number> {
  const content = typeof made === 'string' ? new TextEncoder().encode(made) : made;
  const before = process.threadCpuUsage();
  await extract({ bytes: content, fileName: `a.${type}`, type }).catch((error: unknown) => {
    if (!(error instanceof ExtractionError)) throw error;
  });
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1000;
}

/**
 * How much longer four times as much takes; 0 where that is no time to speak of. What seems to grow too
 * fast is measured with larger files, in which the quadratic part of the work outgrows the rest.
 */
async function growth(type: FileType, make: Make, least: number): Promise<number> {
  let growth = 0;
  for (let size = least; size <= least * LARGEST; size *= 2) {
    const [small, large] = [make(size), make(size * TIMES_AS_MUCH)];
    let [short, long] = [Infinity, Infinity];
    for (let tries = 0; tries < TRIES; tries += 1) {
      long = Math.min(long, await timeOf(type, large));
      if (long < MEASURABLE) return 0;
      short = Math.min(short, await timeOf(type, small));
      growth = long / short;
      if (growth < SUSPICIOUS) return growth;
    }
    if (growth > MOST_GROWTH) return growth;
  }
  return growth;
}

/** How the time to read each format grows with the size of the file, where that can be measured. */
export async function run(): Promise<{ title: string; rows: object[] }> {
  const rows: object[] = [];
  for (const [type, cases] of Object.entries(growingFiles) as [
    FileType,
    [string, Make, number][],
  ][])
    for (const [name, make, least] of cases) {
      const times = await growth(type, make, least);
      if (times >= SUSPICIOUS) rows.push({ type, name, 'times as long': times.toFixed(1) });
    }
  return {
    title: 'Files of four times the size: formats that take more than six times as long',
    rows,
  };
}
