import { Readable } from 'node:stream';
import {
  deleteHistory,
  getHistoryEntry,
  historyAudio,
  type HistoryEntry,
  historyThread,
  listHistory,
  listThreads,
  modeOf,
  type QueryOf,
  todaysHistory,
  updateHistory,
} from '@engram/contract';
import { dayAt, type EarlierTurn, startOfDay, unverifiedIn } from '@engram/retrieval';
import { filesOf, redactContents } from './redact.ts';
import type { Core } from '../../composition/core.ts';
import { HttpError } from '../../platform/http/errors.ts';
import { disconnectSignal } from '../../platform/http/event-stream.ts';
import { replyWithFile } from '../../platform/http/file-reply.ts';
import type { Mount } from '../../platform/http/mount.ts';
import { pageOf, readCursor } from '../../platform/http/newest-first.ts';
import { pageOrAll } from '../../platform/http/paged-answer.ts';
import type { Owner } from '../artifacts/artifacts.presenter.ts';
import type { AnswerAudio } from './answer-audio.ts';
import {
  type HistoryFilter,
  type HistoryQuestion,
  type HistoryRepository,
  wordsOf,
} from './history.repository.ts';
import type { HistoryRow, NewEntry } from './history.tables.ts';
import { excerptAround } from './markdown-text.ts';

/** Few, so that other statements can run between transactions. */
const ENTRIES_PER_TRANSACTION = 100;

const ENTRIES_AT_ONCE = 50;

const MAX_EARLIER_TURNS = 3;

const entryNotFound = () =>
  new HttpError(404, 'history_not_found', 'There is no such question in your history.');

const presentQuestion = (row: HistoryQuestion): HistoryEntry => ({
  id: row.id,
  searchText: row.question,
  date: row.createdAt.toISOString(),
  latitude: row.latitude,
  longitude: row.longitude,
  ip: row.ip,
  device: row.device,
  userId: row.userId,
  answers: [],
  audioFile: null,
  recommendations: [],
  similarVectors: [],
  citations: [],
  grounded: row.grounded,
  nearest: [],
  mode: modeOf(row),
  found: [],
  unverified: [],
  notice: row.notice,
  follows: row.follows,
  thread: row.thread,
  writtenBy: row.writtenBy,
  keywords: row.keywords,
  chosenFiles: [],
  isBookmark: row.bookmarked,
  isArchived: row.archived,
});

export function createHistoryService(
  { config: { timeZone }, storage, now }: Core,
  repository: HistoryRepository,
  audio: AnswerAudio,
) {
  const { database, webhookEvents } = storage;
  const { presentRelated, withNames } = storage.library;

  const present = async (owner: Owner, rows: readonly HistoryRow[]): Promise<HistoryEntry[]> => {
    const named = <Item extends { artifactId: string; fileName: string }>(
      itemsOf: (row: HistoryRow) => readonly Item[],
    ) => withNames(owner.userId, rows.map(itemsOf));
    const relatedScores = rows.map((row) => row.related);
    const [related, citations, nearest, found, chosen] = await Promise.all([
      presentRelated(owner, relatedScores),
      named((row) => row.citations),
      named((row) => row.nearest),
      named((row) => row.found),
      named((row) => row.chosenFiles.map((artifactId) => ({ artifactId, fileName: '' }))),
    ]);
    return rows.map((row, i) => ({
      ...presentQuestion(row),
      answers: [row.answer],
      recommendations: row.recommendations.map(({ question }) => question),
      similarVectors: related[i] ?? [],
      citations: citations[i] ?? [],
      nearest: nearest[i] ?? [],
      found: found[i] ?? [],
      unverified: unverifiedIn(row.answer),
      // The files to which the question was limited. Deleted ones have no name.
      chosenFiles: (chosen[i] ?? []).flatMap(({ artifactId, fileName }) =>
        fileName ? [{ artifactId, fileName }] : [],
      ),
    }));
  };

  const presentOne = async (owner: Owner, row: HistoryRow | undefined): Promise<HistoryEntry> => {
    const [entry] = await present(owner, row ? [row] : []);
    if (!entry) throw entryNotFound();
    return entry;
  };

  /** Stores an entry, together with the event that webhooks send. */
  const insert = async (row: NewEntry): Promise<void> => {
    const { id, userId, question, grounded, citations } = row;
    const type = 'question.answered';
    if (!(await webhookEvents.hasSubscriber(userId, type))) return repository.insert(row);
    const files = [...new Set(citations.map(({ artifactId }) => artifactId))];
    const data = { id, question, grounded, mode: modeOf(row), files };
    await database.transaction(async (tx) => {
      await repository.insert(row, tx);
      await webhookEvents.raise(tx, [{ userId, type, data }]);
    });
  };

  const redact = async (userId: string, artifactIds: readonly string[]): Promise<void> => {
    const deleted = new Set(artifactIds);
    const mentioning = await repository.idsMentioning(userId, artifactIds);
    for (let start = 0; start < mentioning.length; start += ENTRIES_PER_TRANSACTION) {
      const ids = mentioning.slice(start, start + ENTRIES_PER_TRANSACTION);
      await database.transaction(async (tx) => {
        const rows = await repository.lock(tx, userId, ids);
        const redacted = rows.map((row) => ({ ...row, ...redactContents(row, deleted) }));
        await repository.replaceContents(tx, redacted);
        const changed = redacted.flatMap(({ id, answer }, i) =>
          answer === rows[i]?.answer ? [] : id,
        );
        await repository.deleteAudio(tx, changed);
      });
    }
  };

  /** The conversations, newest first. A search adds the matching part of the answer. */
  async function listConversations(owner: Owner, request: QueryOf<typeof listThreads>) {
    const filter: HistoryFilter = { userId: owner.userId, ...request };
    const { limit } = request;
    const after = readCursor(request.cursor);
    const rows = await repository.listThreads(filter, limit && limit + 1, after);
    const { shown, nextCursor } = pageOf(rows.page, limit);
    // An empty last page does not include the total.
    const { total } = after && rows.total === 0 ? await repository.listThreads(filter, 1) : rows;
    const words = wordsOf(request.q);
    const searched = words.length === 0 ? [] : shown.map(({ id }) => id);
    const answers = await repository.answers(owner.userId, searched);
    const data = shown.map((row) => ({
      id: row.id,
      thread: row.thread,
      searchText: row.title,
      date: row.createdAt.toISOString(),
      turns: row.turns,
      times: row.times,
      found: excerptAround(answers.get(row.id) ?? '', words),
      isBookmark: row.saved,
      isArchived: row.archived,
    }));
    return { data, nextCursor, total };
  }

  return {
    /**
     * Stores a question with its answer, and removes contents of files that were deleted in the meantime.
     * This is skipped if `isUnchanged` returns true, because then no file was deleted.
     */
    async record(
      row: NewEntry,
      isUnchanged: () => Promise<boolean> = async () => false,
    ): Promise<void> {
      await insert(row);
      if (await isUnchanged()) return;
      const ids = new Set(filesOf(row));
      if (ids.size === 0) return;
      const deleted = ids.difference(await storage.artifactsRepository.existingIds([...ids]));
      if (deleted.size > 0) await redact(row.userId, [...deleted]);
    },

    find: repository.find,

    /** The given entry and up to two turns before it, oldest first. @throws HttpError 404 */
    async conversation(userId: string, last: string | undefined): Promise<EarlierTurn[]> {
      const turns: EarlierTurn[] = [];
      let next = last ?? null;
      while (next !== null && turns.length < MAX_EARLIER_TURNS) {
        const entry = await repository.find(userId, next);
        if (entry === undefined && next === last) {
          const message = 'The question that this one follows up on is not in your history.';
          throw new HttpError(404, 'history_not_found', message);
        }
        if (entry === undefined) break;
        turns.unshift({ question: entry.question, answer: entry.grounded ? entry.answer : '' });
        next = entry.follows;
      }
      return turns;
    },

    latest: repository.latest,

    questions: repository.questions,

    routes(mount: Mount): void {
      // The questions since midnight, by default in the server's time zone.
      mount(todaysHistory, async ({ caller, query }) => {
        const zone = query.timeZone ?? timeZone;
        const since = startOfDay(dayAt(now(), zone), zone);
        const filter = { userId: caller.userId, archived: false, since };
        return { data: await present(caller, await repository.list(filter)) };
      });
      mount(listHistory, ({ caller, query }) => {
        const filter: HistoryFilter = { userId: caller.userId, ...query };
        const read = async (limit: number, cursor: string | undefined) => {
          const after = readCursor(cursor);
          if (query.brief) {
            const rows = await repository.listQuestions(filter, limit + 1, after);
            const { shown, nextCursor } = pageOf(rows, limit);
            return { data: shown.map(presentQuestion), nextCursor };
          }
          const rows = await repository.list(filter, limit + 1, after);
          const { shown, nextCursor } = pageOf(rows, limit);
          return { data: await present(caller, shown), nextCursor };
        };
        return pageOrAll(query, read, () => repository.count(filter), ENTRIES_AT_ONCE);
      });
      mount(listThreads, ({ caller, query }) => listConversations(caller, query));
      mount(historyThread, async ({ caller, query }) => {
        const rows = await repository.turns(caller.userId, query.id);
        if (rows.length === 0) throw entryNotFound();
        return { data: await present(caller, rows) };
      });
      mount(getHistoryEntry, async ({ caller, query }) => {
        const row = await repository.find(caller.userId, query.id);
        const entry = await presentOne(caller, row);
        const mp3 = row && (await audio.stored(row));
        return { data: { ...entry, audioFile: mp3?.toString('base64') ?? null } };
      });
      mount(historyAudio, async ({ caller, params, request, reply }) => {
        const mp3 = await audio.listen(caller.userId, params.id, disconnectSignal(reply));
        if (!mp3) throw entryNotFound();
        return replyWithFile(request, reply, {
          fileName: 'answer.mp3',
          mediaType: 'audio/mpeg',
          size: mp3.length,
          read: ({ start, end }) => Promise.resolve(Readable.from([mp3.subarray(start, end + 1)])),
        });
      });
      mount(deleteHistory, async ({ caller }) => {
        await repository.deleteAll(caller.userId);
        return { data: null };
      });
      mount(updateHistory, async ({ caller, body }) => {
        const { userId } = caller;
        const { historyId, isBookmark, isArchived, wholeThread } = body;
        const changes = { bookmarked: isBookmark, archived: isArchived };
        if (isBookmark !== undefined || isArchived !== undefined) {
          const ids = wholeThread ? await repository.sameRowIds(userId, historyId) : [historyId];
          await repository.update(userId, ids, changes);
        }
        return { data: await presentOne(caller, await repository.find(userId, historyId)) };
      });
    },

    /** Removes the contents of deleted files from all answers. Idempotent. */
    redact,
  };
}

export type HistoryService = ReturnType<typeof createHistoryService>;
