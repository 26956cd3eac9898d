import { Readable } from 'node:stream';
import { ExtractionError } from '@engram/extraction/light';
import { saveWebContent, saveWebPage } from '@engram/contract';
import { disconnectSignal } from '../../platform/http/event-stream.ts';
import type { Caller, Mount } from '../../platform/http/mount.ts';
import { assertUserWithin } from '../../platform/http/networks.ts';
import { type SentContent, readContentForm } from './content-form.ts';
import type { Core } from '../../composition/core.ts';
import { readBody } from '../../platform/http/bounded-fetch.ts';
import { HttpError, tooManyRequests } from '../../platform/http/errors.ts';
import {
  parseContentAddress,
  parseWebAddress,
  videoIdOf,
} from '../../platform/http/web-address.ts';
import { ChildCrash } from '../../platform/processes/task-process.ts';
import { createFairLimiter } from '../../platform/threads/fair-limiter.ts';
import type { Owner } from '../artifacts/artifacts.presenter.ts';
import type { ArtifactsService } from '../artifacts/artifacts.service.ts';
import type { RecognitionLane } from '../ingestion/recognition-lane.ts';
import { openAddress, type OpenedAddress } from './fetch-address.ts';
import { embedPictures } from './pictures.ts';
import { videoPageOf } from './videos.ts';

/** Limits of a fetch with its redirects, in milliseconds. */
const PAGE_MS = 20_000;
const FILE_MS = 120_000;
const PICTURES_MS = 5000;

const MAX_PAGE_BYTES = 10_000_000;

const PAGE_TYPES = new Set(['text/html', 'application/xhtml+xml']);

/** Pages that one user may save: one every two seconds on average. */
const RATE = { perSecond: 0.5, burst: 60 };
const LIMITS = {
  concurrency: 8,
  concurrencyPerGroup: 2,
  maxQueued: 200,
  maxQueuedPerGroup: 40,
  whenFull: () => tooManyRequests('Too many pages are being saved.', 10),
};

interface PageToSave {
  url: string;
  keywords: string[];
  source: 'Web' | 'API';
  signal: AbortSignal;
}

/** Whether an address leads to a whole video, not to a part of its page. */
const isVideo = (address: string): boolean =>
  !address.includes('#') && videoIdOf(new URL(address)) !== null;

const tooLarge = (host: string): HttpError =>
  new HttpError(413, 'page_too_large', `The page of ${host} has more than 10 MB.`);

const unreadable = (host: string): HttpError =>
  new HttpError(422, 'page_unreadable', `The page of ${host} could not be read.`);

const incomplete = (): HttpError =>
  new HttpError(
    422,
    'captions_unavailable',
    'The captions of this video could not be fetched, so the saved file was not replaced. Please try again later.',
  );

const rethrow = (host: string) => (error: unknown) => {
  const isOurs = error instanceof ChildCrash || error instanceof ExtractionError;
  throw isOurs ? unreadable(host) : error;
};

const empty = (host: string): HttpError =>
  new HttpError(
    422,
    'page_empty',
    `The page of ${host} has no text until its scripts run, so there is nothing to save.`,
  );

const lastPart = (address: string): string => {
  const { pathname } = new URL(address);
  try {
    return decodeURIComponent(pathname).split('/').findLast(Boolean) ?? '';
  } catch {
    return '';
  }
};

/** Saves web pages and files from the web as files of a user. */
export function createWebPages(
  { providers, userAgent, limits }: Core,
  { artifacts, lane }: { artifacts: ArtifactsService; lane: Pick<RecognitionLane, 'run'> },
) {
  const { fetch, clock } = providers.outside();
  const limiter = createFairLimiter(LIMITS);
  const limit = limits.limitOf('saved pages', RATE);

  /** Counts a page, and runs `save` when a slot is free. */
  const admit = async <T>(
    owner: Owner,
    { signal }: PageToSave,
    bytes: number,
    save: () => Promise<T>,
  ): Promise<T> => {
    await assertUserWithin(limit, owner.userId, 'Too many pages were saved. Please wait a moment.');
    await artifacts.assertMayUpload(owner.userId, bytes);
    return limiter.run(owner.userId, signal, save);
  };

  const savePage = async (owner: Owner, opened: OpenedAddress, page: PageToSave) => {
    const { host } = new URL(opened.address);
    const { address, charset } = opened;
    const bytes = await readBody(opened, MAX_PAGE_BYTES, () => tooLarge(host));
    const logFields = { host };
    const task = { group: owner.userId, logFields, signal: page.signal };
    const snapshot = await lane
      .run('webPage', task, null, bytes, { address, charset })
      .catch(rethrow(host));
    if (snapshot.isEmpty) throw empty(host);
    const signal = AbortSignal.any([page.signal, AbortSignal.timeout(PICTURES_MS)]);
    const html = await embedPictures(snapshot.html, snapshot.pictures, {
      fetch,
      userAgent,
      signal,
    });
    return artifacts.storeWebFile(owner, {
      title: snapshot.title ?? host,
      extension: '.html',
      content: Readable.from([Buffer.from(html)]),
      address,
      ...page,
    });
  };

  const saveVideo = async (
    owner: Owner,
    address: string,
    opened: OpenedAddress,
    page: PageToSave,
    signal: AbortSignal,
  ) => {
    const { host } = new URL(address);
    const task = { group: owner.userId, logFields: { host }, signal: page.signal };
    const options = { fetch, userAgent, signal, clock, lane, task };
    const video = await videoPageOf(address, opened, options).catch(rethrow(host));
    if (!video.isComplete) {
      const saved = await artifacts.newest(owner, { webAddress: address, limit: 1 });
      if (saved.data.length > 0) throw incomplete();
    }
    const { title, html } = video;
    const content = Readable.from([Buffer.from(html)]);
    return artifacts.storeWebFile(owner, { title, extension: '.html', content, address, ...page });
  };

  const saveFile = async (owner: Owner, opened: OpenedAddress, page: PageToSave) => {
    const { address, fileName = lastPart(address) } = opened;
    return artifacts.storeWebFile(owner, {
      title: fileName || new URL(address).host,
      extension: '',
      content: Readable.from(opened.body),
      address,
      ...page,
    });
  };

  /**
   * Saves the content of an address: the main content of a page, a YouTube video with its captions, or a file
   * of a supported type. A changed version replaces the one that was saved from the same address.
   * @throws HttpError 400 for an address that is not fetched, 402 if the plan does not allow it, 413 if
   * it is too large, 415 if its type is not supported, 422 if there is no page, 429
   */
  const save = async (owner: Owner, page: PageToSave) => {
    const requested = parseWebAddress(page.url);
    return admit(owner, page, 0, async () => {
      const giveUp = new AbortController();
      const signal = AbortSignal.any([page.signal, giveUp.signal]);
      let timer = clock.setTimeout(() => giveUp.abort(), PAGE_MS);
      try {
        const opened = await openAddress(requested, { fetch, userAgent, signal });
        const video = [requested, opened.address].find(isVideo);
        if (video) return await saveVideo(owner, video, opened, page, signal);
        if (PAGE_TYPES.has(opened.mediaType)) return await savePage(owner, opened, page);
        clock.clearTimeout(timer);
        timer = clock.setTimeout(() => giveUp.abort(), FILE_MS);
        return await saveFile(owner, opened, page);
      } finally {
        clock.clearTimeout(timer);
        // Ends a response that was not read to its end.
        giveUp.abort();
      }
    });
  };

  /**
   * Saves content that a client has fetched from an address: a page in UTF-8, or a file. A video is
   * fetched by the server, because the page in the browser has no captions.
   * @throws HttpError as `save`
   */
  const saveContent = (owner: Owner, page: PageToSave, content: SentContent, bytes: number) => {
    const opened = { ...content, address: parseContentAddress(page.url), charset: 'utf-8' };
    if (isVideo(opened.address)) return save(owner, page);
    return admit(owner, page, bytes, () =>
      PAGE_TYPES.has(opened.mediaType)
        ? savePage(owner, opened, page)
        : saveFile(owner, opened, page),
    );
  };

  return {
    save,
    routes(mount: Mount): void {
      const sourceOf = ({ sessionId }: Caller) => (sessionId === null ? 'API' : 'Web');
      mount(saveWebPage, async ({ caller, body, reply }) => {
        const signal = disconnectSignal(reply);
        return { data: await save(caller, { ...body, source: sourceOf(caller), signal }) };
      });
      mount(saveWebContent, async ({ caller, request, reply }) => {
        const length = Number(request.headers['content-length'] ?? 0);
        const signal = disconnectSignal(reply);
        const data = await readContentForm(request, (fields, content) =>
          saveContent(caller, { ...fields, source: sourceOf(caller), signal }, content, length),
        );
        return { data };
      });
    },
  };
}

export type WebPagesService = ReturnType<typeof createWebPages>;
