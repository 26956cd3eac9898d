import { z } from 'zod';
import { defineRoute } from './route.ts';
import { answerTexts, nextQuestions, relatedFiles, verifiedAnswer, writtenBy } from './search.ts';
import { fileId, fileName, flag, id, listQuery, timestamp, timeZone } from './values.ts';

/** A file that a question is limited to. */
const chosenFile = z
  .object({ artifactId: fileId, fileName })
  .meta({ id: 'ChosenFile', description: 'A file that a question was limited to.' });
export type ChosenFile = z.output<typeof chosenFile>;

export const historyEntry = z
  .object({
    id,
    searchText: z.string().describe('The question.'),
    date: timestamp.describe('When it was asked.'),
    latitude: z.number().nullable().describe('Degrees north; null if not shared.'),
    longitude: z.number().nullable().describe('Degrees east; null if not shared.'),
    ip: z.string().nullable().describe('The IP address that the call came from.'),
    device: z.string().nullable().describe('The device or program of the call.'),
    userId: id.describe('The id of the user.'),
    answers: answerTexts,
    audioFile: z
      .string()
      .nullable()
      .describe('The spoken answer, an MP3 in base64; null in lists.'),
    recommendations: nextQuestions,
    similarVectors: relatedFiles,
    ...verifiedAnswer,
    follows: id.nullable().describe('The id of the question that this one follows up on.'),
    thread: id.describe('The id of the first question of the conversation.'),
    writtenBy,
    keywords: z.array(z.string()).describe('The keywords that it was limited to; empty for all.'),
    chosenFiles: z.array(chosenFile).describe('The files that it was limited to; empty for all.'),
    isBookmark: z.boolean().describe('Whether it is saved.'),
    isArchived: z.boolean().describe('Whether it is archived.'),
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

export const todaysHistory = defineRoute('GET /search/history/today', {
  apiKey: true,
  summary: "Today's questions, newest first",
  sdk: { 'history.today': { args: ['timeZone?'] } },
  query: z.object({
    timeZone: timeZone.optional().describe("Such as Europe/Berlin; by default the server's."),
  }),
  data: z.array(historyEntry),
  example: {},
});

const historyQuery = listQuery.extend({
  archived: flag.optional().describe('Only archived ones (true) or only others (false).'),
  saved: flag.optional().describe('Only saved ones (true) or only others (false).'),
});

export const listHistory = defineRoute('GET /search/history/all', {
  apiKey: true,
  summary: 'All questions, newest first',
  sdk: { 'history.list': { args: ['q?'] } },
  sdkNames: { limit: 'pageSize' },
  query: historyQuery.extend({
    brief: flag.optional().describe('Whether to leave out answers, files, citations and sections.'),
  }),
  data: z.array(historyEntry),
  list: true,
  example: { query: { limit: '20' } },
});

const historyThreadRow = z
  .object({
    id: id.describe('The id of its newest question that matches.'),
    thread: id.describe('The id of the first question of the conversation.'),
    searchText: z.string().describe('Its first question.'),
    date: timestamp.describe('When its newest question was asked.'),
    turns: z.number().int().positive().describe('The number of questions in the conversation.'),
    times: z.number().int().positive().describe('How often this single question was asked.'),
    found: z.string().nullable().describe('The part of the answer that matches q.'),
    isBookmark: z.boolean().describe('Whether one of its questions is saved.'),
    isArchived: z.boolean().describe('Whether all its questions that match are archived.'),
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

export const listThreads = defineRoute('GET /search/history/threads', {
  apiKey: true,
  summary: 'Conversations, newest first, one row each',
  sdk: { 'history.threads': { args: ['q?'] } },
  sdkNames: { limit: 'pageSize' },
  query: historyQuery,
  data: z.array(historyThreadRow),
  list: true,
  example: { query: { limit: '20', q: 'lease' } },
});

export const historyThread = defineRoute('GET /search/history/thread', {
  apiKey: true,
  summary: 'The questions of a conversation, oldest first, up to the newest 200',
  sdk: { 'history.thread': { args: ['id'] } },
  query: z.object({ id }),
  data: z.array(historyEntry),
  errors: { 404: 'No such question.' },
  example: { query: { id: '$HISTORY_ID' } },
});

export const getHistoryEntry = defineRoute('GET /search/history/1', {
  apiKey: true,
  summary: 'One question with its answer',
  sdk: { 'history.get': { args: ['id'] } },
  query: z.object({ id }),
  data: historyEntry,
  errors: { 404: 'No such question.' },
  example: { query: { id: '$HISTORY_ID' } },
});

export const updateHistory = defineRoute('POST /search/history/update', {
  apiKey: true,
  summary: 'Save or archive a question',
  sdk: { 'history.update': { args: ['historyId'] } },
  sdkNames: { isBookmark: 'saved', isArchived: 'archived' },
  body: z.object({
    historyId: id.describe('The id of the question.'),
    isBookmark: z.boolean().optional().describe('Whether it is saved.'),
    isArchived: z.boolean().optional().describe('Whether it is archived.'),
    wholeThread: z
      .boolean()
      .optional()
      .describe('Whether to change the whole conversation and repeats.'),
  }),
  data: historyEntry,
  errors: { 404: 'No such question.' },
  example: { body: { historyId: '$HISTORY_ID', isBookmark: true } },
});

export const deleteHistory = defineRoute('DELETE /search/history/delete', {
  apiKey: true,
  summary: 'Delete all questions and answers, and the links to them',
  sdk: { 'history.deleteAll': {} },
  data: z.null(),
  message: 'Search history deleted successfully.',
  example: {},
});

export const historyAudio = defineRoute('GET /search/history/{id}/audio', {
  summary: 'An answer as speech',
  sdk: { 'history.audio': { handWritten: true } },
  apiKey: true,
  kind: 'file',
  params: z.object({ id }),
  errors: { 404: 'No such question.', 503: 'Speech is not available on this server.' },
});
