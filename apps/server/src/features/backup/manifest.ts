import { Readable } from 'node:stream';
import { z } from 'zod';
import type { FileStore } from '../../platform/files/files.ts';

const stored = { size: z.number().int().min(0), sha256: z.string().length(64) };

const summaryShape = z.object({
  /** Incremented by changes that older versions cannot read. */
  format: z.literal(1),
  engram: z.string(),
  schema: z.string(),
  at: z.coerce.date(),
  files: z.number().int().min(0),
  bytes: z.number().int().min(0),
  data: z.object(stored),
});

const fileShape = z.object({
  key: z.string(),
  copy: z.string(),
  ...stored,
});

export type Summary = z.output<typeof summaryShape>;

export type SavedFile = z.output<typeof fileShape>;

export interface Backup extends Summary {
  name: string;
  /** The folder, which begins with the ID of the installation. */
  prefix: string;
}

export interface BackupPlace {
  backups: FileStore;
  /** The bytes of files, shared by all backups. */
  pool: FileStore;
  close(): void;
}

const MANIFEST = 'manifest.jsonl';
const manifestKey = new RegExp(`^[^/]+/([^/]+)/${MANIFEST}$`, 'u');

/** @param installation the ID in the data folder's file 'installation' */
export const prefixOf = (installation: string, time: Date): string =>
  `${installation}/${time.toISOString().slice(0, 19).replace('T', '-').replaceAll(':', '')}`;

export const dataKey = (prefix: string): string => `${prefix}/data.zip`;

/** The key of a file's bytes in the pool. */
export const copyKey = ({ key, copy }: Pick<SavedFile, 'key' | 'copy'>): string => `${key}.${copy}`;

/** Removes the manifest first, so that an interrupted removal leaves no complete backup. */
export async function removeBackup(backups: FileStore, prefix: string): Promise<void> {
  await backups.remove(`${prefix}/${MANIFEST}`);
  await backups.removePrefix(prefix);
}

async function* linesOf(stream: Readable): AsyncGenerator<unknown> {
  let rest = '';
  for await (const chunk of stream.setEncoding('utf8')) {
    const lines = (rest + String(chunk)).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) yield JSON.parse(line);
  }
}

/** Writes the manifest atomically, which completes the backup. */
export async function writeManifest(
  backups: FileStore,
  prefix: string,
  summary: Summary,
  files: Iterable<SavedFile>,
): Promise<void> {
  function* lines() {
    yield `${JSON.stringify(summary)}\n`;
    for (const file of files) yield `${JSON.stringify(file)}\n`;
  }
  await backups.write(`${prefix}/${MANIFEST}`, Readable.from(lines()));
}

/** The files of a backup. @throws Error if the manifest is damaged */
export async function* filesOf(
  backups: FileStore,
  { prefix, name, files }: Backup,
): AsyncGenerator<SavedFile> {
  let line = 0;
  try {
    for await (const value of linesOf(await backups.read(`${prefix}/${MANIFEST}`))) {
      if (line > 0) yield fileShape.parse(value);
      line += 1;
    }
  } catch (error) {
    if (!(error instanceof SyntaxError || error instanceof z.ZodError)) throw error;
    throw damaged(name, error);
  }
  if (line !== files + 1) throw damaged(name);
}

const damaged = (name: string, cause?: unknown): Error =>
  new Error(`The manifest of the backup ${name} is damaged.`, { cause });

async function summaryOf(backups: FileStore, key: string): Promise<Summary | null> {
  for await (const value of linesOf(await backups.read(key))) {
    return summaryShape.safeParse(value).data ?? null;
  }
  return null;
}

/** The complete backups, oldest first, and the names of those with an unreadable manifest. */
export async function listBackups(
  backups: FileStore,
): Promise<{ complete: Backup[]; unreadable: string[] }> {
  const complete: Backup[] = [];
  const unreadable: string[] = [];
  for (const key of await backups.list('')) {
    const [, name] = manifestKey.exec(key) ?? [];
    if (name === undefined) continue;
    const summary = await summaryOf(backups, key).catch((error: unknown) => {
      if (error instanceof SyntaxError) return null;
      throw error;
    });
    const prefix = key.slice(0, -MANIFEST.length - 1);
    if (summary) complete.push({ ...summary, name, prefix });
    else unreadable.push(name);
  }
  complete.sort((a, b) => a.at.getTime() - b.at.getTime());
  return { complete, unreadable };
}

const count = (n: number): string => n.toLocaleString('en-US');
const megabytes = (bytes: number): string => `${count(Math.ceil(bytes / 1_000_000))} MB`;

const describe = ({ name, files, bytes, data, engram, schema }: Backup): string =>
  `${name}  ${count(files)} files (${megabytes(bytes)}), database ${megabytes(data.size)}, Engram ${engram}, schema ${schema}\n`;

export const describeBackups = (backups: readonly Backup[]): string =>
  backups.map(describe).join('');
