import { cpSync, mkdirSync, mkdtempSync, rmSync, utimesSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { Engine } from '../../apps/connector/src/engine.ts';
import { startPage } from '../../apps/connector/src/page/page.ts';
import type { Engram } from '../../tests/e2e/engram.ts';
import type { Film } from './film.ts';

const HOUR_S = 3600;

/** A Connector of its own, let in by a key, on a home folder with papers in it. */
export interface FilmedConnector {
  /** Where its page lets in one browser. */
  url: string;
  close: () => Promise<void>;
}

/** Starts a true Connector, and puts `files` into the folder that it is to keep in step. */
export async function startConnector(
  engram: Engram,
  key: string,
  files: readonly string[],
): Promise<FilmedConnector> {
  const state = mkdtempSync(path.join(tmpdir(), 'engram-film-'));
  // The clip shows this path.
  const home = path.join(tmpdir(), 'ann');
  const folder = path.join(home, 'Documents', 'Papers');
  mkdirSync(folder, { recursive: true });
  const longAgo = Date.now() / 1000 - HOUR_S;
  for (const file of files) {
    const copy = path.join(folder, path.basename(file));
    cpSync(file, copy);
    // A file that was only just written would be waited for.
    utimesSync(copy, longAgo, longAgo);
  }
  const engine = await Engine.open({
    home: state,
    version: '0.1.0',
    keychain: null,
  });
  await engine.pair(engram.url, key);
  engine.start();
  const served = await startPage(engine, { home });
  return {
    url: served.url,
    close: async () => {
      await served.close();
      await engine.close();
      for (const made of [state, home]) rmSync(made, { recursive: true, force: true });
    },
  };
}

/** Chooses a folder, looks at what would be sent, and sends it. */
export async function chooseFolder(page: Page, film: Film): Promise<string> {
  await film.click(page.getByRole('button', { name: 'Add folder' }));
  const folders = page.getByRole('region', { name: 'Folders of this computer' });
  for (const name of ['Documents', 'Papers']) {
    const folder = folders.getByRole('listitem').getByRole('button', { name });
    await film.until(() => folder.isVisible());
    await film.hold(0.5);
    await film.click(folder);
  }
  await film.hold(0.8);
  await film.click(page.getByRole('button', { name: 'Look at it' }));
  const send = page.getByRole('button', { name: /^Add and send/u });
  await film.until(() => send.isVisible());
  await film.hold(1.8);
  await film.click(send);
  await film.until(() => page.getByRole('heading', { name: 'Everything is in step' }).isVisible());
  await film.hold(2.4);
  return film.picture();
}
