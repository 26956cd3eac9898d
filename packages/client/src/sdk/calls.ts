import * as api from '@engram/contract/browser';
import type { BodyOf, Callable, InputOf } from '@engram/contract';
import type { Client } from '../client.ts';
import { MalformedResponseError } from '../errors.ts';
import * as check from './check.ts';
import type { Form } from './form.ts';
import type { Answer, File, HistoryEntry, HistoryThread, Keyword } from './models.ts';
import type {
  EntryChanges,
  FileFilter,
  HistoryFilter,
  QuestionOptions,
  ThreadFilter,
} from './options.ts';
import type { Page } from './pages.ts';
import * as read from './readers.ts';
import type { Call, Repeat } from './runner.ts';
import { flag, list, type Reader, text } from './shape.ts';

/*
 * Every call that an API key opens, as data. Two ways to the same are one here.
 */

/** A call, with what a test holds against the description of the API. */
export interface DescribedCall<T> extends Call<T> {
  route: Callable;
  query: readonly string[];
  reader: Reader<unknown> | null;
}

const STATUSES = ['PENDING', 'PROCESSING', 'FAILED', 'SUCCESS'] as const;
const SOURCES = ['Web', 'Text', 'API', 'Connector', 'Share'] as const;
const PLACES = ['names', 'content'] as const;
const SORTS = ['created', '-created', 'name', '-name', 'size', '-size'] as const;
const LARGEST_PAGE = 1000;
const DELETE_LIMIT = 10_000;

type Loose = { query?: Record<string, unknown> };

function describe<R extends Callable, T>(
  route: R,
  input: InputOf<R>,
  reader: Reader<unknown> | null,
  repeat: Repeat,
  send: Call<T>['send'],
): DescribedCall<T> {
  const { query = {} } = input as Loose;
  const given = Object.keys(query).filter((name) => query[name] !== undefined);
  return { route, query: given, reader, repeat, send };
}

/** The envelope of an answer; a proxy on the way may have put anything in its place. */
function inEnvelope(answer: unknown): Record<string, unknown> {
  if (typeof answer === 'object' && answer !== null && !Array.isArray(answer)) {
    return answer as Record<string, unknown>;
  }
  throw new MalformedResponseError('The answer is no JSON object. Is this an Engram server?');
}

/** A call that answers JSON. */
export const json = <R extends Callable, T>(
  route: R,
  input: InputOf<R>,
  reader: Reader<T>,
  repeat: Repeat = 'always',
): DescribedCall<T> =>
  describe(route, input, reader, repeat, async (client, options) =>
    reader(inEnvelope(await client.call(route, input, options))['data']),
  );

/** A call of which all there is to know is that it worked. */
export const nothing = <R extends Callable>(
  route: R,
  input: InputOf<R>,
  repeat: Repeat = 'always',
): DescribedCall<void> =>
  describe(route, input, null, repeat, async (client, options) => {
    await client.call(route, input, options);
  });

const page = <R extends Callable, T>(
  route: R,
  input: InputOf<R>,
  row: Reader<T>,
): DescribedCall<Page<T>> => {
  const rows = list(row);
  return describe(route, input, rows, 'always', async (client, options) => {
    const answer = inEnvelope(await client.call(route, input, options));
    const { nextCursor, total } = answer;
    return {
      rows: rows(answer['data']),
      nextCursor: typeof nextCursor === 'string' ? nextCursor : null,
      total: typeof total === 'number' ? total : null,
    };
  });
};

export const bytes = <R extends Callable>(route: R, input: InputOf<R>): DescribedCall<Response> =>
  describe(route, input, null, 'always', (client, options) => client.file(route, input, options));

const form = <T>(
  route: Callable,
  sent: Form,
  reader: Reader<T>,
  repeat: Repeat,
): DescribedCall<T> =>
  describe(
    route,
    {} as InputOf<Callable>,
    reader,
    sent.again ? repeat : 'never',
    async (client, options) => {
      const response = await client.send(route, sent.make(), options);
      return reader(inEnvelope(await response.json())['data']);
    },
  );

const asFlag = (value: boolean): 'true' | 'false' => (value ? 'true' : 'false');
const asFlagIfGiven = (value: boolean | undefined): 'true' | 'false' | undefined =>
  value === undefined ? undefined : asFlag(value);

type Asked = InputOf<typeof api.search>;

/** A question as it is sent. */
export function questionOf(
  words: string,
  {
    keywords = [],
    files = [],
    after,
    explain = false,
    audio = false,
    ...others
  }: QuestionOptions = {},
): Asked {
  check.noOthers(others);
  const chosen = check.chosen(files);
  return {
    body: {
      text: check.question(words),
      keywords: check.keywords(keywords, check.QUESTION_KEYWORDS),
      explain,
      audio,
      ...(chosen.length === 0 ? {} : { artifactIds: chosen }),
      ...(after === undefined ? {} : { after: check.identifier(after) }),
    },
  };
}

/** A question. It may be counted, so it is sent again only where it was not seen. */
export const ask = (question: Asked): DescribedCall<Answer> =>
  json(api.search, question, read.answer, 'unseen');

type Events = ReturnType<typeof streamEvents>;
const streamEvents = (client: Client, question: Asked, signal: AbortSignal) =>
  client.stream(api.search, question, { signal });

/** An answer's events, from the first one on. */
export interface OpenEvents {
  first: Awaited<ReturnType<Events['next']>>;
  rest: Events;
}

/** The same, answered event by event. */
export const askStream = (question: Asked, signal: AbortSignal): DescribedCall<OpenEvents> => ({
  ...describe(api.search, question, read.answer, 'unseen', async (client) => {
    const rest = streamEvents(client, question, signal);
    return { first: await rest.next(), rest };
  }),
  streams: true,
});

/** A spoken question. */
export const transcribe = (recording: Form): DescribedCall<{ text: string }> =>
  form(api.transcribe, recording, read.transcript, 'unseen');

/** Files, or a text. The same bytes are one file, so they may be sent again. */
export const upload = (files: Form) =>
  form(api.uploadArtifacts, files, read.uploadReport, 'always');

/** Where the files of an upload came from; `meta` is in the order of the files. */
export interface UploadPlaces {
  deviceId?: string;
  meta?: readonly object[];
}

/** The fields of an upload. */
export function uploadFields(
  keywords: Iterable<string> = [],
  keywordsByName: Readonly<Record<string, Iterable<string>>> = {},
  artifactText = '',
  { deviceId, meta = [] }: UploadPlaces = {},
): Partial<Record<keyof BodyOf<typeof api.uploadArtifacts>, string>> {
  const byName = Object.entries(keywordsByName).map(
    ([name, words]) => [name, check.keywords(words, check.FILE_KEYWORDS)] as const,
  );
  return {
    keywords: JSON.stringify(check.keywords(keywords, check.FILE_KEYWORDS)),
    filesKeywords: JSON.stringify(Object.fromEntries(byName)),
    ...(artifactText ? { artifactText } : {}),
    ...(meta.length > 0 ? { meta: JSON.stringify(meta) } : {}),
    ...(deviceId === undefined ? {} : { deviceId }),
  };
}

/** A day or a moment, as the API takes it. */
const momentOf = (given: Date | string | undefined): string | undefined =>
  given instanceof Date ? given.toISOString() : given;

/** A page of the files. */
export function listFiles(
  q?: string,
  filter: FileFilter = {},
  cursor?: string,
): DescribedCall<Page<File>> {
  const { archived, keyword, folder, status, sort, offset, pageSize = 100, ...more } = filter;
  const { kind, source, since, until, in: place, ...others } = more;
  check.noOthers(others);
  const query = {
    q,
    cursor,
    limit: check.within(pageSize, 1, LARGEST_PAGE, 'pageSize'),
    offset: cursor === undefined ? offset : undefined,
    archived: asFlagIfGiven(archived),
    keyword: keyword === undefined ? undefined : check.keyword(keyword),
    folder,
    status: status === undefined ? undefined : check.oneOf(status, STATUSES, 'status'),
    sort: sort === undefined ? undefined : check.oneOf(sort, SORTS, 'sort'),
    in: place === undefined ? undefined : check.oneOf(place, PLACES, 'in'),
    kind: kind === undefined ? undefined : check.oneOf(kind, api.fileKinds, 'kind'),
    source: source === undefined ? undefined : check.oneOf(source, SOURCES, 'source'),
    since: momentOf(since),
    until: momentOf(until),
  };
  return page(api.listArtifacts, { query }, read.file);
}

const of = (file: File | string) => ({ artifactId: check.identifier(file) });

/** One file, as it is now. */
export const file = (given: File | string) =>
  json(api.getArtifact, { params: of(given) }, read.file);

export const rename = (given: File | string, name: string) =>
  json(api.renameArtifact, { params: of(given), body: { name } }, read.file);

// A second try would find the old note gone, so there is one only where the first was not seen.
export const editNote = (given: File | string, text: string) =>
  json(api.editNote, { params: of(given), body: { text } }, read.uploadedFile, 'unseen');

export const searchReady = () => json(api.searchReady, {}, flag);

export const fileText = (file: File | string): DescribedCall<string> => {
  const input = { params: of(file) };
  return describe(api.getArtifactText, input, null, 'always', (client, options) =>
    client.text(api.getArtifactText, input, options),
  );
};

export const segments = (file: File | string, from: number, to?: number) =>
  json(api.getArtifactSegments, { params: of(file), query: { from, to } }, list(read.segment));

export const view = (file: File | string, query: { from: number; to?: number; path?: string }) =>
  json(api.getArtifactView, { params: of(file), query }, read.fileView);

export const words = (file: File | string, page: number, path?: string) =>
  json(api.getArtifactWords, { params: of(file), query: { page, path } }, list(read.word));

export const link = (file: File | string) =>
  json(api.signArtifact, { params: of(file) }, read.fileLink);

export const openFile = (file: File) =>
  bytes(api.openArtifact, {
    params: { ...of(file), userId: check.identifier(file.userId), fileName: file.name },
  });

export const setArchived = (file: File | string, archived: boolean) =>
  json(api.setArtifactArchived, { params: { ...of(file), archived: asFlag(archived) } }, read.file);

export const setKeywords = (file: File | string, some: Iterable<string>) =>
  json(
    api.setArtifactKeywords,
    { body: { ...of(file), keywords: check.keywords(some, check.FILE_KEYWORDS) } },
    read.file,
  );

export const retry = (file: File | string) =>
  json(api.retryArtifact, { params: of(file) }, read.file, 'unseen');

// A second try would find none, so there is one only where the first was not seen.
export const deleteFile = (file: File | string) =>
  nothing(api.deleteArtifact, { params: of(file) }, 'unseen');

export function deleteFiles(files: Iterable<File | string>): DescribedCall<string[]> {
  const ids = check.several(files, 'delete()').map(check.identifier);
  if (ids.length < 1 || ids.length > DELETE_LIMIT) {
    check.refuse(`From 1 to ${DELETE_LIMIT} files can be deleted at once.`, 'files');
  }
  return json(api.deleteArtifacts, { body: ids }, list(text), 'unseen');
}

export const deleteAllFiles = () => nothing(api.deleteAllArtifacts, {});

export const listKeywords = (countFiles: boolean) =>
  json(api.listKeywords, { query: { files: countFiles ? 'true' : undefined } }, list(read.keyword));

export const addKeyword = (word: string) =>
  json(api.addKeywordByBody, { body: { keyword: check.keyword(word) } }, read.keyword, 'unseen');

export const setKeywordActive = (keyword: Keyword | string, active: boolean) =>
  json(
    api.setKeywordActive,
    { params: { id: check.identifier(keyword), isActive: asFlag(active) } },
    read.keyword,
  );

/** A page of the history. */
export function listHistory(
  q?: string,
  { archived, saved, brief, pageSize = 100, ...others }: HistoryFilter = {},
  cursor?: string,
): DescribedCall<Page<HistoryEntry>> {
  check.noOthers(others);
  const query = {
    q,
    cursor,
    limit: check.within(pageSize, 1, LARGEST_PAGE, 'pageSize'),
    archived: asFlagIfGiven(archived),
    saved: asFlagIfGiven(saved),
    brief: asFlagIfGiven(brief),
  };
  return page(api.listHistory, { query }, read.historyEntry);
}

/** A page of the talks. */
export function listThreads(
  q?: string,
  { archived, saved, pageSize = 100, ...others }: ThreadFilter = {},
  cursor?: string,
): DescribedCall<Page<HistoryThread>> {
  check.noOthers(others);
  const query = {
    q,
    cursor,
    limit: check.within(pageSize, 1, LARGEST_PAGE, 'pageSize'),
    archived: asFlagIfGiven(archived),
    saved: asFlagIfGiven(saved),
  };
  return page(api.listThreads, { query }, read.historyThread);
}

type Entry = HistoryEntry | HistoryThread | Answer | string;

export const historyThread = (entry: Entry) =>
  json(api.historyThread, { query: { id: check.identifier(entry) } }, list(read.historyEntry));

export const todaysHistory = (timeZone?: string) =>
  json(api.todaysHistory, { query: { timeZone } }, list(read.historyEntry));

export const historyEntry = (entry: Entry) =>
  json(api.getHistoryEntry, { query: { id: check.identifier(entry) } }, read.historyEntry);

export function updateHistory(
  entry: Entry,
  { saved, archived, wholeThread, ...others }: EntryChanges,
): DescribedCall<HistoryEntry> {
  check.noOthers(others);
  const body = {
    historyId: check.identifier(entry),
    isBookmark: saved,
    isArchived: archived,
    wholeThread,
  };
  return json(api.updateHistory, { body }, read.historyEntry);
}

export const deleteHistory = () => nothing(api.deleteHistory, {});

export const historyAudio = (entry: Entry) =>
  bytes(api.historyAudio, { params: { id: check.identifier(entry) } });

export const suggestions = () => json(api.suggestions, {}, list(text));

export const recommendations = () => json(api.recommendedQuestions, {}, list(text));

export const profile = () => json(api.getProfile, {}, read.profile);
