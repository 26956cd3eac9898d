/**
 * Fills one engine, and asks it in a process of its own, so that its memory is its own:
 * `node bench/engine-child.ts <engine> <folder>`. Prints an `EngineRow` as JSON.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { engines, type EngineChunk, type EngineName } from './engines.ts';
import { percentile, round } from './index-corpus.ts';

export interface EngineRow {
  engine: string;
  buildSeconds: number;
  medianMs: number;
  p95Ms: number;
  /** What the process that asks has more than one that does nothing, and the engine's server has. */
  memoryMb: number;
}

const WARM_UP = 10;
const MEGABYTE = 1_048_576;
/** Asking ends after this long: the slowest engines answer fewer questions. */
const MOST_SECONDS = 30;

const [name = '', folder = '', built] = process.argv.slice(2);
const engine = engines[name as EngineName];
const own = join(folder, name.replaceAll(/\W+/gu, '-'));

async function build(): Promise<void> {
  const lines = readFileSync(join(folder, 'chunks.ndjson'), 'utf8').trimEnd().split('\n');
  const chunks = lines.map((line) => JSON.parse(line) as EngineChunk);
  mkdirSync(own);
  const begin = performance.now();
  await engine.build(own, chunks);
  const seconds = round((performance.now() - begin) / 1000);
  const again = [import.meta.filename, name, folder, String(seconds)];
  const { status } = spawnSync(process.execPath, again, { stdio: 'inherit' });
  process.exitCode = status ?? 1;
}

async function ask(buildSeconds: number): Promise<EngineRow> {
  const questions = JSON.parse(readFileSync(join(folder, 'questions.json'), 'utf8')) as string[][];
  const before = process.memoryUsage().rss;
  const opened = await engine.open(own);
  const times: number[] = [];
  const until = performance.now() + MOST_SECONDS * 1000;
  for (const [number, terms] of questions.entries()) {
    const start = performance.now();
    await opened.search(terms);
    if (number >= WARM_UP) times.push(performance.now() - start);
    if (performance.now() > until && times.length > 0) break;
  }
  const outside = (await opened.outside?.()) ?? 0;
  const memory = process.memoryUsage().rss - before + outside;
  await opened.close();
  return {
    engine: name,
    buildSeconds,
    medianMs: percentile(times, 0.5),
    p95Ms: percentile(times, 0.95),
    memoryMb: Math.round(memory / MEGABYTE),
  };
}

if (built) console.log(JSON.stringify(await ask(Number(built))));
else await build();
process.exit();
