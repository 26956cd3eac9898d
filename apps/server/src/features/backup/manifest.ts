import { Readable } from 'node:stream';
import { z } from 'zod';
import type { FileStore } from '../../platform/files/files.ts';

const stored = { size: z.number().int().min(0), sha256: z.string().length(64) };

const summaryShape = z.object({
  /** Raised when an older Engram could not read it any more. */
  format: z.literal(1),
  /** The version of Engram that wrote it. */
  engram: z.string(),
  /** The newest migration of its database. */
  schema: z.string(),
  /** When it was begun. */
  at: z.coerce.date(),
  /** How many files it names, and their bytes. */
  files: z.number().int().min(0),
  bytes: z.number().int().min(0),
  /** The archive of the data folder without its files. */
  data: z.object(stored),
});

const fileShape = z.object({
  /** Where the file store keeps it. */
  key: z.string(),
  /** What tells its bytes from those that the same key had at other times. */
  copy: z.string(),
  ...stored,
});

/** The first line of a manifest: what a backup is. */
export type Summary = z.output<typeof summaryShape>;

/** Each further line: a file that belongs to it. */
export type SavedFile = z.output<typeof fileShape>;

/** A backup that is whole. */
export interface Backup extends Summary {
  /** Such as 2026-11-27-030000, the time in UTC. */
  name: string;
  /** The folder in which it is kept, which tells whose it is, too. */
  prefix: string;
}

const MANIFEST = 'manifest.jsonl';
const manifestKey = new RegExp(`^[^/]+/([^/]+)/${MANIFEST}$`, 'u');

/** @param installation the id of the data folder, see the file of that name */
export const prefixOf = (installation: string, at: Date): string =>
  `${installation}/${at.toISOString().slice(0, 19).replace('T', '-').replaceAll(':', '')}`;

/** Where the archive of a backup is kept. */
export const dataKey = (prefix: string): string => `${prefix}/data.zip`;

/** Where the bytes of a file are kept, which any number of backups name. */
export const copyKey = ({ key, copy }: Pick<SavedFile, 'key' | 'copy'>): string => `${key}.${copy}`;

/** Without its manifest it is none, whatever is left of it. */
export async function removeBackup(backups: FileStore, prefix: string): Promise<void> {
  await backups.remove(`${prefix}/${MANIFEST}`);
  await backups.removePrefix(prefix);
}

async function* linesOf(stream: Readable): AsyncGenerator<unknown> {
  let rest = '';
  for await (const piece of stream.setEncoding('utf8')) {
    const lines = (rest + String(piece)).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) yield JSON.parse(line);
  }
}

/** Writes the manifest, which makes a backup of what was stored before: all of it, or nothing. */
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

/** The files of a backup. @throws Error with a sentence where the manifest is damaged */
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

/**
 * The backups that are whole, oldest first, and the names of those whose manifest cannot be read.
 * What was cut short before its manifest was written is neither.
 */
export async function listBackups(
  backups: FileStore,
): Promise<{ whole: Backup[]; unreadable: string[] }> {
  const whole: Backup[] = [];
  const unreadable: string[] = [];
  for (const key of await backups.list('')) {
    const [, name] = manifestKey.exec(key) ?? [];
    if (name === undefined) continue;
    const summary = await summaryOf(backups, key).catch((error: unknown) => {
      if (error instanceof SyntaxError) return null;
      throw error;
    });
    const prefix = key.slice(0, -MANIFEST.length - 1);
    if (summary) whole.push({ ...summary, name, prefix });
    else unreadable.push(name);
  }
  whole.sort((one, other) => one.at.getTime() - other.at.getTime());
  return { whole, unreadable };
}
