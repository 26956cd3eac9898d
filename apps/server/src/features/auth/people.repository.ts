import { and, asc, desc, ilike, or, sql } from 'drizzle-orm';
import { containing } from '../../platform/database/containing.ts';
import type { Database } from '../../platform/database/database.ts';
import { olderThan } from '../../platform/database/older-than.ts';
import type { DatedRow } from '../../platform/http/newest-first.ts';
import { type UserRow, users } from './auth.tables.ts';

/** What of a person is looked through: the address, or the name too. */
type SearchedText = 'address' | 'address and name';

interface PeopleFilter {
  /** Looked for in any case; all people without it. */
  q?: string | undefined;
  within: SearchedText;
}

/** An account as a list shows it. */
export type PersonRow = Pick<UserRow, 'id' | 'email' | 'name' | 'role' | 'createdAt'>;

/** Who somebody is. */
export type Person = Pick<UserRow, 'id' | 'email'>;

const address = sql`lower(${users.email})`;

// An account on its way out has given its address up.
const listed = sql`${users.email} <> ${users.id}::text`;

function matching({ q, within }: PeopleFilter) {
  if (!q) return listed;
  const part = containing(q);
  const inName = within === 'address' ? undefined : ilike(users.name, part);
  return and(listed, or(ilike(users.email, part), inName));
}

/** SQL over the accounts of everybody. */
export function createPeopleRepository({ db }: Pick<Database, 'db'>) {
  return {
    /** The newest first; `after` is the last one of the page before. */
    newest: (filter: PeopleFilter, limit: number, after?: DatedRow): Promise<PersonRow[]> =>
      db
        .select({
          id: users.id,
          email: users.email,
          name: users.name,
          role: users.role,
          createdAt: users.createdAt,
        })
        .from(users)
        .where(and(matching(filter), olderThan(users, after)))
        .orderBy(desc(users.createdAt), desc(users.id))
        .limit(limit),

    /** By address; `after` is the last address of the page before. */
    byAddress: (filter: PeopleFilter, limit: number, after?: string): Promise<Person[]> =>
      db
        .select({ id: users.id, email: users.email })
        .from(users)
        .where(
          and(
            matching(filter),
            after === undefined ? undefined : sql`${address} > lower(${after})`,
          ),
        )
        .orderBy(asc(address))
        .limit(limit),

    count: (filter: PeopleFilter): Promise<number> => db.$count(users, matching(filter)),
  };
}

export type PeopleRepository = ReturnType<typeof createPeopleRepository>;
