import { z } from 'zod';
import { FOUND_LIMIT, NEAREST_LIMIT } from './limits.ts';
import { defineRoute } from './route.ts';
import { answerMode, citation, foundSection, relatedFile, writtenBy } from './search.ts';
import { flag, id, listQuery, timestamp, timeZone } from './values.ts';

/** A file that a question is limited to. */
const chosenFile = z
  .object({ artifactId: id, fileName: z.string() })
  .meta({ id: 'ChosenFile', description: 'A file that a question was limited to.' });
export type ChosenFile = z.output<typeof chosenFile>;

export const historyEntry = z
  .object({
    id,
    searchText: z.string(),
    date: timestamp,
    latitude: z.number().nullable(),
    longitude: z.number().nullable(),
    ip: z.string().nullable(),
    device: z.string().nullable(),
    userId: id,
    answers: z.array(z.string()),
    /** Base64 of an MP3 where one entry is read and somebody has listened to it; null in lists. */
    audioFile: z.string().nullable(),
    recommendations: z.array(z.string()),
    similarVectors: z.array(relatedFile),
    citations: z.array(citation),
    grounded: z.boolean(),
    nearest: z.array(citation).max(NEAREST_LIMIT),
    mode: answerMode,
    found: z.array(foundSection).max(FOUND_LIMIT),
    unverified: z.array(z.string()),
    notice: z.string().nullable(),
    /** The entry that this question follows up on. */
    follows: id.nullable(),
    /** The talk that it belongs to: the id of the talk's first question. */
    thread: id,
    writtenBy,
    /** The keywords and the files that the question was limited to; none for all. */
    keywords: z.array(z.string()),
    chosenFiles: z.array(chosenFile),
    isBookmark: z.boolean(),
    isArchived: z.boolean(),
  })
  .meta({
    id: 'HistoryEntry',
    description: 'A question that was asked, and its answer.',
    'x-sdk-names': {
      searchText: 'question',
      date: 'createdAt',
      audioFile: 'audio',
      similarVectors: 'relatedFiles',
      follows: 'after',
      chosenFiles: 'files',
      isBookmark: 'saved',
      isArchived: 'archived',
    },
  });
export type HistoryEntry = z.output<typeof historyEntry>;

const history = { auth: 'user', apiKey: true, kind: 'json' } as const;

export const todaysHistory = defineRoute({
  ...history,
  id: 'history.todaysHistory',
  method: 'GET',
  path: '/search/history/today',
  summary: "Today's questions, newest first",
  sdk: { 'history.today': { args: ['timeZone?'] } },
  /** Where it is today; without it in the server's time zone. */
  query: z.object({ timeZone: timeZone.optional() }),
  data: z.array(historyEntry),
  example: {},
});

export const listHistory = defineRoute({
  ...history,
  id: 'history.listHistory',
  method: 'GET',
  path: '/search/history/all',
  summary: 'All questions, newest first',
  sdk: { 'history.list': { args: ['q?'] } },
  sdkNames: { limit: 'pageSize' },
  /** `brief=true` leaves out what was answered: the answers, files, citations and sections come empty. */
  query: listQuery.extend({
    archived: flag.optional(),
    saved: flag.optional(),
    brief: flag.optional(),
  }),
  data: z.array(historyEntry),
  list: true,
  example: { query: { limit: '20' } },
});

export const historyThreadRow = z
  .object({
    /** The newest of its questions that the list was asked for. */
    id,
    /** The id of its first question. */
    thread: id,
    /** Its first question. */
    searchText: z.string(),
    /** When its newest question was asked. */
    date: timestamp,
    turns: z.number().int().positive(),
    /** How often the same question was asked by itself; 1 for a talk of several questions. */
    times: z.number().int().positive(),
    /** Where the list is searched, the stretch of the answer with the words; null where it has none. */
    found: z.string().nullable(),
    /** Whether one of its questions is saved. */
    isBookmark: z.boolean(),
    /** Whether all questions that the list was asked for are archived. */
    isArchived: z.boolean(),
  })
  .meta({
    id: 'HistoryThread',
    'x-sdk-names': {
      searchText: 'question',
      date: 'createdAt',
      isBookmark: 'saved',
      isArchived: 'archived',
    },
    description: 'A question with its follow-ups, as one row of a list.',
  });
export type HistoryThread = z.output<typeof historyThreadRow>;

export const listThreads = defineRoute({
  ...history,
  id: 'history.listThreads',
  method: 'GET',
  path: '/search/history/threads',
  summary: 'Questions with those that followed up on them, as one row each, newest first',
  sdk: { 'history.threads': { args: ['q?'] } },
  sdkNames: { limit: 'pageSize' },
  query: listQuery.extend({ archived: flag.optional(), saved: flag.optional() }),
  data: z.array(historyThreadRow),
  list: true,
  example: { query: { limit: '20', q: 'lease' } },
});

export const historyThread = defineRoute({
  ...history,
  id: 'history.historyThread',
  method: 'GET',
  path: '/search/history/thread',
  summary: 'All questions of the talk that one belongs to, oldest first, at most the newest 200',
  sdk: { 'history.thread': { args: ['id'] } },
  query: z.object({ id }),
  data: z.array(historyEntry),
  errors: { 404: 'No such question.' },
  example: { query: { id: '$HISTORY_ID' } },
});

export const getHistoryEntry = defineRoute({
  ...history,
  id: 'history.getHistoryEntry',
  method: 'GET',
  path: '/search/history/1',
  summary: 'One question with its answer',
  sdk: { 'history.get': { args: ['id'] } },
  query: z.object({ id }),
  data: historyEntry,
  errors: { 404: 'No such question.' },
  example: { query: { id: '$HISTORY_ID' } },
});

export const updateHistory = defineRoute({
  ...history,
  id: 'history.updateHistory',
  method: 'POST',
  path: '/search/history/update',
  summary: 'Save or archive a question',
  sdk: { 'history.update': { args: ['historyId'] } },
  sdkNames: { isBookmark: 'saved', isArchived: 'archived' },
  body: z.object({
    historyId: id,
    isBookmark: z.boolean().optional(),
    isArchived: z.boolean().optional(),
    /** All questions of its talk too, and the same question where it was asked again by itself. */
    wholeThread: z.boolean().optional(),
  }),
  data: historyEntry,
  errors: { 404: 'No such question.' },
  example: { body: { historyId: '$HISTORY_ID', isBookmark: true } },
});

export const deleteHistory = defineRoute({
  ...history,
  id: 'history.deleteHistory',
  method: 'DELETE',
  path: '/search/history/delete',
  summary: 'Delete all questions and answers, and the links to them',
  sdk: { 'history.deleteAll': {} },
  data: z.null(),
  message: 'Search history deleted successfully.',
  example: {},
});

export const historyAudio = defineRoute({
  id: 'history.historyAudio',
  method: 'GET',
  path: '/search/history/{id}/audio',
  summary: 'An answer, spoken',
  sdk: { 'history.audio': { handWritten: true } },
  auth: 'user',
  apiKey: true,
  kind: 'file',
  params: z.object({ id }),
  errors: { 404: 'No such question.', 503: 'Nothing here can speak.' },
});
