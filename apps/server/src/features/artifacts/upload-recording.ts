import { randomUUID } from 'node:crypto';
import type { FileMeta } from '@engram/contract';
import { type SQL, sql } from 'drizzle-orm';
import type { DevicesService } from '../devices/devices.service.ts';
import type { Core } from '../../composition/core.ts';
import type { Executor } from '../../platform/database/database.ts';
import type { ArtifactDeletion } from '../deletion/artifact-deletion.ts';
import type { Ingestion } from '../ingestion/ingestion.module.ts';
import type { KeywordsService } from '../keywords/keywords.service.ts';
import type { SubscriptionService } from '../subscription/subscription.service.ts';
import type { ArtifactRow, NewArtifact } from './artifacts.tables.ts';
import { cleanFileName } from './file-name.ts';
import {
  findNote,
  findPredecessors,
  findSavedPage,
  linkVersions,
  type Succession,
} from './replacement.ts';
import type { StoredFile, UploadIntake } from './upload-intake.ts';

export interface FileServices {
  ingestion: Ingestion;
  deletion: ArtifactDeletion;
  keywords: KeywordsService;
  subscription: SubscriptionService;
  devices: Pick<DevicesService, 'findOwn'>;
}

/** Properties of one file, from a device or an export. */
export interface FileProperties {
  keywords?: string[];
  source?: ArtifactRow['source'];
  device?: string | null;
  archived?: boolean;
  path?: string | null;
  modifiedAt?: Date | null;
  webAddress?: string | null;
  createdAt?: Date;
  replaces?: string | null | undefined;
}

export const fromMeta = ({ path, modifiedAt, replaces }: FileMeta = {}): FileProperties => ({
  path: path ?? null,
  modifiedAt: modifiedAt ? new Date(modifiedAt) : null,
  replaces,
});

export interface UploadFields {
  filesKeywords: Record<string, string[]>;
  artifactText: string;
  keywords: string[];
  source?: 'Web' | 'API' | 'Connector' | 'Share' | 'Mail' | undefined;
  device?: string | undefined;
  deviceId?: string | undefined;
  editedNote?: string | undefined;
  /** The address of a web page. The file replaces the one that was saved from it before. */
  webAddress?: string | undefined;
  groupId?: string;
  properties?: ReadonlyMap<StoredFile, FileProperties> | undefined;
}

export const NO_FIELDS: UploadFields = { filesKeywords: {}, artifactText: '', keywords: [] };

export interface Recorded {
  file: StoredFile;
  id: string;
  revision: number;
  /** False if the user already had the same bytes. */
  created: boolean;
}

type StoredArtifact = {
  id: string;
  revision: number;
  /** Whether it must be extracted, because it is new or has new keywords. */
  needsExtraction: boolean;
};

const ROWS_PER_INSERT = 500;

/** A file of a removed device belongs to the next device that sends it. */
const IS_ORPHANED = sql`(a.device_id IS NULL AND a.source = 'Connector')`;

/** A file keeps its first path until its own device reports another one. */
const MOVES = sql`excluded.path IS NOT NULL
  AND (a.path IS NULL OR ${IS_ORPHANED} OR a.device_id IS NOT DISTINCT FROM excluded.device_id)`;

/** One parameter for all rows, because planning thousands of parameters takes as long as inserting. */
const insertStatement = (rows: string): SQL => sql`
  INSERT INTO artifacts AS a (id, user_id, group_id, file_name, file_type, media_type, size, sha256,
    source, device, keywords, archived, status, created_at, updated_at, path, modified_at, device_id,
    web_address)
  SELECT id, "userId", "groupId", "fileName", "fileType", "mediaType", size, sha256,
    source, device, keywords, coalesce(archived, false), status, "createdAt", "updatedAt",
    path, "modifiedAt", "deviceId", "webAddress"
  FROM json_to_recordset(${rows}::json) AS input (id uuid, "userId" uuid, "groupId" uuid,
    "fileName" text, "fileType" text, "mediaType" text, size bigint, sha256 text, source text,
    device text, keywords text[], archived boolean, status text, "createdAt" timestamptz, "updatedAt" timestamptz,
    path text, "modifiedAt" timestamptz, "deviceId" uuid, "webAddress" text)
  ON CONFLICT (user_id, sha256) DO UPDATE SET
    keywords = ARRAY(SELECT DISTINCT unnest(a.keywords || excluded.keywords)),
    status = CASE WHEN excluded.keywords <@ a.keywords THEN a.status ELSE 'PENDING' END,
    revision = a.revision + CASE WHEN excluded.keywords <@ a.keywords THEN 0 ELSE 1 END,
    updated_at = excluded.updated_at,
    path = CASE WHEN ${MOVES} THEN excluded.path ELSE a.path END,
    modified_at = CASE WHEN ${MOVES} THEN excluded.modified_at ELSE a.modified_at END,
    device_id = CASE WHEN ${IS_ORPHANED} THEN excluded.device_id ELSE a.device_id END,
    web_address = coalesce(a.web_address, excluded.web_address)
  RETURNING id, sha256, revision, status = 'PENDING' AS "needsExtraction"`;

/**
 * Inserts artifacts with different bytes, and returns them by SHA-256. If the user already has the same
 * bytes, new keywords are added to that artifact. It is extracted again, because keywords are indexed.
 */
export async function insertOrMerge(
  tx: Executor,
  rows: readonly NewArtifact[],
): Promise<Map<string, StoredArtifact>> {
  const stored = new Map<string, StoredArtifact>();
  // Every upload locks rows in the same order, which prevents deadlocks.
  const ordered = rows.toSorted((a, b) => (a.sha256 < b.sha256 ? -1 : 1));
  for (let from = 0; from < ordered.length; from += ROWS_PER_INSERT) {
    const batch = JSON.stringify(ordered.slice(from, from + ROWS_PER_INSERT));
    const result = await tx.execute<StoredArtifact & { sha256: string }>(insertStatement(batch));
    for (const { sha256, ...row } of result.rows) stored.set(sha256, row);
  }
  return stored;
}

const noop = (): void => {};

export function createUploadRecording(
  { storage, now }: Core,
  { deletion, keywords: keywordsService, subscription }: FileServices,
  intake: UploadIntake,
) {
  const { database, extractionQueue, libraryChanged, reprocess } = storage;

  /** The keywords of each file, spelled as in the user's list. */
  const keywordsOf = async (
    tx: Executor,
    userId: string,
    stored: readonly StoredFile[],
    fields: UploadFields,
  ): Promise<Map<StoredFile, string[]>> => {
    const byName = Map.groupBy(Object.entries(fields.filesKeywords), ([name]) =>
      cleanFileName(name),
    );
    const requestedFor = (file: StoredFile): string[] => [
      ...fields.keywords,
      ...(fields.properties?.get(file)?.keywords ??
        byName.get(file.fileName)?.flatMap(([, keywords]) => keywords) ??
        []),
    ];
    const spellings = await keywordsService.ensure(tx, userId, stored.flatMap(requestedFor));
    return new Map(
      stored.map((file) => [file, requestedFor(file).map((word) => spellings.get(word) ?? word)]),
    );
  };

  /**
   * Inserts the rows and jobs of a whole upload in one transaction. Files of devices and mailboxes that
   * the user has deleted are omitted and returned as `deleted`.
   */
  return async (userId: string, stored: readonly StoredFile[], fields: UploadFields) => {
    const { groupId = randomUUID(), properties, deviceId, editedNote, webAddress } = fields;
    const time = now();
    const isByUser = deviceId === undefined && fields.source !== 'Mail';
    const mayReplace = !isByUser || editedNote !== undefined || webAddress !== undefined;
    const findReplaced = (tx: Executor) => {
      if (editedNote !== undefined) return findNote(tx, userId, editedNote);
      if (webAddress !== undefined) return findSavedPage(tx, userId, webAddress);
      const ids = stored.flatMap((file) => properties?.get(file)?.replaces ?? []);
      return findPredecessors(tx, userId, deviceId, ids);
    };
    // An upload without a content length was not checked before.
    const bytes = stored.reduce((sum, { size }) => sum + size, 0);
    const { results, successors, deleted } = await database.transaction(async (tx) => {
      await subscription.assertMayUpload(userId, bytes, tx);
      const keywords = await keywordsOf(tx, userId, stored, fields);
      if (mayReplace) await deletion.lockReplacements(tx, userId);
      const hashes = stored.map(({ sha256 }) => sha256);
      const deletedHashes = isByUser
        ? new Set<string>()
        : await deletion.deletedContents.find(userId, hashes, tx);
      const deleted = stored.filter(({ sha256 }) => deletedHashes.has(sha256));
      const predecessors = await findReplaced(tx);
      // A user replaces one note or page at a time. A device names the file that each one replaces.
      const [replaced = ''] = isByUser ? predecessors.keys() : [];
      const replacedBy = (file: StoredFile): string => properties?.get(file)?.replaces ?? replaced;
      const rows = new Map<string, NewArtifact>();
      for (const file of stored) {
        if (deletedHashes.has(file.sha256)) continue;
        const { artifactId, typed, ...columns } = file;
        const duplicate = rows.get(file.sha256);
        const predecessor = predecessors.get(replacedBy(file));
        const words = [...(keywords.get(file) ?? []), ...(predecessor?.keywords ?? [])];
        if (duplicate) duplicate.keywords = [...new Set([...duplicate.keywords, ...words])];
        else {
          const known: FileProperties = properties?.get(file) ?? {};
          rows.set(file.sha256, {
            ...columns,
            id: artifactId,
            userId,
            groupId,
            source: known.source ?? (typed ? 'Text' : (fields.source ?? 'Web')),
            device: known.device ?? fields.device ?? null,
            keywords: [...new Set(words)],
            archived: known.archived ?? predecessor?.archived ?? false,
            path: known.path ?? null,
            modifiedAt: known.modifiedAt ?? null,
            deviceId: deviceId ?? null,
            webAddress: known.webAddress ?? webAddress ?? null,
            status: 'PENDING',
            createdAt: known.createdAt ?? time,
            updatedAt: time,
          });
        }
      }
      // Once the user uploads a deleted file again, devices may upload it too.
      if (isByUser) await deletion.deletedContents.remove(tx, userId, [...rows.keys()]);
      const artifacts = await insertOrMerge(tx, [...rows.values()]);
      // Every upload locks rows before queues, which prevents deadlocks.
      const toExtract = [...artifacts.values()].filter((row) => row.needsExtraction);
      await extractionQueue.enqueue(
        tx,
        toExtract.map(({ id, revision }) => ({ id, userId, revision })),
      );
      const results = stored.flatMap((file): Recorded[] => {
        const row = artifacts.get(file.sha256);
        return row
          ? [{ file, id: row.id, revision: row.revision, created: row.id === file.artifactId }]
          : [];
      });
      const successions = results.flatMap(({ file, id }): Succession[] => {
        const replaces = replacedBy(file);
        return predecessors.has(replaces) ? [{ id, replaces }] : [];
      });
      const current = results.map(({ id }) => id);
      if (mayReplace) await linkVersions(tx, userId, { current, successions });
      await libraryChanged(tx, userId);
      return { results, successors: successions.map(({ id }) => id), deleted };
    });
    // The upload has succeeded. If something below fails, the consistency check repairs it.
    intake.recorded(stored);
    for (const file of deleted) await intake.discard(userId, file).catch(noop);
    for (const { file, id, revision, created } of results) {
      if (created) continue;
      const restored = await intake.merge(userId, file, id).catch(() => false);
      if (restored) await reprocess([{ id, revision }]).catch(noop);
    }
    // Some new versions may be ready already.
    if (successors.length > 0) await deletion.deleteReplaced(userId, successors);
    return { groupId, results, deleted };
  };
}

export type RecordUpload = ReturnType<typeof createUploadRecording>;
