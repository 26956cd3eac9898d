import { and, desc, eq, isNull, or, type SQL, sql } from 'drizzle-orm';
import { isAnyOf } from '../../platform/database/sql.ts';
import type { Executor } from '../../platform/database/database.ts';
import { HttpError } from '../../platform/http/errors.ts';
import { artifactNotFound, notANote } from './artifacts.errors.ts';
import { type ArtifactRow, artifacts } from './artifacts.tables.ts';

interface Predecessor {
  keywords: string[];
  archived: boolean;
}

export interface Succession {
  id: string;
  replaces: string;
}

/** Whether a device may rename and replace an artifact: it or a removed device uploaded it. */
export const isSentBy = (
  { deviceId, source }: Pick<ArtifactRow, 'deviceId' | 'source'>,
  device: string,
): boolean => deviceId === device || (deviceId === null && source === 'Connector');

export const whereSentBy = (device: string): SQL | undefined =>
  or(
    eq(artifacts.deviceId, device),
    and(isNull(artifacts.deviceId), eq(artifacts.source, 'Connector')),
  );

const select = (tx: Executor, userId: string, condition: SQL | undefined) =>
  tx
    .select({
      id: artifacts.id,
      keywords: artifacts.keywords,
      archived: artifacts.archived,
      source: artifacts.source,
      replacedBy: artifacts.replacedBy,
    })
    .from(artifacts)
    .where(and(eq(artifacts.userId, userId), condition));

export async function findPredecessors(
  tx: Executor,
  userId: string,
  deviceId: string | undefined,
  ids: readonly string[],
): Promise<Map<string, Predecessor>> {
  if (deviceId === undefined || ids.length === 0) return new Map();
  const rows = await select(tx, userId, and(whereSentBy(deviceId), isAnyOf(artifacts.id, ids)));
  return new Map(rows.map((row) => [row.id, row]));
}

export async function findSavedPage(
  tx: Executor,
  userId: string,
  webAddress: string,
): Promise<Map<string, Predecessor>> {
  const isCurrent = and(eq(artifacts.webAddress, webAddress), isNull(artifacts.replacedBy));
  const rows = await select(tx, userId, isCurrent).orderBy(desc(artifacts.createdAt)).limit(1);
  return new Map(rows.map((row) => [row.id, row]));
}

/** @throws HttpError 404 if the note does not exist, 409 if it is a file or was edited since */
export async function findNote(
  tx: Executor,
  userId: string,
  id: string,
): Promise<Map<string, Predecessor>> {
  const [note] = await select(tx, userId, eq(artifacts.id, id));
  if (!note) throw artifactNotFound();
  if (note.source !== 'Text') throw notANote();
  if (note.replacedBy !== null) {
    const message = 'This note was changed elsewhere. Copy your text, and open the note again.';
    throw new HttpError(409, 'note_changed', message);
  }
  return new Map([[id, note]]);
}

/**
 * Stores which artifacts are replaced. They are searchable until their successor is ready, and then
 * deleted. Artifacts in `current` are not replaced, so the links never form a cycle.
 */
export async function linkVersions(
  tx: Executor,
  userId: string,
  { current, successions }: { current: readonly string[]; successions: readonly Succession[] },
): Promise<void> {
  await tx
    .update(artifacts)
    .set({ replacedBy: null })
    .where(and(eq(artifacts.userId, userId), isAnyOf(artifacts.id, current)));
  const links = successions.filter(({ replaces }) => !current.includes(replaces));
  if (links.length === 0) return;
  await tx.execute(sql`
    UPDATE artifacts a SET replaced_by = link.id
    FROM unnest(${sql.param(links.map(({ id }) => id))}::uuid[],
      ${sql.param(links.map(({ replaces }) => replaces))}::uuid[]) AS link (id, replaces)
    WHERE a.id = link.replaces AND a.user_id = ${userId}`);
}
