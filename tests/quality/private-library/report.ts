import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildPrivateLibrary, turnsBefore } from './library.ts';
import { FOLDERS, loadQuestions, SET } from './questions.ts';
import { readFolders } from './read.ts';

/** Asks every question of the set and prints the figures of the set's scoring program. */
export async function reportOnPrivateLibrary(options: readonly string[] = []): Promise<void> {
  if (FOLDERS.length === 0) {
    console.log('The private library or its manuals (ENGRAM_QUALITY_MANUALS) are not here.');
    return;
  }
  const { files, refused } = await readFolders(FOLDERS);
  console.log(
    `\nA private library of ${files.length} files; not read: ${refused.join(', ') || 'none'}`,
  );
  const library = await buildPrivateLibrary(files);
  const results = loadQuestions().map(async (question) => {
    const { sections, grounded } = await library.ask(question.q, turnsBefore(question));
    const shown = sections.slice(0, 5).map(({ fileName, text }) => ({ file: fileName, text }));
    return { id: question.id, grounded, shown };
  });
  const lines = await Promise.all(results);
  const folder = mkdtempSync(join(tmpdir(), 'engram-marks-'));
  try {
    const answers = process.env['ENGRAM_QUALITY_ANSWERS'] ?? join(folder, 'answers.jsonl');
    writeFileSync(answers, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
    const marker = [join(SET, 'grade.mjs'), answers, '--shown', ...options];
    console.log(execFileSync(process.execPath, marker).toString());
  } finally {
    rmSync(folder, { recursive: true });
  }
}

if (import.meta.main) await reportOnPrivateLibrary(process.argv.slice(2));
