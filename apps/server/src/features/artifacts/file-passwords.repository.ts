import { randomUUID } from 'node:crypto';
import { SAVED_PASSWORD_LIMIT } from '@engram/contract';
import { and, desc, eq } from 'drizzle-orm';
import type { Database, Executor, Transaction } from '../../platform/database/database.ts';
import { lockName } from '../../platform/database/sql.ts';
import { createEncryption } from '../../platform/encryption.ts';
import { limitReached } from '../../platform/http/errors.ts';
import type { ArtifactRow } from './artifacts.tables.ts';
import { extractionPasswords, savedPasswords } from './file-passwords.tables.ts';

/** Passwords of users' files, encrypted with a key derived from the server's secret. */
export function createFilePasswords({ db }: Pick<Database, 'db'>, secret: string) {
  const encryption = createEncryption(secret, 'file-passwords');

  /** Skips passwords that were encrypted for another user or with another secret. */
  const decryptAll = (userId: string, rows: readonly { encrypted: Buffer }[]): string[] =>
    rows.flatMap(({ encrypted }) => encryption.decrypt(encrypted, userId) ?? []);

  const savedOf = async (userId: string, executor: Executor = db): Promise<string[]> => {
    const rows = await executor
      .select({ encrypted: savedPasswords.encrypted })
      .from(savedPasswords)
      .where(eq(savedPasswords.userId, userId))
      .orderBy(desc(savedPasswords.createdAt));
    return decryptAll(userId, rows);
  };

  return {
    /** The passwords to try on a file: the one entered for its extraction, then the user's saved ones. */
    async of({ id, userId }: Pick<ArtifactRow, 'id' | 'userId'>): Promise<string[]> {
      const rows = await db
        .select({ encrypted: extractionPasswords.encrypted })
        .from(extractionPasswords)
        .where(eq(extractionPasswords.artifactId, id));
      return [...decryptAll(userId, rows), ...(await savedOf(userId))];
    },

    /** Stores the password of files until they are extracted. */
    async setForExtraction(
      tx: Transaction,
      userId: string,
      artifactIds: readonly string[],
      password: string,
    ): Promise<void> {
      if (artifactIds.length === 0) return;
      const encrypted = encryption.encrypt(password, userId);
      await tx
        .insert(extractionPasswords)
        .values(artifactIds.map((artifactId) => ({ artifactId, encrypted })))
        .onConflictDoUpdate({ target: extractionPasswords.artifactId, set: { encrypted } });
    },

    /** Saves a password for the user's other files, once. @throws HttpError 409 if there are too many */
    async save(
      tx: Transaction,
      userId: string,
      { password, fileName, createdAt }: { password: string; fileName: string; createdAt: Date },
    ): Promise<void> {
      await lockName(tx, `file-passwords:${userId}`);
      const saved = await savedOf(userId, tx);
      if (saved.includes(password)) return;
      if (saved.length >= SAVED_PASSWORD_LIMIT) {
        throw limitReached('too_many_passwords', SAVED_PASSWORD_LIMIT, 'saved passwords');
      }
      const encrypted = encryption.encrypt(password, userId);
      const row = { id: randomUUID(), userId, fileName, encrypted, createdAt };
      await tx.insert(savedPasswords).values(row);
    },

    list: (userId: string) =>
      db
        .select({
          id: savedPasswords.id,
          fileName: savedPasswords.fileName,
          createdAt: savedPasswords.createdAt,
        })
        .from(savedPasswords)
        .where(eq(savedPasswords.userId, userId))
        .orderBy(desc(savedPasswords.createdAt), desc(savedPasswords.id)),

    async remove(userId: string, id: string): Promise<boolean> {
      const rows = await db
        .delete(savedPasswords)
        .where(and(eq(savedPasswords.id, id), eq(savedPasswords.userId, userId)))
        .returning({ id: savedPasswords.id });
      return rows.length > 0;
    },
  };
}

export type FilePasswords = ReturnType<typeof createFilePasswords>;
