import { customType, timestamp } from 'drizzle-orm/pg-core';

export const instant = (name: string) => timestamp(name, { withTimezone: true });

export const bytes = customType<{ data: Buffer }>({ dataType: () => 'bytea' });
