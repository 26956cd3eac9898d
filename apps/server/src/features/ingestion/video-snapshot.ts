import {
  type Captions,
  ExtractionError,
  transcriptHtml,
  type TranscriptPart,
} from '@engram/extraction';
import { z } from 'zod';
import { parseJson } from '../../platform/parse-json.ts';
import { escape, htmlPage } from './page-snapshot.ts';

export interface CaptionTrack {
  address: string;
  /** A language tag (BCP 47). */
  language: string;
  isAutomatic: boolean;
}

/** YouTube's data about a video. */
export interface Video {
  /** YouTube's reason for not showing it. Null if it is shown. */
  refusal: string | null;
  title: string;
  channel: string | null;
  description: string;
  /** As YYYY-MM-DD. */
  published: string | null;
  /** The language of the page. */
  language: string | null;
  tracks: CaptionTrack[];
}

const text = z.string().max(100_000);
const captionTrack = z.object({
  baseUrl: z.string().max(8000),
  languageCode: z.string().max(40),
  kind: text.optional(),
});

/** The used part of the data for YouTube's player. */
const playerData = z.object({
  playabilityStatus: z.object({
    status: text,
    reason: text.optional(),
    messages: z.array(text).optional(),
  }),
  videoDetails: z
    .object({ title: text, author: text.optional(), shortDescription: text.default('') })
    .optional(),
  microformat: z
    .object({ playerMicroformatRenderer: z.object({ publishDate: text.optional() }).optional() })
    .optional(),
  captions: z
    .object({
      playerCaptionsTracklistRenderer: z
        .object({ captionTracks: z.array(captionTrack).max(1000).default([]) })
        .optional(),
    })
    .optional(),
});

/** The assignment of the player's data in a script of the page. */
const PLAYER_DATA = /ytInitialPlayerResponse["'\]]{0,2}\s{0,9}=\s{0,9}(?=\{)/;
const MAX_REFUSAL = 200;
/** The states of a video whose page is shown, also before it begins. */
const SHOWN = new Set(['OK', 'LIVE_STREAM_OFFLINE']);

/** The JSON object that begins at a position, or ''. */
function objectAt(source: string, start: number): string {
  let depth = 0;
  let isQuoted = false;
  for (let i = start; i < source.length; i += 1) {
    const sign = source[i];
    if (isQuoted && sign === '\\') i += 1;
    else if (sign === '"') isQuoted = !isQuoted;
    else if (!isQuoted && sign === '{') depth += 1;
    else if (!isQuoted && sign === '}') depth -= 1;
    if (depth === 0) return source.slice(start, i + 1);
  }
  return '';
}

/**
 * Reads a video's page, or the data of its player as JSON.
 * @throws ExtractionError if the data is missing or malformed
 */
export function readVideo(bytes: Uint8Array): Video {
  const source = new TextDecoder().decode(bytes);
  const match = PLAYER_DATA.exec(source);
  const json = match ? objectAt(source, match.index + match[0].length) : source;
  const parsed = playerData.safeParse(parseJson(json));
  if (!parsed.success) throw new ExtractionError('damaged', 'This video could not be read.');
  const { playabilityStatus: state, videoDetails, microformat, captions } = parsed.data;
  const isShown = SHOWN.has(state.status) && videoDetails !== undefined;
  const reason = state.reason ?? state.messages?.[0] ?? state.status;
  const date = microformat?.playerMicroformatRenderer?.publishDate ?? '';
  const tracks = captions?.playerCaptionsTracklistRenderer?.captionTracks ?? [];
  return {
    refusal: isShown ? null : reason.slice(0, MAX_REFUSAL),
    title: videoDetails?.title ?? '',
    channel: videoDetails?.author ?? null,
    description: videoDetails?.shortDescription ?? '',
    published: /^\d{4}-\d\d-\d\d/.exec(date)?.[0] ?? null,
    language: /<html[^<>]{0,400} lang="([\w-]{2,20})"/.exec(source.slice(0, 5000))?.[1] ?? null,
    tracks: tracks.map(({ baseUrl, languageCode, kind }) => ({
      address: baseUrl,
      language: languageCode,
      isAutomatic: kind === 'asr',
    })),
  };
}

/** 100 hours. */
const MAX_MS = 360_000_000;
const time = z.number().min(0).max(MAX_MS);
/** Captions as YouTube's json3. Events without text open a window or a line. */
const captionEvents = z.object({
  events: z
    .array(
      z.object({
        tStartMs: time.default(0),
        dDurationMs: time.default(0),
        segs: z.array(z.object({ utf8: text.default('') })).default([]),
      }),
    )
    .max(100_000),
});

/**
 * The captions as parts, none if they are malformed. An automatic caption stays on screen while the next
 * one is spoken, so it ends when that one begins.
 */
function partsOf(captions: Uint8Array): TranscriptPart[] {
  const parsed = captionEvents.safeParse(parseJson(new TextDecoder().decode(captions)));
  const spoken = (parsed.data?.events ?? [])
    .map(({ segs, ...event }) => {
      const text = segs.map(({ utf8 }) => utf8).join('');
      return { ...event, text: text.replace(/[\0\u200b]/gu, '').trim() };
    })
    .filter((event) => event.text !== '');
  return spoken.map(({ tStartMs, dDurationMs, text }, i) => {
    const nextMs = spoken[i + 1]?.tStartMs ?? Infinity;
    const endMs = Math.max(tStartMs, Math.min(tStartMs + dDurationMs, nextMs));
    return { startMs: tStartMs, endMs, text };
  });
}

export interface SavedVideo extends Omit<Video, 'refusal' | 'tracks'> {
  address: string;
  /** The kind of captions that the video has, even if they could not be fetched. */
  captions: Exclude<Captions, 'unavailable'>;
}

/**
 * Creates the snapshot of a video: its title, channel, date and description, and its captions with links
 * to their seconds.
 * @param captions as json3; empty if they are missing
 */
export function videoSnapshot(captions: Uint8Array, video: SavedVideo) {
  const { title, channel: author, description, address } = video;
  const paragraphs = description
    .split(/\n{2,}/u)
    .filter((paragraph) => paragraph.trim() !== '')
    .map((paragraph) => `<p>${escape(paragraph.trim()).replaceAll('\n', '<br>')}</p>\n`);
  const parts = partsOf(captions);
  const isComplete = video.captions === 'missing' || parts.length > 0;
  const transcript = transcriptHtml(
    isComplete ? video.captions : 'unavailable',
    parts,
    (second) => `${address}&t=${second}s`,
  );
  const body = `<main>\n<h1>${escape(title)}</h1>\n${paragraphs.join('')}${transcript}\n</main>`;
  return { html: htmlPage({ ...video, author, site: 'YouTube' }, address, body), isComplete };
}
