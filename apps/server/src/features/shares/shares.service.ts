import { createHmac, createSecretKey, randomUUID } from 'node:crypto';
import {
  type Citation,
  createShare,
  deleteShare,
  getSharedAnswer,
  listShares,
  type Share,
} from '@engram/contract';
import { and, eq, sql } from 'drizzle-orm';
import { pgTable, uuid } from 'drizzle-orm/pg-core';
import { instant, lockedAccount, newestPage } from '../../platform/database/sql.ts';
import type { Core } from '../../composition/core.ts';
import type { Database } from '../../platform/database/database.ts';
import { HttpError } from '../../platform/http/errors.ts';
import type { Mount } from '../../platform/http/mount.ts';
import { sameText } from '../../platform/http/signed-tokens.ts';
import type { HistoryService } from '../history/history.service.ts';

/** Bytes of a UUID, and of the HMAC over it. */
const ID_BYTES = 16;
const MAC_BYTES = 16;

/** Keeps shared links out of search engines and the Referer header. */
const PRIVATE = {
  'referrer-policy': 'no-referrer',
  'x-robots-tag': 'noindex, nofollow',
};

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
 * The tokens of shared links: the share's id and an HMAC-SHA256 over it, truncated to 128 bits. They are derived
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

/** Stores and returns a share, or returns the existing one of the entry. Undefined if the entry does not exist. */
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
  { config, storage: { database }, originOf, now }: Core,
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
    routes(mount: Mount): void {
      mount(createShare, async ({ caller: { userId }, body: { historyId }, request }) => {
        const entry = await history.find(userId, historyId);
        const row = { id: randomUUID(), userId, historyId, createdAt: now() };
        const stored = entry && (await insertShare(database, row));
        if (!stored) {
          const message = 'There is no such question in your history.';
          throw new HttpError(404, 'history_not_found', message);
        }
        return { data: present(stored, entry.question, originOf(request)) };
      });
      mount(listShares, async ({ caller: { userId }, query, request }) => {
        const ofUser = eq(shares.userId, userId);
        const { rows, ...page } = await newestPage(database, shares, ofUser, query);
        const ids = rows.map(({ historyId }) => historyId);
        const questions = await history.questions(userId, ids);
        const data = rows.flatMap((row) => {
          const question = questions.get(row.historyId);
          return question === undefined ? [] : [present(row, question, originOf(request))];
        });
        return { data, ...page };
      });
      mount(getSharedAnswer, async ({ params, reply }) => {
        // Set first, so that a 404 has them too.
        void reply.headers(PRIVATE);
        const id = tokens.read(params.id);
        const [row] = id === null ? [] : await db.select().from(shares).where(eq(shares.id, id));
        const entry = row && (await history.find(row.userId, row.historyId));
        if (!entry) throw notShared();
        return {
          data: {
            question: entry.question,
            date: entry.createdAt.toISOString(),
            answer: entry.answer,
            grounded: entry.grounded,
            sources: entry.citations.map(publicCitation),
            nearest: entry.nearest.map(publicCitation),
          },
        };
      });
      mount(deleteShare, async ({ caller, params }) => {
        const id = tokens.read(params.id);
        if (id === null) throw notShared();
        const revoked = await db
          .delete(shares)
          .where(and(eq(shares.id, id), eq(shares.userId, caller.userId)))
          .returning({ id: shares.id });
        if (revoked.length === 0) throw notShared();
        return { data: null };
      });
    },
  };
}

export const shares = pgTable('shares', {
  id: uuid().primaryKey(),
  userId: uuid('user_id').notNull(),
  historyId: uuid('history_id').notNull(),
  createdAt: instant('created_at').notNull(),
});

type ShareRow = typeof shares.$inferSelect;
