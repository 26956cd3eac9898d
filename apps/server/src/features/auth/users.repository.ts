import { and, eq, isNull, sql } from 'drizzle-orm';
import { isAnyOf } from '../../platform/database/any-of.ts';
import type { Database, Executor } from '../../platform/database/database.ts';
import { type UserRow, users } from './auth.tables.ts';

export interface SignInTrace {
  /** The caller's address as the server sees it. */
  ip: string;
  device: string | null;
  location: string | null;
}

/** What changes of an account; undefined stays as it is. */
export interface UserChanges {
  name?: string | null | undefined;
  altEmail?: string | null | undefined;
  phone?: string | null | undefined;
  deviceTimeZone?: boolean | undefined;
  profileImage?: Buffer | null | undefined;
  /** When the terms are accepted. */
  agreedTermsAt?: Date | undefined;
}

// Both sides go through the database's lower(), which is what the unique index is over.
const hasEmail = (email: string) => sql`lower(${users.email}) = lower(${email})`;

/** The country of a place, 'locality, region, country'; null where none is named. */
const countryOf = (location: string): string | null => location.split(',').at(-1)?.trim() || null;

/** SQL over accounts. */
export function createUsersRepository({ db }: Pick<Database, 'db'>) {
  return {
    async findByEmail(email: string, executor: Executor = db): Promise<UserRow | undefined> {
      const [row] = await executor.select().from(users).where(hasEmail(email));
      return row;
    },

    async findById(id: string): Promise<UserRow | undefined> {
      const [row] = await db.select().from(users).where(eq(users.id, id));
      return row;
    },

    /** The address of an account; undefined where there is no such account. */
    async emailOf(id: string): Promise<string | undefined> {
      const [row] = await db.select({ email: users.email }).from(users).where(eq(users.id, id));
      return row?.email;
    },

    /** Of the given ids those that are accounts. */
    async existing(ids: readonly string[]): Promise<Set<string>> {
      const rows = await db.select({ id: users.id }).from(users).where(isAnyOf(users.id, ids));
      return new Set(rows.map((row) => row.id));
    },

    async count(): Promise<number> {
      return db.$count(users);
    },

    /** Makes an account; answers undefined when the address has one already. */
    async insert(
      tx: Executor,
      row: Pick<UserRow, 'id' | 'email' | 'createdAt'>,
    ): Promise<UserRow | undefined> {
      const [stored] = await tx.insert(users).values(row).onConflictDoNothing().returning();
      return stored;
    },

    /** Keeps where a sign-in came from; what this one does not tell stays as it was. */
    async recordSignIn(
      tx: Executor,
      id: string,
      { ip, device, location }: SignInTrace,
      role: UserRow['role'],
    ): Promise<void> {
      await tx
        .update(users)
        .set({
          ip,
          role,
          ...(device ? { device } : {}),
          ...(location ? { location, country: countryOf(location) } : {}),
        })
        .where(eq(users.id, id));
    },

    /** Keeps the first moment at which all questions of the start were answered. */
    async markQuestionnaireAnswered(tx: Executor, id: string, at: Date): Promise<void> {
      const first = sql`coalesce(${users.questionnaireAnsweredAt}, ${sql.param(at, users.questionnaireAnsweredAt)})`;
      await tx.update(users).set({ questionnaireAnsweredAt: first }).where(eq(users.id, id));
    },

    /** Gives the address of an account up: nobody signs in to it any more. */
    async releaseEmail(tx: Executor, id: string): Promise<void> {
      await tx.update(users).set({ email: id }).where(eq(users.id, id));
    },

    /** Deletes an account and all rows that hang on it. */
    async delete(tx: Executor, id: string): Promise<void> {
      await tx.delete(users).where(eq(users.id, id));
    },

    /** Gives a person without a name the one that a provider knows. */
    async setFirstName(tx: Executor, id: string, name: string): Promise<void> {
      await tx
        .update(users)
        .set({ name })
        .where(and(eq(users.id, id), sql`coalesce(${users.name}, '') = ''`));
    },

    /** Gives a person without a photo one; the bytes of a JPEG. */
    async setFirstPhoto(id: string, profileImage: Buffer): Promise<void> {
      await db
        .update(users)
        .set({ profileImage })
        .where(and(eq(users.id, id), isNull(users.profileImage)));
    },

    /** Changes an account; what is undefined stays, and so does when the terms were first accepted. */
    async update(
      id: string,
      { agreedTermsAt: at, ...changes }: UserChanges,
    ): Promise<UserRow | undefined> {
      const agreedTermsAt = at
        ? sql`coalesce(${users.agreedTermsAt}, ${sql.param(at, users.agreedTermsAt)})`
        : undefined;
      const [row] = await db
        .update(users)
        // There is always something to set.
        .set({ ...changes, agreedTermsAt, email: users.email })
        .where(eq(users.id, id))
        .returning();
      return row;
    },

    /** Gives the ADMIN role to those addresses, in lower case, and takes it from all others. */
    async assignRoles(admins: readonly string[]): Promise<void> {
      const role = sql`CASE WHEN lower(${users.email}) = ANY(${sql.param([...admins])}::text[])
        THEN 'ADMIN' ELSE 'USER' END`;
      await db
        .update(users)
        .set({ role })
        .where(sql`${users.role} <> ${role}`);
    },
  };
}

export type UsersRepository = ReturnType<typeof createUsersRepository>;
