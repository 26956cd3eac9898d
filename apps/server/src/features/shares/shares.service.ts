import { createHmac, createSecretKey, randomUUID } from 'node:crypto';
import {
  type Citation,
  createShare,
  deleteShare,
  getSharedAnswer,
  listShares,
  type Share,
  type SharedAnswer,
} from '@engram/contract';
import { and, desc, eq, sql } from 'drizzle-orm';
import { pgTable, uuid } from 'drizzle-orm/pg-core';
import type { Core } from '../../composition/core.ts';
import { lockedAccount, instant, olderThan } from '../../platform/database/sql.ts';
import type { Database } from '../../platform/database/database.ts';
import { HttpError } from '../../platform/http/errors.ts';
import type { Mount } from '../../platform/http/mount.ts';
import { pageOf, readCursor } from '../../platform/http/newest-first.ts';
import type { OriginOf } from '../../platform/http/hosts.ts';
import type { PageRequest } from '../../platform/http/paged-answer.ts';
import { sameText } from '../../platform/http/signed-tokens.ts';
import type { HistoryService } from '../history/history.service.ts';

/** Bytes of a UUID, and of the HMAC over it. */
const ID_BYTES = 16;
const MAC_BYTES = 16;

/** The same error for a forged, unknown or revoked link, or one of another user. */
const notShared = (): HttpError =>
  new HttpError(404, 'not_shared', 'This answer is no longer shared.');

/** Removes the quote and the path of the file. */
const publicCitation = ({ n, fileName, location }: Omit<Citation, 'path'>) => ({
  n,
  fileName,
  location,
});

/**
 * The tokens of shared links: the share's id and an HMAC-SHA256 over it, cut to 128 bits. They are derived
 * from the id and the secret, so they cannot be read from the database.
 */
function createShareTokens(secret: string) {
  const key = createSecretKey(createHmac('sha256', secret).update('shares').digest());
  const tokenOf = (id: Buffer): string => {
    const mac = createHmac('sha256', key).update(id).digest().subarray(0, MAC_BYTES);
    return Buffer.concat([id, mac]).toString('base64url');
  };

  return {
    sign: (shareId: string): string => tokenOf(Buffer.from(shareId.replaceAll('-', ''), 'hex')),

    read(token: string): string | null {
      const id = Buffer.from(token, 'base64url').subarray(0, ID_BYTES);
      // Compared as text, because the same bytes have several encodings in base64url.
      if (!sameText(token, tokenOf(id))) return null;
      const hex = id.toString('hex');
      return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/u, '$1-$2-$3-$4-$5');
    },
  };
}

/** Stores and returns a share, or returns the existing one of the entry; undefined without an entry. */
export async function insertShare(
  { db }: Pick<Database, 'db'>,
  { id, userId, historyId, createdAt }: ShareRow,
): Promise<ShareRow | undefined> {
  // Locks the entry, so that it cannot be deleted at the same time.
  await db.execute(sql`
    INSERT INTO ${shares} (id, user_id, history_id, created_at)
    SELECT ${id}::uuid, account.id, entry.id, ${createdAt.toISOString()}::timestamptz
    FROM ${lockedAccount(userId)} JOIN history AS entry ON entry.user_id = account.id
    WHERE entry.id = ${historyId} FOR KEY SHARE OF entry
    ON CONFLICT DO NOTHING`);
  const [stored] = await db
    .select()
    .from(shares)
    .where(and(eq(shares.userId, userId), eq(shares.historyId, historyId)));
  return stored;
}

export function createSharesService(
  { config, storage: { database }, now }: Core,
  history: Pick<HistoryService, 'find' | 'questions'>,
) {
  const { db } = database;
  const tokens = createShareTokens(config.secret);

  const present = (row: ShareRow, question: string, origin: string): Share => {
    const id = tokens.sign(row.id);
    return {
      id,
      historyId: row.historyId,
      question,
      url: `${origin}/shared/${id}`,
      createdDate: row.createdAt.toISOString(),
    };
  };

  return {
    /** Creates the link of an entry, or returns the existing one. @throws HttpError 404. */
    async create(userId: string, historyId: string, origin: string): Promise<Share> {
      const entry = await history.find(userId, historyId);
      const row = { id: randomUUID(), userId, historyId, createdAt: now() };
      const stored = entry && (await insertShare(database, row));
      if (!stored) {
        const message = 'There is no such question in your history.';
        throw new HttpError(404, 'history_not_found', message);
      }
      return present(stored, entry.question, origin);
    },

    async list(userId: string, { limit, cursor }: PageRequest, origin: string) {
      const query = db
        .select()
        .from(shares)
        .where(and(eq(shares.userId, userId), olderThan(shares, readCursor(cursor))))
        .orderBy(desc(shares.createdAt), desc(shares.id));
      const rows = await (limit === undefined ? query : query.limit(limit + 1));
      const { shown, nextCursor } = pageOf(rows, limit);
      const ids = shown.map(({ historyId }) => historyId);
      const questions = await history.questions(userId, ids);
      const data = shown.flatMap((row) => {
        const question = questions.get(row.historyId);
        return question === undefined ? [] : [present(row, question, origin)];
      });
      return { data, nextCursor, total: await db.$count(shares, eq(shares.userId, userId)) };
    },

    /**
     * The current answer of a link, with the names and locations of its sources.
     * @throws HttpError 404 if the link is not valid.
     */
    async read(token: string): Promise<SharedAnswer> {
      const id = tokens.read(token);
      const [row] = id === null ? [] : await db.select().from(shares).where(eq(shares.id, id));
      const entry = row && (await history.find(row.userId, row.historyId));
      if (!entry) throw notShared();
      return {
        question: entry.question,
        date: entry.createdAt.toISOString(),
        answer: entry.answer,
        grounded: entry.grounded,
        sources: entry.citations.map(publicCitation),
        nearest: entry.nearest.map(publicCitation),
      };
    },

    async revoke(userId: string, token: string): Promise<void> {
      const id = tokens.read(token);
      if (id === null) throw notShared();
      const revoked = await db
        .delete(shares)
        .where(and(eq(shares.id, id), eq(shares.userId, userId)))
        .returning({ id: shares.id });
      if (revoked.length === 0) throw notShared();
    },
  };
}

type SharesService = ReturnType<typeof createSharesService>;

export const shares = pgTable('shares', {
  id: uuid().primaryKey(),
  userId: uuid('user_id').notNull(),
  historyId: uuid('history_id').notNull(),
  createdAt: instant('created_at').notNull(),
});

type ShareRow = typeof shares.$inferSelect;

/** Keeps shared links out of search engines and the Referer header. */
const PRIVATE = {
  'referrer-policy': 'no-referrer',
  'x-robots-tag': 'noindex, nofollow',
};

export function mountSharesRoutes(mount: Mount, service: SharesService, originOf: OriginOf): void {
  mount(createShare, async ({ caller, body, request }) => ({
    data: await service.create(caller.userId, body.historyId, originOf(request)),
  }));

  mount(listShares, ({ caller, query, request }) =>
    service.list(caller.userId, query, originOf(request)),
  );

  mount(getSharedAnswer, async ({ params, reply }) => {
    // Set first, so that a 404 has them too.
    void reply.headers(PRIVATE);
    return { data: await service.read(params.id) };
  });

  mount(deleteShare, async ({ caller, params }) => {
    await service.revoke(caller.userId, params.id);
    return { data: null };
  });
}
