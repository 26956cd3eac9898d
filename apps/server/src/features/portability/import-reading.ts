import { setImmediate } from 'node:timers/promises';
import type { ImportResult } from '@engram/contract';
import type { z } from 'zod';
import { HttpError } from '../../platform/http/errors.ts';
import { describeIssue, storableText, UNCLEAR } from '../../platform/http/mount.ts';
import {
  exportedEntry,
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
import { damagedExport, notAnExport, refusal } from './portability.errors.ts';

/** Maximum size of a document, in bytes: a profile with its photo. */
const DOCUMENT_BYTES = 4_000_000;

/** The lists of an export with their limits. Keywords are read into memory. */
const LISTS = {
  files: {
    path: MEMBERS.files,
    schema: exportedFile,
    maxEntries: 100_000,
    maxBytes: 100_000_000,
  },
  keywords: {
    path: MEMBERS.keywords,
    schema: exportedKeyword,
    maxEntries: 10_000,
    maxBytes: 100_000_000,
  },
  history: {
    path: MEMBERS.history,
    schema: exportedEntry,
    maxEntries: 500_000,
    maxBytes: 1_000_000_000,
  },
};

/** Refusals beyond this number are only counted. */
const MAX_REFUSALS = 1000;

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
        : [...listed, { name: `${more} more`, message: 'They could not be imported either.' }],
  };
}

export type Refusals = ReturnType<typeof createRefusals>;

/** The maximum length of an invalid entry's name. */
const MAX_NAME_LENGTH = 100;

function nameOf(value: unknown): string {
  const { name, question, keyword } = value as Record<string, unknown>;
  const label = [name, question, keyword].find((text) => typeof text === 'string') ?? '';
  const short = String(label).slice(0, MAX_NAME_LENGTH).toWellFormed().trim();
  return short || 'Unnamed entry';
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

/** Yields the valid entries of a list. A missing member is an empty list. */
async function* readList<S extends z.ZodType>(
  archive: Archive,
  { path, schema, maxEntries }: { path: string; schema: S; maxEntries: number },
  signal: AbortSignal,
  refusals: Refusals | null,
): AsyncGenerator<z.output<S>> {
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
    if (count > maxEntries) throw refusal('too_many_members');
    signal.throwIfAborted();
    // One chunk may contain hundreds of entries, so other work runs in between.
    await setImmediate();
    const value = storableText(next.value);
    const { data, error, success } = schema.safeParse(value, { error: describeIssue });
    if (success) yield data;
    else refusals?.add({ name: nameOf(value), message: error.issues[0]?.message ?? UNCLEAR });
  }
}

async function readManifest(archive: Archive): Promise<void> {
  if (archive.size(MEMBERS.manifest) === undefined) throw notAnExport();
  const document = await readDocument(archive, MEMBERS.manifest);
  const { format, version } = (document ?? {}) as Record<string, unknown>;
  if (format !== FORMAT) throw notAnExport();
  if (typeof version === 'number' && version !== VERSION) {
    const message = `The export has format ${version}, which this version of Engram cannot read. Please update Engram first.`;
    throw new HttpError(415, 'foreign_version', message);
  }
  if (!manifest.safeParse(document).success) throw damagedExport(MEMBERS.manifest);
}

/**
 * Reads a whole export once before anything is imported, so that a damaged one changes nothing. Long
 * lists are read again during the import instead of being held in memory.
 * @throws the signal's reason if the import is cancelled; HttpError 400 if the export is damaged, 413 if
 * it is too large, 415 if it is not an export
 */
export async function readExport(archive: Archive, signal: AbortSignal, refusals: Refusals) {
  await readManifest(archive);
  for (const { path } of [LISTS.files, LISTS.keywords]) {
    if (archive.size(path) === undefined) throw damagedExport(path);
  }
  for (const { path, maxBytes } of Object.values(LISTS)) {
    if ((archive.size(path) ?? 0) > maxBytes) throw refusal('too_many_members');
  }
  const keywords: ExportedKeyword[] = [];
  for await (const entry of readList(archive, LISTS.keywords, signal, refusals)) {
    keywords.push(entry);
  }
  for await (const _ of readList(archive, LISTS.files, signal, null));
  const hasProfile = archive.size(MEMBERS.profile) !== undefined;
  const profile = exportedProfile.safeParse(
    hasProfile ? storableText(await readDocument(archive, MEMBERS.profile)) : undefined,
  );
  for await (const _ of readList(archive, LISTS.history, signal, null));
  return {
    keywords,
    files: () => readList(archive, LISTS.files, signal, refusals),
    history: () => readList(archive, LISTS.history, signal, refusals),
    profile: profile.data ?? null,
  };
}

export type ReadExport = Awaited<ReturnType<typeof readExport>>;
