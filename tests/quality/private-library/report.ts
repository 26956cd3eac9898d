import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildPrivateLibrary, turnsBefore } from './library.ts';
import { FOLDERS, loadQuestions, SET } from './questions.ts';
import { readFolders } from './read.ts';

/** What the marker's summary must say: no less right and refused, no more wrong. They may only rise. */
const FLOORS = [
  { line: /^right of answerable\s+(\d+)\/140/mu, least: 68 },
  { line: /^refused of unanswerable\s+(\d+)\/20/mu, least: 19 },
  { line: /^wrong or misleading of answered\s.*?([\d.]+)%/mu, most: 14 },
] as const;

/** A sentence for each floor that marks do not reach. */
function belowFloors(marks: string): string[] {
  return FLOORS.flatMap((floor) => {
    const found = Number(floor.line.exec(marks)?.[1] ?? Number.NaN);
    const holds = 'least' in floor ? found >= floor.least : found <= floor.most;
    const bound = 'least' in floor ? `at least ${floor.least}` : `at most ${floor.most} %`;
    return holds ? [] : [`${floor.line.exec(marks)?.[0] ?? floor.line.source}: must be ${bound}.`];
  });
}

/**
 * Asks every question of the set and prints its marks, by the marker that comes with it; below the
 * floors the command fails.
 *
 * @param options of the marker: '--each' tells of every question
 */
export async function reportOnPrivateLibrary(options: readonly string[] = []): Promise<void> {
  if (FOLDERS.length === 0) {
    console.log('The private library or its manuals (ENGRAM_QUALITY_MANUALS) are not here.');
    return;
  }
  const { files, refused } = await readFolders(FOLDERS);
  console.log(
    `\nA private library of ${files.length} files; not read: ${refused.join(', ') || 'none'}`,
  );
  const library = buildPrivateLibrary(files);
  const lines = loadQuestions().map((question) => {
    const { id, q } = question;
    const before = turnsBefore(library, question);
    const start = performance.now();
    const asked = library.ask(q, before);
    const ms = Math.round(performance.now() - start);
    const { answer } = asked;
    const ranked = [...new Set(asked.ranked.map(({ fileName }) => fileName))];
    const cited = answer.citations.map(({ fileName }) => fileName);
    return { id, answer: answer.markdown, grounded: answer.grounded, cited, ranked, ms };
  });
  const folder = mkdtempSync(join(tmpdir(), 'engram-marks-'));
  try {
    const answers = process.env['ENGRAM_QUALITY_ANSWERS'] ?? join(folder, 'answers.jsonl');
    writeFileSync(answers, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
    const marks = execFileSync(process.execPath, [join(SET, 'grade.mjs'), answers, ...options]);
    console.log(marks.toString());
    const broken = belowFloors(marks.toString());
    for (const sentence of broken) console.error(sentence);
    if (broken.length > 0) process.exitCode = 1;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

if (import.meta.main) await reportOnPrivateLibrary(process.argv.slice(2));
