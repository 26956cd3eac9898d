import type {
  Artifact,
  FoundSection,
  HistoryEntry,
  HistoryThread,
  Keyword,
  Metrics,
  RelatedFile,
  SearchData,
} from '@engram/contract';
import { render } from '@testing-library/react';
import type { ComponentType } from 'react';
import { createMemoryRouter, Outlet, RouterProvider } from 'react-router';
import { vi } from 'vitest';
import { EvidenceLayout } from '../app/evidence-layout.tsx';
import { Providers, connectSession } from '../app/providers.tsx';
import { createQueryClient } from '../app/query-client.ts';
import { someSettings } from './factories.test-setup.ts';
import { fakeXhr } from './fake-server.test-setup.ts';

const id = (n: number): string => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;

/** The text of the file that the answers cite. */
export const LEASE_TEXT =
  'Contents\n\n§ 14 Notice. Either party may end it.\n\n§ 15 Deposit. It comes back.';
const QUOTE = 'Either party may end it.';

const lease: RelatedFile = {
  artifactId: id(1),
  artifactGroupId: id(2),
  artifactArchived: false,
  artifact_text: null,
  createdBy: 'ann',
  createdDate: '2026-11-01T00:00:00Z',
  fileName: 'Lease.txt',
  path: null,
  filePathS3: 'key',
  fileType: 'text/plain',
  presignedUrl: '/v1/files/lease',
  score: 0.9,
  size: LEASE_TEXT.length,
  status: 'SUCCESS',
  userId: id(3),
};

export const searchData = (changes: Partial<SearchData> = {}): SearchData => ({
  text: 'How much notice?',
  answers: ['At the **end** of a month [1].'],
  date: '2026-11-20T17:52:00Z',
  recommendations: ['Who repaints?'],
  history_id: id(100),
  audio_file: null,
  similar_vectors: [lease],
  citations: [
    {
      n: 1,
      artifactId: lease.artifactId,
      fileName: lease.fileName,
      path: lease.path,
      location: { line: 3 },
      quote: QUOTE,
      start: LEASE_TEXT.indexOf(QUOTE),
      end: LEASE_TEXT.indexOf(QUOTE) + QUOTE.length,
    },
  ],
  grounded: true,
  nearest: [],
  mode: 'written',
  found: [],
  unverified: [],
  notice: null,
  writtenBy: 'a model',
  ...changes,
});

/** A section of the lease, with the sentence that an answer quotes. */
export const leaseSection = (changes: Partial<FoundSection> = {}): FoundSection => ({
  n: 1,
  artifactId: lease.artifactId,
  fileName: lease.fileName,
  path: lease.path,
  location: { line: 3 },
  start: LEASE_TEXT.indexOf('§ 14'),
  end: LEASE_TEXT.length,
  text: LEASE_TEXT.slice(LEASE_TEXT.indexOf('§ 14')),
  highlights: [[5, 11]],
  score: 0.8,
  newer: null,
  ...changes,
});

export function historyEntry(n: number, changes: Partial<HistoryEntry> = {}): HistoryEntry {
  const data = searchData();
  return {
    id: id(100 + n),
    searchText: `Question ${n}`,
    date: data.date,
    latitude: null,
    longitude: null,
    ip: null,
    device: null,
    userId: id(3),
    answers: data.answers,
    audioFile: null,
    recommendations: data.recommendations,
    similarVectors: data.similar_vectors,
    citations: data.citations,
    grounded: true,
    nearest: [],
    mode: data.mode,
    found: data.found,
    unverified: [],
    notice: null,
    follows: null,
    thread: id(100 + n),
    writtenBy: data.writtenBy,
    keywords: [],
    chosenFiles: [],
    isBookmark: false,
    isArchived: false,
    ...changes,
  };
}

/** A conversation with one question, as a row of the history. */
export function threadRow(n: number, changes: Partial<HistoryEntry> = {}): HistoryThread {
  const {
    id: entryId,
    thread,
    searchText,
    date,
    isBookmark,
    isArchived,
  } = historyEntry(n, changes);
  const counts = { turns: 1, times: 1, found: null };
  return { id: entryId, thread, searchText, date, isBookmark, isArchived, ...counts };
}

const metrics: Metrics = {
  plan: 'Starter(Free)',
  credit: 0,
  status: 'Active',
  enforced: false,
  daily_query_limit: 15,
  daily_queries_used: 0,
  weekly_query_limit: 105,
  weekly_queries_used: 0,
  monthly_query_limit: 0,
  monthly_queries_used: 0,
  weekly_file_size: 0,
  weekly_file_size_limit: 0,
  yearly_file_size: 0,
  yearly_file_size_limit: 10,
};

/** A question, whose answer the test sends in parts. */
export class ReceivedQuestion {
  readonly body: unknown;
  aborted = false;
  readonly response: Response;
  #controller: ReadableStreamDefaultController<Uint8Array> | undefined;

  constructor(body: unknown, signal: AbortSignal | null | undefined) {
    this.body = body;
    const stream = new ReadableStream<Uint8Array>({
      start: (controller) => {
        this.#controller = controller;
      },
      cancel: () => {
        this.aborted = true;
      },
    });
    signal?.addEventListener('abort', () => {
      this.aborted = true;
      this.#controller?.error(new DOMException('Aborted', 'AbortError'));
    });
    this.response = new Response(stream, { headers: { 'content-type': 'text/event-stream' } });
  }

  send(event: 'sources' | 'step' | 'delta' | 'done' | 'error', data: unknown): void {
    const text = `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
    this.#controller?.enqueue(new TextEncoder().encode(text));
  }

  end(): void {
    this.#controller?.close();
  }
}

/** A server for the calls of the search screen, whose fields are its responses. */
export class SearchServer {
  metrics = metrics;
  settings = someSettings({ codesInLog: true });
  keywords: Keyword[] = [];
  files: Artifact[] = [];
  ready = true;
  recommendations: string[] = [];
  suggestions: string[] = [];
  /** The audio of an answer; null without speech. */
  sound: string | null = 'sound';
  history: HistoryEntry[] = [];
  /** If set, questions are refused with this. */
  refusal: { status: number; message: string; retryAfter?: number } | null = null;
  /** The number of failed files. */
  failed = 0;
  failsUpdates = false;
  failsLists = false;
  failsToday = false;
  failsKeywords = false;
  unreachable = false;
  /** The transcript of recordings; null if the transcription is down. */
  words: string | null = '';
  /** The received recordings. */
  readonly recordings: File[] = [];
  /** The texts of files. A missing file has been deleted. */
  texts = new Map([[lease.artifactId, LEASE_TEXT]]);
  readonly questions: ReceivedQuestion[] = [];
  /** Method and path of every call, in order. */
  readonly calls: string[] = [];

  readonly #answer = (data: unknown, extraFields: object = {}): Response =>
    Response.json({ message: 'OK', data, ...extraFields });

  readonly #refuse = (status: number, message: string, headers = {}): Response =>
    Response.json({ message, code: 'refused' }, { status, headers });

  readonly fetch = async (input: RequestInfo | URL, init?: RequestInit): Promise<Response> => {
    const url = new URL(String(input), 'http://engram.test');
    const path = url.pathname.replace('/v1', '');
    this.calls.push(`${init?.method ?? 'GET'} ${path}${url.search}`);
    if (path === '/search') return this.#ask(init);
    const body: unknown = init?.body ? JSON.parse(String(init.body)) : undefined;
    return this.#read(path, url.searchParams) ?? this.#write(path, body);
  };

  /** Handles the only upload, which sends a recording. */
  readonly handle = (_method: string, _url: string, _headers: Headers, body: unknown) => {
    this.calls.push('POST /search/transcribe');
    const [, recording] = body instanceof FormData ? ([...body][0] ?? []) : [];
    if (recording instanceof File) this.recordings.push(recording);
    return Promise.resolve(
      this.words === null
        ? this.#refuse(503, 'Your question could not be transcribed.')
        : this.#answer({ text: this.words }),
    );
  };

  #ask(init?: RequestInit): Response {
    if (this.unreachable) throw new TypeError('Failed to fetch');
    if (this.refusal) {
      const { status, message, retryAfter } = this.refusal;
      return this.#refuse(status, message, retryAfter ? { 'retry-after': `${retryAfter}` } : {});
    }
    const question = new ReceivedQuestion(JSON.parse(String(init?.body)), init?.signal);
    this.questions.push(question);
    return question.response;
  }

  #read(path: string, query: URLSearchParams): Response | null {
    const fixed: Record<string, unknown> = {
      '/settings': this.settings,
      '/subscription/metrics': this.metrics,
      '/keywords': this.keywords,
      '/artifacts': this.files,
      '/artifacts/search_ready': this.ready,
      '/questions/recommendations': this.recommendations,
      '/suggestions': this.suggestions,
      '/search/history/today': this.history,
    };
    if (path === '/search/history/today' && this.failsToday) {
      return this.#refuse(503, 'The database is busy.');
    }
    if (path === '/keywords' && this.failsKeywords) {
      return this.#refuse(409, 'Your keywords are being moved.');
    }
    if (path === '/artifacts' && query.get('status') === 'FAILED') {
      return this.#answer([], { total: this.failed, nextCursor: null });
    }
    if (path in fixed) return this.#answer(fixed[path]);
    if (path === '/search/history/threads') return this.#list(query);
    if (path === '/search/history/thread') return this.#thread(query.get('id') ?? '');
    if (/^\/search\/history\/[\w-]+\/audio$/u.test(path)) {
      return this.sound === null
        ? this.#refuse(503, 'Speech is not available.')
        : new Response(this.sound, { headers: { 'content-type': 'audio/mpeg' } });
    }
    const file = /^\/artifacts\/([\w-]+)\/(text|link|segments)$/u.exec(path);
    return file ? this.#file(file[1]!, file[2]!) : null;
  }

  #thread(id: string): Response {
    const thread = this.history.find((entry) => entry.id === id)?.thread;
    const entries = this.history.filter((entry) => entry.thread === thread);
    return thread === undefined
      ? this.#refuse(404, 'No such question.')
      : this.#answer(entries.toReversed());
  }

  /** Each conversation is one row. */
  #list(query: URLSearchParams): Response {
    if (this.failsLists) return this.#refuse(503, 'The database is busy.');
    const searched = query.get('q') ?? '';
    const matching = this.history.filter(
      (entry) =>
        `${entry.searchText} ${entry.answers.join(' ')}`.includes(searched) &&
        String(entry.isArchived) === query.get('archived') &&
        (query.get('saved') !== 'true' || entry.isBookmark),
    );
    const found = [...Map.groupBy(matching, ({ thread }) => thread).values()].map(
      ([newest, ...earlier]): HistoryThread => ({
        id: newest!.id,
        thread: newest!.thread,
        searchText: earlier.at(-1)?.searchText ?? newest!.searchText,
        date: newest!.date,
        turns: 1 + earlier.length,
        times: 1,
        found: searched && newest!.answers[0]?.includes(searched) ? newest!.answers[0] : null,
        isBookmark: [newest!, ...earlier].some(({ isBookmark }) => isBookmark),
        isArchived: newest!.isArchived,
      }),
    );
    // The cursor is the last question of the previous page, so new questions do not shift the pages.
    const start = found.findIndex(({ id }) => id === query.get('cursor')) + 1;
    const page = found.slice(start, start + Number(query.get('limit') ?? found.length));
    const nextCursor = start + page.length < found.length ? page.at(-1)?.id : null;
    return this.#answer(page, { total: found.length, nextCursor });
  }

  #file(artifactId: string, part: string): Response {
    const text = this.texts.get(artifactId);
    if (text === undefined) return this.#refuse(404, 'No such file.');
    if (part === 'text') return new Response(text);
    if (part === 'segments') {
      const segment = { start: 0, end: text.length, location: { line: 3 }, kind: 'prose' };
      return this.#answer([{ ...segment, headings: [] }]);
    }
    const { fileName, fileType, size, presignedUrl } = lease;
    return this.#answer({
      presignedUrl,
      expiresAt: '',
      fileName,
      fileType,
      size,
      thumbnailUrl: null,
    });
  }

  #write(path: string, body: unknown): Response {
    if (path !== '/search/history/update') return this.#refuse(404, `No ${path}.`);
    if (this.failsUpdates) return this.#refuse(503, 'The database is busy.');
    const { historyId, ...changes } = body as { historyId: string };
    this.history = this.history.map((entry) =>
      entry.id === historyId ? Object.assign({}, entry, changes) : entry,
    );
    return this.#answer(this.history.find((entry) => entry.id === historyId));
  }
}

/** Renders pages at an address, with the given server. */
export function renderPages(
  server: SearchServer,
  pages: Record<string, ComponentType>,
  address: string,
) {
  vi.stubGlobal('fetch', server.fetch);
  vi.stubGlobal('XMLHttpRequest', fakeXhr(server));
  connectSession();
  const children = Object.entries(pages).map(([path, Component]) => ({ path, Component }));
  const layout = (
    <EvidenceLayout>
      <Outlet />
    </EvidenceLayout>
  );
  const routes = [{ element: layout, children }];
  const router = createMemoryRouter(routes, { initialEntries: [address] });
  render(
    <Providers queryClient={createQueryClient()}>
      <RouterProvider router={router} />
    </Providers>,
  );
  return router;
}
