import type { Citation, Share, SharedAnswer } from '@engram/contract';
import { randomUUID } from 'node:crypto';
import type { Core } from '../../composition/core.ts';
import { pageOf, readCursor } from '../../platform/http/newest-first.ts';
import type { HistoryService } from '../history/history.service.ts';
import { createShareLinks } from './share-links.ts';
import { entryNotFound, notShared } from './shares.errors.ts';
import { createSharesRepository } from './shares.repository.ts';
import type { ShareRow } from './shares.tables.ts';

interface Place {
  /** Of the server, as the caller reaches it. */
  origin: string;
}

/** Where a file stands in its owner's folders is nobody else's matter. */
const withoutQuote = ({ n, fileName, location }: Omit<Citation, 'path'>) => ({
  n,
  fileName,
  location,
});

/** Links that show one answer, as it stands, to whoever has them. */
export function createSharesService(
  { config, storage, now }: Core,
  history: Pick<HistoryService, 'find' | 'questions'>,
) {
  const repository = createSharesRepository(storage.database);
  const links = createShareLinks(config.secret);

  const present = (row: ShareRow, question: string, { origin }: Place): Share => {
    const id = links.word(row.id);
    return {
      id,
      historyId: row.historyId,
      question,
      url: `${origin}/shared/${id}`,
      createdDate: row.createdAt.toISOString(),
    };
  };

  return {
    /**
     * Makes the link of an entry, or answers the one that it has.
     * @throws HttpError 404 when the entry is not the person's own.
     */
    async create(userId: string, historyId: string, place: Place): Promise<Share> {
      const entry = await history.find(userId, historyId);
      const row = { id: randomUUID(), userId, historyId, createdAt: now() };
      // An entry that goes meanwhile takes its link with it, or does not let it come.
      const kept = entry && (await repository.insert(row));
      if (!kept) throw entryNotFound();
      return present(kept, entry.question, place);
    },

    async list(
      userId: string,
      { limit, cursor }: { limit?: number | undefined; cursor?: string | undefined },
      place: Place,
    ) {
      const ahead = limit === undefined ? undefined : limit + 1;
      const rows = await repository.list(userId, ahead, readCursor(cursor));
      const { shown, nextCursor } = pageOf(rows, limit);
      const asked = await history.questions(
        userId,
        shown.map(({ historyId }) => historyId),
      );
      return {
        data: shown.flatMap((row) => {
          const question = asked.get(row.historyId);
          return question === undefined ? [] : [present(row, question, place)];
        }),
        nextCursor,
        total: await repository.count(userId),
      };
    },

    /**
     * What a link shows: the answer as it stands now, and of its sources the names and places.
     * @throws HttpError 404 when nothing is shared by it.
     */
    async read(word: string): Promise<SharedAnswer> {
      const id = links.read(word);
      const row = id === null ? undefined : await repository.find(id);
      const entry = row && (await history.find(row.userId, row.historyId));
      if (!entry) throw notShared();
      return {
        question: entry.question,
        date: entry.createdAt.toISOString(),
        answer: entry.answer,
        grounded: entry.grounded,
        sources: entry.citations.map(withoutQuote),
        nearest: entry.nearest.map(withoutQuote),
      };
    },

    /** @throws HttpError 404 when the person has no such link. */
    async revoke(userId: string, word: string): Promise<void> {
      const id = links.read(word);
      if (id === null || !(await repository.delete(userId, id))) throw notShared();
    },
  };
}

export type SharesService = ReturnType<typeof createSharesService>;
