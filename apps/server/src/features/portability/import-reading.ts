import { setImmediate } from 'node:timers/promises';
import type { z } from 'zod';
import { describeIssue, storableText, UNCLEAR } from '../../platform/http/input.ts';
import {
  type ExportedEntry,
  exportedEntry,
  type ExportedFile,
  exportedFile,
  type ExportedKeyword,
  exportedKeyword,
  exportedProfile,
  FORMAT,
  manifest,
  MEMBERS,
  VERSION,
} from './export-format.ts';
import type { Archive } from './import-archive.ts';
import { readJsonList } from './json-list.ts';
import {
  damagedExport,
  foreignVersion,
  notAnExport,
  tooManyMembers,
} from './portability.errors.ts';

/** The largest document that is read as a whole, in bytes: a profile with its photo. */
const DOCUMENT_BYTES = 4_000_000;

/** Entries that one list may have. */
const MOST_ENTRIES = { files: 100_000, history: 500_000, keywords: 10_000 };

/** The largest lists in bytes: what is held in memory, and what the database is to keep. */
const MOST_BYTES = {
  [MEMBERS.files]: 100_000_000,
  [MEMBERS.keywords]: 100_000_000,
  [MEMBERS.history]: 1_000_000_000,
};

/** What one entry of a list says, or why it cannot be taken. */
type Read<T> = { entry: T } | { name: string; message: string };

/** Characters of a name or a question by which a refused entry is told. */
const NAME_LENGTH = 100;

function nameOf(value: unknown): string {
  const { name, question, keyword } = value as Record<string, unknown>;
  const given = [name, question, keyword].find((text) => typeof text === 'string') ?? '';
  const short = String(given).slice(0, NAME_LENGTH).toWellFormed().trim();
  return short || 'An entry without a name';
}

function readEntry<S extends z.ZodType>(schema: S, value: unknown): Read<z.output<S>> {
  const storable = storableText(value);
  const parsed = schema.safeParse(storable, { error: describeIssue });
  if (parsed.success) return { entry: parsed.data };
  return { name: nameOf(storable), message: parsed.error.issues[0]?.message ?? UNCLEAR };
}

async function readDocument(archive: Archive, path: string): Promise<unknown> {
  if ((archive.size(path) ?? 0) > DOCUMENT_BYTES) throw damagedExport(path);
  try {
    const parts: Buffer[] = [];
    for await (const part of await archive.read(path)) parts.push(part as Buffer);
    return JSON.parse(Buffer.concat(parts).toString()) as unknown;
  } catch {
    throw damagedExport(path);
  }
}

/** The entries of a list, read one after the other; without such a member there are none. */
async function* readList<S extends z.ZodType>(
  archive: Archive,
  path: string,
  schema: S,
  most: number,
): AsyncGenerator<Read<z.output<S>>> {
  if (archive.size(path) === undefined) return;
  let count = 0;
  const content = await archive.read(path).catch(() => {
    throw damagedExport(path);
  });
  const values = readJsonList(content as AsyncIterable<Buffer>);
  for (;;) {
    const next = await values.next().catch(() => {
      throw damagedExport(path);
    });
    if (next.done) return;
    count += 1;
    if (count > most) throw tooManyMembers();
    // Hundreds come in one piece of a file: others come in between.
    await setImmediate();
    yield readEntry(schema, next.value);
  }
}

async function readManifest(archive: Archive): Promise<void> {
  if (archive.size(MEMBERS.manifest) === undefined) throw notAnExport();
  const given = await readDocument(archive, MEMBERS.manifest);
  const { format, version } = (given ?? {}) as Record<string, unknown>;
  if (format !== FORMAT) throw notAnExport();
  if (typeof version === 'number' && version !== VERSION) throw foreignVersion(version);
  if (!manifest.safeParse(given).success) throw damagedExport(MEMBERS.manifest);
}

async function collect<T>(list: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const item of list) all.push(item);
  return all;
}

/**
 * Reads an export of which nothing is known yet, all of it once, so that a damaged one changes
 * nothing. What is wrong with single entries is told with them.
 * @throws HttpError 400 when it is damaged, 413 when it is too large, 415 when it is no export.
 */
export async function readExport(archive: Archive) {
  await readManifest(archive);
  for (const path of [MEMBERS.files, MEMBERS.keywords]) {
    if (archive.size(path) === undefined) throw damagedExport(path);
  }
  for (const [path, most] of Object.entries(MOST_BYTES)) {
    if ((archive.size(path) ?? 0) > most) throw tooManyMembers();
  }
  const history = (): AsyncGenerator<Read<ExportedEntry>> =>
    readList(archive, MEMBERS.history, exportedEntry, MOST_ENTRIES.history);
  const keywords: Read<ExportedKeyword>[] = await collect(
    readList(archive, MEMBERS.keywords, exportedKeyword, MOST_ENTRIES.keywords),
  );
  const files: Read<ExportedFile>[] = await collect(
    readList(archive, MEMBERS.files, exportedFile, MOST_ENTRIES.files),
  );
  const known = archive.size(MEMBERS.profile) !== undefined;
  const profile = exportedProfile.safeParse(
    known ? storableText(await readDocument(archive, MEMBERS.profile)) : undefined,
  );
  for await (const _ of history());
  return { keywords, files, history, profile: profile.data ?? null };
}

export type ReadExport = Awaited<ReturnType<typeof readExport>>;
