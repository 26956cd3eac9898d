import { pgTable, text, uuid } from 'drizzle-orm/pg-core';
import { instant } from '../../platform/database/columns.ts';

/** What admins did. Ids are null for deleted accounts. */
export const auditLog = pgTable('audit_log', {
  id: uuid().primaryKey(),
  actorId: uuid('actor_id'),
  action: text().notNull(),
  subjectId: uuid('subject_id'),
  details: text().notNull(),
  createdAt: instant('created_at').notNull(),
});
