import { customType, timestamp } from 'drizzle-orm/pg-core';

/** A moment, whatever time zone the server is in. */
export const instant = (name: string) => timestamp(name, { withTimezone: true });

export const bytes = customType<{ data: Buffer }>({ dataType: () => 'bytea' });
