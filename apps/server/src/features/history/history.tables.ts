import type { Citation, FoundSection } from '@engram/contract';
import { boolean, doublePrecision, jsonb, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import { bytes, instant } from '../../platform/database/columns.ts';

/** A citation as it is kept: where its file stands in folders is read from the file when shown. */
export type StoredCitation = Omit<Citation, 'path'>;

/** A section as it is stored: where its file stands in folders is read from the file when shown. */
export type StoredSection = Omit<FoundSection, 'path'>;

/** A file that was found for a question; the rest is read from the file itself when shown. */
export interface StoredRelated {
  artifactId: string;
  /** 0 to 1. */
  score: number;
  /** The line of the answer, counted from 0, that names the file whether it cites it or not. */
  line?: number | undefined;
}

/** A question worth asking next, and the file that answers it. */
export interface StoredRecommendation {
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
  /** The passages nearest to a question that the files do not answer. */
  nearest: jsonb().$type<StoredCitation[]>().notNull(),
  /** The sections that were found, best first. */
  found: jsonb().$type<StoredSection[]>().notNull(),
  recommendations: jsonb().$type<StoredRecommendation[]>().notNull(),
  related: jsonb().$type<StoredRelated[]>().notNull(),
  keywords: text().array().notNull(),
  /** The files that the question was limited to, by id; none for all. */
  chosenFiles: uuid('chosen_files').array().notNull(),
  latitude: doublePrecision(),
  longitude: doublePrecision(),
  ip: text(),
  device: text(),
  bookmarked: boolean().notNull().default(false),
  archived: boolean().notNull().default(false),
  /** The entry that this question follows up on. */
  follows: uuid(),
  /** The talk that it belongs to: the id of the talk's first question. */
  thread: uuid().notNull(),
  /** `files` where the answer quotes them, else the model's name; null where it was not recorded. */
  writtenBy: text('written_by'),
  createdAt: instant('created_at').notNull(),
});

/** Answers as they were spoken; made when somebody first listens. */
export const historyAudio = pgTable('history_audio', {
  historyId: uuid('history_id').primaryKey(),
  /** Of the spoken text and the voice. */
  spokenHash: text('spoken_hash').notNull(),
  mp3: bytes().notNull(),
  createdAt: instant('created_at').notNull(),
});

export type HistoryRow = typeof history.$inferSelect;

/** An entry before it is kept: which talk it belongs to follows from the one that it follows up on. */
export type NewEntry = Omit<HistoryRow, 'thread'>;

/** What of an entry comes from files. */
export type Contents = Pick<
  HistoryRow,
  'answer' | 'citations' | 'nearest' | 'found' | 'related' | 'recommendations'
>;
