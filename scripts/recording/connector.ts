import { cpSync, mkdirSync, mkdtempSync, rmSync, utimesSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Engine } from '../../apps/connector/src/engine.ts';
import { startPage } from '../../apps/connector/src/page/page.ts';
import type { Engram } from '../../tests/e2e/engram.ts';

const HOUR_S = 3600;

/** Starts a Connector that is paired by a key, for a home folder with some files. */
export async function startConnector(engram: Engram, key: string, files: readonly string[]) {
  const state = mkdtempSync(path.join(tmpdir(), 'engram-film-'));
  // The clip shows this path.
  const home = path.join(tmpdir(), 'ann');
  const folder = path.join(home, 'Documents', 'Papers');
  mkdirSync(folder, { recursive: true });
  const anHourAgo = Date.now() / 1000 - HOUR_S;
  for (const file of files) {
    const copy = path.join(folder, path.basename(file));
    cpSync(file, copy);
    // The Connector waits for files that have just been written.
    utimesSync(copy, anHourAgo, anHourAgo);
  }
  const engine = await Engine.open({ home: state, version: '0.1.0', keychain: null });
  await engine.pair(engram.url, key);
  engine.start();
  const served = await startPage(engine, { home });
  return {
    url: served.url,
    close: async (): Promise<void> => {
      await served.close();
      await engine.close();
      for (const made of [state, home]) rmSync(made, { recursive: true, force: true });
    },
  };
}
