import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { text } from 'node:stream/consumers';
import { analyzeQuestion } from '@engram/retrieval';
import type { EngineRow } from './engine-child.ts';
import { engines, type EngineChunk, type EngineName } from './engines.ts';
import type { LibraryText } from './library-text.ts';

const QUESTIONS = 70;

/** The chunks of a library and questions about it, as every engine is to get them. */
export interface EngineInput {
  chunks: EngineChunk[];
  questions: string[][];
}

/** Takes the chunks out of a person's index, so that all engines have those of the server. */
export function readInput(path: string, library: LibraryText, most: number): EngineInput {
  const database = new DatabaseSync(path);
  const rows = database
    .prepare(
      `SELECT a.id AS "artifactId", c.ordinal, t.terms
       FROM chunks c JOIN artifacts a ON a.number = c.artifact JOIN contents t ON t.chunk = c.id
       LIMIT ?`,
    )
    .all(most) as unknown as Omit<EngineChunk, 'id'>[];
  database.close();
  return {
    chunks: rows.map((row, id) => ({ ...row, id })),
    questions: Array.from({ length: QUESTIONS }, () =>
      analyzeQuestion(library.question(), ['en']).query.split(' '),
    ),
  };
}

function commandOf(name: EngineName, folder: string): string[] {
  const child = [process.execPath, join(import.meta.dirname, 'engine-child.ts'), name, folder];
  const server = join(import.meta.dirname, '../scripts/with-services.ts');
  return name === 'PostgreSQL' ? [process.execPath, server, 'postgres', ...child] : child;
}

async function runEngine(name: EngineName, folder: string): Promise<EngineRow | string> {
  const [program = '', ...args] = commandOf(name, folder);
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  const [out, problem] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    child.exitCode ?? once(child, 'exit'),
  ]);
  const line = out.trimEnd().split('\n').at(-1);
  return line ? (JSON.parse(line) as EngineRow) : `${name} is left out: ${problem.trim()}`;
}

/** The retrieval stage of every engine over the same chunks and questions, one after the other. */
export async function run(input: EngineInput) {
  const folder = await mkdtemp(join(tmpdir(), 'engram-engines-'));
  try {
    const lines = input.chunks.map((chunk) => `${JSON.stringify(chunk)}\n`);
    await writeFile(join(folder, 'chunks.ndjson'), lines);
    await writeFile(join(folder, 'questions.json'), JSON.stringify(input.questions));
    const rows: EngineRow[] = [];
    const notes: string[] = [];
    for (const name of Object.keys(engines) as EngineName[]) {
      const result = await runEngine(name, folder);
      if (typeof result === 'string') notes.push(result);
      else rows.push(result);
    }
    const what = `Retrieval side by side, the best 50 of the same ${input.chunks.length} chunks`;
    const title = [what, ...notes].join('\n');
    return { title, rows };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
