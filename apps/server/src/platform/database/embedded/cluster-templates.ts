import { randomUUID } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { startEmbeddedServer } from './embedded-server.ts';

const cache = fileURLToPath(
  new URL('../../../../../../node_modules/.cache/engram', import.meta.url),
);

/** The version of the embedded database. Other versions may not read its clusters. */
function engineVersion(): string {
  const entry = fileURLToPath(import.meta.resolve('@electric-sql/pglite'));
  const manifest = path.join(path.dirname(entry), '../package.json');
  return (JSON.parse(readFileSync(manifest, 'utf8')) as { version: string }).version;
}

export const EMPTY_CLUSTER = 'empty';

const folderOf = (name: string): string => path.join(cache, `cluster-${engineVersion()}-${name}`);

/** Stores a cluster as a template. `make` gets an empty folder, and returns the path of a stopped cluster. */
export async function storeTemplate(
  name: string,
  make: (folder: string) => Promise<string>,
): Promise<void> {
  const template = folderOf(name);
  if (existsSync(template)) return;
  const scratch = `${template}-${randomUUID()}`;
  mkdirSync(scratch, { recursive: true, mode: 0o700 });
  try {
    const cluster = await make(scratch);
    // Another process may have stored it first.
    await rename(cluster, template).catch(() => undefined);
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

export const storeEmptyCluster = (): Promise<void> =>
  storeTemplate(EMPTY_CLUSTER, async (scratch) => {
    const folder = path.join(scratch, 'database');
    mkdirSync(folder, { mode: 0o700 });
    await makeCluster(folder);
    return folder;
  });

export function copyTemplate(name: string, folder: string): boolean {
  const template = folderOf(name);
  if (!existsSync(template)) return false;
  cpSync(template, folder, { recursive: true, mode: 0 });
  return true;
}

/** Creates an empty cluster in a thread, so that its memory is freed afterwards. */
export async function makeCluster(folder: string): Promise<void> {
  const server = await startEmbeddedServer({
    folder,
    idleInTransactionMs: 0,
    statementTimeoutMs: 60_000,
    onDeath: () => undefined,
  });
  await server.close();
}
