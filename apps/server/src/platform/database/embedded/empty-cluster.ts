import { randomUUID } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startEmbeddedServer } from './embedded-server.ts';

const modules = fileURLToPath(new URL('../../../../../../node_modules', import.meta.url));

/** Where the empty cluster of this version of the embedded database is kept. */
function templateFolder(): string {
  const entry = fileURLToPath(import.meta.resolve('@electric-sql/pglite'));
  const manifest = join(dirname(entry), '../package.json');
  const { version } = JSON.parse(readFileSync(manifest, 'utf8')) as { version: string };
  return join(modules, '.cache/engram', `empty-cluster-${version}`);
}

/**
 * Makes an empty cluster once for an installation: making one takes seconds, copying it moments.
 * Without it a first start makes its own.
 */
export async function prepareEmptyCluster(): Promise<void> {
  const template = templateFolder();
  if (existsSync(template)) return;
  const fresh = `${template}-${randomUUID()}`;
  mkdirSync(fresh, { recursive: true, mode: 0o700 });
  await makeCluster(fresh);
  // Another process may have been first.
  await rename(fresh, template).catch(() => rm(fresh, { recursive: true }));
}

/** Copies the prepared cluster; answers false when there is none. */
export function copyEmptyCluster(folder: string): boolean {
  const template = templateFolder();
  if (!existsSync(template)) return false;
  cpSync(template, folder, { recursive: true, mode: 0 });
  return true;
}

/** Makes a cluster in a thread of its own, whose memory (initdb runs in it too) is given back. */
export async function makeCluster(folder: string): Promise<void> {
  const server = await startEmbeddedServer({
    folder,
    idleInTransactionMs: 0,
    statementTimeoutMs: 60_000,
    onDeath: () => undefined,
  });
  await server.close();
}
