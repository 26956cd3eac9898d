import { setImmediate } from 'node:timers/promises';
import type { ImportResult } from '@engram/contract';
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

/** Maximum size of a document, in bytes: a profile with its photo. */
const DOCUMENT_BYTES = 4_000_000;

const MAX_ENTRIES = { files: 100_000, history: 500_000, keywords: 10_000 };

/** Maximum size of the lists, in bytes. The first two are in memory. */
const MAX_BYTES = {
  [MEMBERS.files]: 100_000_000,
  [MEMBERS.keywords]: 100_000_000,
  [MEMBERS.history]: 1_000_000_000,
};

/** Further refusals are only counted. */
const MAX_REFUSALS = 1000;

/** Collects what could not be imported. */
export function createRefusals() {
  const listed: ImportResult['rejected'] = [];
  let more = 0;
  return {
    add({ name, message }: ImportResult['rejected'][number]): void {
      if (listed.length < MAX_REFUSALS) listed.push({ name, message });
      else more += 1;
    },
    list: (): ImportResult['rejected'] =>
      more === 0
        ? listed
        : [...listed, { name: `${more} more`, message: 'They could not be taken either.' }],
  };
}

export type Refusals = ReturnType<typeof createRefusals>;

/** A valid entry, or why it is invalid. */
export type Read<T> = { entry: T } | { name: string; message: string };

/** Characters of the name of an invalid entry. */
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

/** The entries of a list, one after the other. A missing member is an empty list. */
async function* readList<S extends z.ZodType>(
  archive: Archive,
  path: string,
  schema: S,
  { most, signal }: { most: number; signal: AbortSignal },
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
    signal.throwIfAborted();
    // One chunk of the file may have hundreds of entries.
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
 * Reads an unknown export completely once, so that a damaged one changes nothing. The long lists are
 * read again while they are imported, so that they are never held in memory. Invalid entries come
 * with the reason.
 * @throws the signal's reason when the import is cancelled; HttpError 400 when it is damaged, 413 when it is too large, 415 when it is no export.
 */
export async function readExport(archive: Archive, signal: AbortSignal) {
  await readManifest(archive);
  for (const path of [MEMBERS.files, MEMBERS.keywords]) {
    if (archive.size(path) === undefined) throw damagedExport(path);
  }
  for (const [path, most] of Object.entries(MAX_BYTES)) {
    if ((archive.size(path) ?? 0) > most) throw tooManyMembers();
  }
  const history = (): AsyncGenerator<Read<ExportedEntry>> =>
    readList(archive, MEMBERS.history, exportedEntry, {
      most: MAX_ENTRIES.history,
      signal,
    });
  const keywords: Read<ExportedKeyword>[] = await collect(
    readList(archive, MEMBERS.keywords, exportedKeyword, {
      most: MAX_ENTRIES.keywords,
      signal,
    }),
  );
  const files = (): AsyncGenerator<Read<ExportedFile>> =>
    readList(archive, MEMBERS.files, exportedFile, { most: MAX_ENTRIES.files, signal });
  for await (const _ of files());
  const known = archive.size(MEMBERS.profile) !== undefined;
  const profile = exportedProfile.safeParse(
    known ? storableText(await readDocument(archive, MEMBERS.profile)) : undefined,
  );
  for await (const _ of history());
  return { keywords, files, history, profile: profile.data ?? null };
}

export type ReadExport = Awaited<ReturnType<typeof readExport>>;
