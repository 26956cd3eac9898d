import type { Citation, FoundSection } from '@engram/contract';
import { boolean, doublePrecision, jsonb, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import { bytes, instant } from '../../platform/database/sql.ts';

/** A citation without the path of its file, which is looked up when the citation is shown. */
export type StoredCitation = Omit<Citation, 'path'>;

export type StoredSection = Omit<FoundSection, 'path'>;

/** A related file. Its name and path are looked up when it is shown. */
export interface StoredRelated {
  artifactId: string;
  score: number;
  /** The line of the answer that names the file, from 0. */
  line?: number | undefined;
}

interface StoredRecommendation {
  question: string;
  artifactId: string;
}

export const history = pgTable('history', {
  id: uuid().primaryKey(),
  userId: uuid('user_id').notNull(),
  question: text().notNull(),
  answer: text().notNull(),
  grounded: boolean().notNull(),
  notice: text(),
  citations: jsonb().$type<StoredCitation[]>().notNull(),
  /** The nearest passages, if the files do not answer the question. */
  nearest: jsonb().$type<StoredCitation[]>().notNull(),
  found: jsonb().$type<StoredSection[]>().notNull(),
  recommendations: jsonb().$type<StoredRecommendation[]>().notNull(),
  related: jsonb().$type<StoredRelated[]>().notNull(),
  keywords: text().array().notNull(),
  /** Ids of the files to which the question was limited. Empty for all. */
  chosenFiles: uuid('chosen_files').array().notNull(),
  latitude: doublePrecision(),
  longitude: doublePrecision(),
  ip: text(),
  device: text(),
  bookmarked: boolean().notNull().default(false),
  archived: boolean().notNull().default(false),
  follows: uuid(),
  thread: uuid().notNull(),
  /** `files` for a found answer, otherwise the model's name; null in old entries. */
  writtenBy: text('written_by'),
  createdAt: instant('created_at').notNull(),
});

export const historyAudio = pgTable('history_audio', {
  historyId: uuid('history_id').primaryKey(),
  spokenHash: text('spoken_hash').notNull(),
  mp3: bytes().notNull(),
  createdAt: instant('created_at').notNull(),
});

export type HistoryRow = typeof history.$inferSelect;

export type NewEntry = Omit<HistoryRow, 'thread'>;

export type Contents = Pick<
  HistoryRow,
  'answer' | 'citations' | 'nearest' | 'found' | 'related' | 'recommendations'
>;
