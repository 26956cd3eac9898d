import {
  bigint,
  boolean,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  uuid,
} from 'drizzle-orm/pg-core';
import type { FileSource } from '@engram/contract';
import type { FileType, PageWords, Segment } from '@engram/extraction';
import type { DocumentFacts } from '@engram/retrieval';
import { instant } from '../../platform/database/sql.ts';

export const artifacts = pgTable('artifacts', {
  id: uuid().primaryKey(),
  userId: uuid('user_id').notNull(),
  groupId: uuid('group_id').notNull(),
  fileName: text('file_name').notNull(),
  fileType: text('file_type').$type<FileType>().notNull(),
  mediaType: text('media_type').notNull(),
  size: bigint({ mode: 'number' }).notNull(),
  sha256: text().notNull(),
  source: text().$type<FileSource>().notNull(),
  device: text(),
  keywords: text().array().notNull(),
  archived: boolean().notNull().default(false),
  status: text().$type<'PENDING' | 'PROCESSING' | 'FAILED' | 'SUCCESS'>().notNull(),
  statusReason: text('status_reason'),
  /** Whether a password would open it, or more of the files in it. */
  needsPassword: boolean('needs_password').notNull().default(false),
  progress: integer().notNull().default(0),
  indexed: boolean().notNull().default(false),
  revision: integer().notNull().default(1),
  title: text(),
  language: text(),
  preview: text(),
  durationMs: integer('duration_ms'),
  thumbnail: boolean().notNull().default(false),
  /** The path, beginning with the name of the synced or uploaded folder. */
  path: text(),
  modifiedAt: instant('modified_at'),
  /** The device that uploaded it. Null after the device was removed. */
  deviceId: uuid('device_id'),
  /** The new version, until it is ready. */
  replacedBy: uuid('replaced_by'),
  webAddress: text('web_address'),
  createdAt: instant('created_at').notNull(),
  updatedAt: instant('updated_at').notNull(),
});

/** UTF-16 units in each stored part of a text. One more if a surrogate pair would be split. */
export const TEXT_PART_LENGTH = 500_000;

/** A file's text in parts, so that no statement reads or writes a very long text. */
export const artifactTexts = pgTable(
  'artifact_texts',
  {
    artifactId: uuid('artifact_id').notNull(),
    part: integer().notNull(),
    text: text().notNull(),
    /** The segments that start in this part, with offsets in the whole text. */
    segments: jsonb().$type<Segment[]>().notNull(),
  },
  (table) => [primaryKey({ columns: [table.artifactId, table.part] })],
);

export const artifactWords = pgTable(
  'artifact_words',
  {
    artifactId: uuid('artifact_id').notNull(),
    path: text().notNull().default(''),
    page: integer().notNull(),
    words: jsonb().$type<PageWords['words']>().notNull(),
  },
  (table) => [primaryKey({ columns: [table.artifactId, table.path, table.page] })],
);

export const artifactPhrases = pgTable('artifact_phrases', {
  artifactId: uuid('artifact_id').primaryKey(),
  phrases: text().array().notNull(),
});

export const artifactFacts = pgTable('artifact_facts', {
  artifactId: uuid('artifact_id').primaryKey(),
  userId: uuid('user_id').notNull(),
  kind: text().$type<DocumentFacts['kind']>(),
  title: text(),
  date: jsonb().$type<{ value: string }>(),
  version: text(),
  codes: text().array().notNull(),
});

export const zipLinks = pgTable('zip_links', {
  tokenHash: text('token_hash').primaryKey(),
  userId: uuid('user_id').notNull(),
  artifactIds: uuid('artifact_ids').array().notNull(),
  expiresAt: instant('expires_at').notNull(),
});

export type ArtifactRow = typeof artifacts.$inferSelect;
export type ListedRow = Omit<
  ArtifactRow,
  'sha256' | 'fileType' | 'revision' | 'title' | 'language' | 'deviceId' | 'replacedBy'
>;
export type NewArtifact = typeof artifacts.$inferInsert;
