import {
  type ArtifactChanges,
  type BodyOf,
  changeArtifacts,
  deleteAllArtifacts,
  deleteArtifact,
  deleteArtifacts,
  type zipArtifacts,
} from '@engram/contract';
import { and, asc, eq, isNotNull, or, sql } from 'drizzle-orm';
import type { Mount } from '../../platform/http/mount.ts';
import type { Core } from '../../composition/core.ts';
import type { Executor } from '../../platform/database/database.ts';
import { HttpError } from '../../platform/http/errors.ts';
import { isAnyOf, orderedIds } from '../../platform/database/sql.ts';
import { artifactNotFound, notFailed } from './artifacts.errors.ts';
import { matching, timesOf } from './listing.ts';
import { restartChanges } from './extractions.repository.ts';
import type { FileServices } from './upload-recording.ts';
import { artifacts } from './artifacts.tables.ts';

const KEYWORDS_PER_FILE = 50;

interface Target {
  userId: string;
  ids: readonly string[];
  updatedAt: Date;
}

const isOneOf = (userId: string, ids: readonly string[]) =>
  and(eq(artifacts.userId, userId), isAnyOf(artifacts.id, ids));

const textList = (words: readonly string[]) => sql`${sql.param([...words])}::text[]`;

/** Locks the rows in the order in which uploads lock them. Returns those that exist. */
async function lockFiles(tx: Executor, userId: string, ids: readonly string[]): Promise<string[]> {
  const rows = await tx
    .select({ id: artifacts.id })
    .from(artifacts)
    .where(isOneOf(userId, ids))
    .orderBy(asc(artifacts.sha256))
    .for('update');
  return rows.map(({ id }) => id);
}

/** Adds keywords. Returns the changed files, and those that would have too many. */
async function addKeywords(tx: Executor, target: Target, keywords: readonly string[]) {
  const { userId, ids, updatedAt } = target;
  const added = sql`ARRAY(SELECT word FROM unnest(${textList(keywords)}) AS word
    WHERE word <> ALL(${artifacts.keywords}))`;
  const newCount = sql`cardinality(${artifacts.keywords}) + cardinality(${added})`;
  const full = await tx
    .select({ id: artifacts.id })
    .from(artifacts)
    .where(and(isOneOf(userId, ids), sql`${newCount} > ${KEYWORDS_PER_FILE}`));
  const changed = await tx
    .update(artifacts)
    .set({ keywords: sql`${artifacts.keywords} || ${added}`, updatedAt })
    .where(
      and(
        isOneOf(userId, ids),
        sql`${newCount} <= ${KEYWORDS_PER_FILE}`,
        sql`NOT ${artifacts.keywords} @> ${textList(keywords)}`,
      ),
    )
    .returning({ id: artifacts.id });
  return { changed: changed.map(({ id }) => id), full: full.map(({ id }) => id) };
}

async function removeKeywords(tx: Executor, target: Target, keywords: readonly string[]) {
  const { userId, ids, updatedAt } = target;
  const removed = textList(keywords.map((keyword) => keyword.toLowerCase()));
  const remainingKeywords = sql`ARRAY(SELECT word FROM unnest(${artifacts.keywords}) WITH ORDINALITY
    AS entry (word, place) WHERE lower(word) <> ALL(${removed}) ORDER BY place)`;
  const changed = await tx
    .update(artifacts)
    .set({ keywords: remainingKeywords, updatedAt })
    .where(
      and(
        isOneOf(userId, ids),
        sql`EXISTS (SELECT FROM unnest(${artifacts.keywords}) AS word WHERE lower(word) = ANY(${removed}))`,
      ),
    )
    .returning({ id: artifacts.id });
  return changed.map(({ id }) => id);
}

export type FileSelection = BodyOf<typeof zipArtifacts>;

type Change = BodyOf<typeof changeArtifacts>;

/** Small, so that other statements can run between transactions. */
const FILES_PER_TRANSACTION = 250;

interface Outcome {
  existing: readonly string[];
  rejected?: { ids: readonly string[]; error: HttpError };
}

const tooManyKeywords = (): HttpError =>
  new HttpError(400, 'too_many_keywords', `A file can have up to ${KEYWORDS_PER_FILE} keywords.`);

export function createBulk({ storage, now }: Core, services: FileServices) {
  const { database, artifactsRepository, extractionQueue, libraryChanged } = storage;
  const { keywords: keywordsService, deletion, ingestion } = services;

  const reindex = async (tx: Executor, userId: string, ids: readonly string[]): Promise<void> => {
    for (const id of ids) await ingestion.indexing.enqueue({ id, userId }, tx);
  };

  const applyChange = async (
    tx: Executor,
    userId: string,
    ids: readonly string[],
    { verb, keywords = [] }: Change,
  ): Promise<Outcome> => {
    // Locks keywords before files, as uploads do.
    const spellings = await keywordsService.ensure(tx, userId, verb === 'tag' ? keywords : []);
    const existing = await lockFiles(tx, userId, ids);
    const target = { userId, ids: existing, updatedAt: now() };
    switch (verb) {
      case 'tag': {
        const added = [...new Set(spellings.values())];
        const { changed, full } = await addKeywords(tx, target, added);
        await reindex(tx, userId, changed);
        return { existing, rejected: { ids: full, error: tooManyKeywords() } };
      }
      case 'untag':
        await reindex(tx, userId, await removeKeywords(tx, target, keywords));
        return { existing };
      case 'retry': {
        const isPartial = and(eq(artifacts.status, 'SUCCESS'), isNotNull(artifacts.statusReason));
        const restarted = await tx
          .update(artifacts)
          .set(restartChanges(target.updatedAt))
          .where(and(isOneOf(userId, existing), or(eq(artifacts.status, 'FAILED'), isPartial)))
          .returning();
        await extractionQueue.enqueue(tx, restarted);
        const retried = new Set(restarted.map(({ id }) => id));
        const others = existing.filter((id) => !retried.has(id));
        return { existing, rejected: { ids: others, error: notFailed() } };
      }
      default:
        await tx
          .update(artifacts)
          .set({ archived: verb === 'archive', updatedAt: target.updatedAt })
          .where(and(isOneOf(userId, existing), eq(artifacts.archived, verb !== 'archive')));
        return { existing };
    }
  };

  const changeBatch = async (
    userId: string,
    ids: readonly string[],
    change: Change,
  ): Promise<Outcome> => {
    if (change.verb === 'delete') return { existing: await deletion.deleteByUser(userId, ids) };
    // Without files, no keyword is created.
    if ((await artifactsRepository.findMany(userId, ids)).length === 0) return { existing: [] };
    return database.transaction(async (tx) => {
      const outcome = await applyChange(tx, userId, ids, change);
      await libraryChanged(tx, userId);
      return outcome;
    });
  };

  const selectedIds = async (userId: string, { ids, filter, except }: FileSelection) => {
    if (!filter) return [...new Set(ids)];
    const { since, until, ...other } = filter;
    const matches = matching({ ...other, ...timesOf({ since, until }), userId });
    const matchingIds = await orderedIds(database.db, artifacts, matches, 'newest');
    return [...new Set(matchingIds).difference(new Set(except))];
  };

  /** @throws HttpError 404 if none of the given files exists */
  async function change(userId: string, request: Change): Promise<ArtifactChanges> {
    const ids = await selectedIds(userId, request);
    const done: string[] = [];
    const refused = new Map<string, { code: string; message: string; ids: string[] }>();
    const refuse = ({ code, message }: HttpError, rejectedIds: Iterable<string>): void => {
      const all = [...(refused.get(code)?.ids ?? []), ...rejectedIds];
      if (all.length > 0) refused.set(code, { code, message, ids: all });
    };
    for (let start = 0; start < ids.length; start += FILES_PER_TRANSACTION) {
      const batch = new Set(ids.slice(start, start + FILES_PER_TRANSACTION));
      const { existing, rejected } = await changeBatch(userId, [...batch], request);
      const missing = batch.difference(new Set(existing));
      done.push(...batch.difference(missing).difference(new Set(rejected?.ids)));
      refuse(artifactNotFound(), missing);
      if (rejected) refuse(rejected.error, rejected.ids);
    }
    const missing = refused.get(artifactNotFound().code)?.ids.length ?? 0;
    if (ids.length > 0 && missing === ids.length && request.ids) throw artifactNotFound();
    return { done, refused: [...refused.values()] };
  }

  return {
    selectedIds,
    change,
    routes(mount: Mount): void {
      mount(changeArtifacts, async ({ caller, body }) => ({
        data: await change(caller.userId, body),
      }));
      mount(deleteArtifacts, async ({ caller, body }) => ({
        data: await deletion.deleteByUser(caller.userId, body),
      }));
      mount(deleteAllArtifacts, async ({ caller }) => {
        await deletion.deleteAll(caller.userId);
        return { data: null };
      });
      mount(deleteArtifact, async ({ caller, params }) => {
        const deleted = await deletion.deleteByUser(caller.userId, [params.artifactId]);
        if (deleted.length === 0) throw artifactNotFound();
        return { data: null };
      });
    },
  };
}

export type Bulk = ReturnType<typeof createBulk>;
