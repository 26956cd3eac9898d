import { and, asc, desc, eq, ilike, isNull, or, sql } from 'drizzle-orm';
import { containing, isAnyOf, olderThan } from '../../platform/database/sql.ts';
import type { Database, Executor } from '../../platform/database/database.ts';
import type { DatedRow } from '../../platform/http/newest-first.ts';
import { type UserRow, users } from './auth.tables.ts';

export interface SignInTrace {
  ip: string;
  device: string | null;
  location: string | null;
}

export type UserChanges = {
  [Field in 'name' | 'altEmail' | 'phone' | 'deviceTimeZone' | 'profileImage']?:
    UserRow[Field] | undefined;
};

export type UserSummary = Pick<UserRow, 'id' | 'email' | 'name' | 'role' | 'createdAt'>;

interface UserFilter {
  q?: string | undefined;
  within: 'address' | 'address and name';
}

// An account that is being deleted has its ID as its address.
const hasAddress = sql`${users.email} <> ${users.id}::text`;

function matching({ q, within }: UserFilter) {
  if (!q) return hasAddress;
  const pattern = containing(q);
  const inName = within === 'address' ? undefined : ilike(users.name, pattern);
  return and(hasAddress, or(ilike(users.email, pattern), inName));
}

// Both sides use the lower() of the database, as the unique index does.
const hasEmail = (email: string) => sql`lower(${users.email}) = lower(${email})`;

const countryOf = (location: string): string | null => location.split(',').at(-1)?.trim() || null;

export function createUsersRepository({ db }: Pick<Database, 'db'>) {
  return {
    async findByEmail(email: string, executor: Executor = db): Promise<UserRow | undefined> {
      const [row] = await executor.select().from(users).where(hasEmail(email));
      return row;
    },

    /** The account that was created first. */
    async findOldest(): Promise<UserRow | undefined> {
      const oldestFirst = [asc(users.createdAt), asc(users.id)];
      const [row] = await db
        .select()
        .from(users)
        .where(hasAddress)
        .orderBy(...oldestFirst)
        .limit(1);
      return row;
    },

    async findById(id: string, executor: Executor = db): Promise<UserRow | undefined> {
      const [row] = await executor.select().from(users).where(eq(users.id, id));
      return row;
    },

    /** The address of an account; undefined once its deletion has begun. */
    async emailOf(id: string): Promise<string | undefined> {
      const [row] = await db
        .select({ email: users.email })
        .from(users)
        .where(and(eq(users.id, id), hasAddress));
      return row?.email;
    },

    async existingIds(ids: readonly string[]): Promise<Set<string>> {
      const rows = await db.select({ id: users.id }).from(users).where(isAnyOf(users.id, ids));
      return new Set(rows.map((row) => row.id));
    },

    count: async (): Promise<number> => db.$count(users),

    async insert(tx: Executor, row: Pick<UserRow, 'id' | 'email' | 'createdAt'>) {
      const [stored] = await tx.insert(users).values(row).onConflictDoNothing().returning();
      return stored;
    },

    /** Stores where a sign-in came from. Unknown values are not changed. */
    async recordSignIn(
      tx: Executor,
      id: string,
      { ip, device, location }: SignInTrace,
      role: UserRow['role'],
    ): Promise<void> {
      const origin = location ? { location, country: countryOf(location) } : {};
      const changes = { ip, role, ...(device ? { device } : {}), ...origin };
      await tx.update(users).set(changes).where(eq(users.id, id));
    },

    async markQuestionnaireAnswered(tx: Executor, id: string, time: Date): Promise<void> {
      const first = sql`coalesce(${users.questionnaireAnsweredAt}, ${sql.param(time, users.questionnaireAnsweredAt)})`;
      await tx.update(users).set({ questionnaireAnsweredAt: first }).where(eq(users.id, id));
    },

    async releaseEmail(tx: Executor, id: string): Promise<void> {
      await tx.update(users).set({ email: id }).where(eq(users.id, id));
    },

    async delete(tx: Executor, id: string): Promise<void> {
      await tx.delete(users).where(eq(users.id, id));
    },

    async setFirstName(tx: Executor, id: string, name: string): Promise<void> {
      const isUnnamed = and(eq(users.id, id), sql`coalesce(${users.name}, '') = ''`);
      await tx.update(users).set({ name }).where(isUnnamed);
    },

    async setFirstPhoto(id: string, profileImage: Buffer): Promise<void> {
      const hasNone = and(eq(users.id, id), isNull(users.profileImage));
      await db.update(users).set({ profileImage }).where(hasNone);
    },

    /** Changes an account. `termsAcceptedAt` is stored only the first time. */
    async update(id: string, changes: UserChanges, termsAcceptedAt?: Date) {
      const agreedTermsAt =
        termsAcceptedAt &&
        sql`coalesce(${users.agreedTermsAt}, ${sql.param(termsAcceptedAt, users.agreedTermsAt)})`;
      const [row] = await db
        .update(users)
        // Includes the address, because an update must set a column.
        .set({ ...changes, agreedTermsAt, email: users.email })
        .where(eq(users.id, id))
        .returning();
      return row;
    },

    /** Makes exactly these addresses, in lower case, admins. */
    async assignRoles(admins: readonly string[]): Promise<void> {
      const role = sql`CASE WHEN lower(${users.email}) = ANY(${sql.param([...admins])}::text[])
        THEN 'ADMIN' ELSE 'USER' END`;
      await db
        .update(users)
        .set({ role })
        .where(sql`${users.role} <> ${role}`);
    },

    list: {
      newest(filter: UserFilter, limit: number, after?: DatedRow): Promise<UserSummary[]> {
        const { id, email, name, role, createdAt } = users;
        return db
          .select({ id, email, name, role, createdAt })
          .from(users)
          .where(and(matching(filter), olderThan(users, after)))
          .orderBy(desc(users.createdAt), desc(users.id))
          .limit(limit);
      },

      byAddress(filter: UserFilter, limit: number, after?: string) {
        const address = sql`lower(${users.email})`;
        const isAfter = after === undefined ? undefined : sql`${address} > lower(${after})`;
        return db
          .select({ id: users.id, email: users.email })
          .from(users)
          .where(and(matching(filter), isAfter))
          .orderBy(asc(address))
          .limit(limit);
      },

      count: (filter: UserFilter): Promise<number> => db.$count(users, matching(filter)),
    },
  };
}
