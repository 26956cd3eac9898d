import type { HistoryEntry, RelatedFile } from '@engram/contract';
import { dayAt, startOfDay } from '@engram/retrieval';
import { z } from 'zod';
import type { Database } from '../../platform/database/database.ts';
import { HttpError } from '../../platform/http/errors.ts';
import type { AnswerAudio } from './answer-audio.ts';
import type { HistoryFilter, HistoryRepository } from './history.repository.ts';
import type { HistoryRow, StoredRelated } from './history.tables.ts';
import { redactAnswer } from './redact.ts';

export interface HistoryDependencies {
  database: Pick<Database, 'transaction'>;
  repository: HistoryRepository;
  audio: Pick<AnswerAudio, 'kept' | 'listen'>;
  /** Of the given files those that are still there. */
  existing: (artifactIds: readonly string[]) => Promise<ReadonlySet<string>>;
  /** The files of several entries as they are now; those that are gone are left out. */
  presentRelated: (
    owner: { userId: string; email: string },
    related: readonly StoredRelated[][],
  ) => Promise<RelatedFile[][]>;
  timeZone: string;
  now: () => Date;
}

interface Owner {
  userId: string;
  email: string;
}

export interface HistoryListRequest extends Omit<HistoryFilter, 'userId' | 'since'> {
  limit?: number | undefined;
  cursor?: string | undefined;
}

// PostgreSQL knows no year 0.
const storable = z.iso.datetime().refine((timestamp) => Date.parse(timestamp) > 0);
const cursorShape = z.tuple([storable, z.uuid()]);

/** Entries that are changed in one transaction: others' statements come in between. */
const ENTRIES_PER_TRANSACTION = 100;

const encodeCursor = (row: HistoryRow): string =>
  Buffer.from(JSON.stringify([row.createdAt.toISOString(), row.id])).toString('base64url');

function decodeCursor(cursor: string | undefined): { createdAt: Date; id: string } | undefined {
  if (cursor === undefined) return undefined;
  try {
    const [at, id] = cursorShape.parse(JSON.parse(Buffer.from(cursor, 'base64url').toString()));
    return { createdAt: new Date(at), id };
  } catch {
    throw new HttpError(400, 'invalid_cursor', 'This place in the list is not valid any more.');
  }
}

const entryNotFound = () =>
  new HttpError(404, 'history_not_found', 'There is no such question in your history.');

/** The questions that were asked, and what was answered. */
export function createHistoryService({
  database,
  repository,
  audio,
  existing,
  presentRelated,
  timeZone,
  now,
}: HistoryDependencies) {
  const present = async (owner: Owner, rows: readonly HistoryRow[]): Promise<HistoryEntry[]> => {
    const related = await presentRelated(
      owner,
      rows.map((row) => row.related),
    );
    return rows.map((row, i) => ({
      id: row.id,
      searchText: row.question,
      date: row.createdAt.toISOString(),
      latitude: row.latitude,
      longitude: row.longitude,
      ip: row.ip,
      device: row.device,
      userId: row.userId,
      answers: [row.answer],
      audioFile: null,
      recommendations: row.recommendations.map(({ question }) => question),
      similarVectors: related[i] ?? [],
      citations: row.citations,
      grounded: row.grounded,
      notice: row.notice,
      follows: row.follows,
      isBookmark: row.bookmarked,
      isArchived: row.archived,
    }));
  };

  const one = async (owner: Owner, row: HistoryRow | undefined): Promise<HistoryEntry> => {
    const [entry] = await present(owner, row ? [row] : []);
    if (!entry) throw entryNotFound();
    return entry;
  };

  const redact = async (userId: string, artifactIds: readonly string[]): Promise<void> => {
    const deleted = new Set(artifactIds);
    const others = <T extends { artifactId: string }>(list: readonly T[]): T[] =>
      list.filter(({ artifactId }) => !deleted.has(artifactId));
    const mentioning = await repository.mentioning(userId, artifactIds);
    for (let at = 0; at < mentioning.length; at += ENTRIES_PER_TRANSACTION) {
      const ids = mentioning.slice(at, at + ENTRIES_PER_TRANSACTION);
      await database.transaction(async (tx) => {
        const rows = await repository.lock(tx, userId, ids);
        const redacted = rows.map((row) => {
          const naming = row.related.filter(({ artifactId }) => deleted.has(artifactId));
          const lines = new Set(naming.flatMap(({ line }) => line ?? []));
          const { markdown, citations } = redactAnswer(row.answer, row.citations, deleted, lines);
          const related = others(row.related);
          const recommendations = others(row.recommendations);
          return { ...row, answer: markdown, citations, related, recommendations };
        });
        await repository.replaceContents(tx, redacted);
        const changed = redacted.filter(({ answer }, i) => answer !== rows[i]?.answer);
        await repository.deleteAudio(
          tx,
          changed.map(({ id }) => id),
        );
      });
    }
  };

  return {
    /**
     * Keeps a question with its answer, without what was deleted while it was answered. Where
     * `unchanged` tells afterwards that no file was, nothing needs to be looked up: a deletion that it
     * does not know of yet finds the entry.
     */
    async record(row: HistoryRow, unchanged: () => boolean = () => false): Promise<void> {
      await repository.insert(row);
      if (unchanged()) return;
      const mentioned = [...row.citations, ...row.related, ...row.recommendations];
      const ids = new Set(mentioned.map(({ artifactId }) => artifactId));
      if (ids.size === 0) return;
      const gone = ids.difference(await existing([...ids]));
      if (gone.size > 0) await redact(row.userId, [...gone]);
    },

    find: (userId: string, id: string) => repository.find(userId, id),

    async today(owner: Owner): Promise<HistoryEntry[]> {
      const since = startOfDay(dayAt(now(), timeZone), timeZone);
      const filter = { userId: owner.userId, archived: false, since };
      return present(owner, await repository.list(filter));
    },

    async list(owner: Owner, { limit, cursor, ...filter }: HistoryListRequest) {
      const scope = { ...filter, userId: owner.userId };
      const rows = await repository.list(
        scope,
        limit === undefined ? undefined : limit + 1,
        decodeCursor(cursor),
      );
      const shown = limit === undefined ? rows : rows.slice(0, limit);
      const last = shown.at(-1);
      return {
        data: await present(owner, shown),
        nextCursor: rows.length > shown.length && last ? encodeCursor(last) : null,
        total:
          limit === undefined && cursor === undefined ? rows.length : await repository.count(scope),
      };
    },

    /** One entry, with its sound where somebody has listened to it. */
    async get(owner: Owner, id: string): Promise<HistoryEntry> {
      const row = await repository.find(owner.userId, id);
      const entry = await one(owner, row);
      const mp3 = row && (await audio.kept(row));
      return { ...entry, audioFile: mp3?.toString('base64') ?? null };
    },

    /**
     * An answer as an mp3, spoken now unless it was before.
     * @throws HttpError 404, and 503 when nothing speaks it
     */
    async listen(owner: Owner, id: string, signal: AbortSignal): Promise<Uint8Array> {
      const mp3 = await audio.listen(owner.userId, id, signal);
      if (!mp3) throw entryNotFound();
      return mp3;
    },

    async update(
      owner: Owner,
      {
        historyId,
        isBookmark,
        isArchived,
      }: {
        historyId: string;
        isBookmark?: boolean | undefined;
        isArchived?: boolean | undefined;
      },
    ): Promise<HistoryEntry> {
      const changes = { bookmarked: isBookmark, archived: isArchived };
      const changed = isBookmark !== undefined || isArchived !== undefined;
      return one(
        owner,
        changed
          ? await repository.update(owner.userId, historyId, changes)
          : await repository.find(owner.userId, historyId),
      );
    },

    /** Takes what deleted files said out of all earlier answers; may be run again. */
    redact,
  };
}

export type HistoryService = ReturnType<typeof createHistoryService>;
