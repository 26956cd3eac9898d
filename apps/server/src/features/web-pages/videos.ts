import { fetchBounded, readBody } from '../../platform/http/bounded-fetch.ts';
import type { Clock } from '../../platform/clock.ts';
import { HttpError } from '../../platform/http/errors.ts';
import { videoIdOf } from '../../platform/http/web-address.ts';
import type { RecognitionLane, RecognitionTask } from '../ingestion/recognition-lane.ts';
import type { CaptionTrack, Video } from '../ingestion/video-snapshot.ts';
import { type FetchOptions, openAddress, type OpenedAddress } from './fetch-address.ts';

const PLAYER = 'https://www.youtube.com/youtubei/v1/player?prettyPrint=false';
const PLAYER_MS = 10_000;
const MAX_BYTES = 10_000_000;

/** YouTube's app, whose captions need no browser token, unlike those of most pages. Old versions are refused. */
const APP_CLIENT = {
  clientName: 'ANDROID',
  clientVersion: '21.02.35',
  androidSdkVersion: 30,
  hl: 'en',
};
const APP_USER_AGENT = 'com.google.android.youtube/21.02.35 (Linux; U; Android 11) gzip';

const refuse = (code: string, message: string): HttpError => new HttpError(422, code, message);

const baseOf = (tag: string | null | undefined): string => tag?.split('-')[0]?.toLowerCase() ?? '';

/** Prefers captions in the spoken language to those in the page's language, and manual to automatic ones. */
function bestTrack(
  tracks: readonly CaptionTrack[],
  pageLanguage: string | null,
): CaptionTrack | undefined {
  const isIn = (language: string | null | undefined) => (track: CaptionTrack) =>
    baseOf(track.language) === baseOf(language);
  const [automatic, manual] = [true, false].map((value) =>
    tracks.filter(({ isAutomatic }) => isAutomatic === value),
  ) as [CaptionTrack[], CaptionTrack[]];
  const spoken = automatic.find(isIn(pageLanguage)) ?? automatic[0];
  if (spoken) return manual.find(isIn(spoken.language)) ?? spoken;
  return manual.find(isIn(pageLanguage)) ?? manual[0];
}

interface VideoOptions extends FetchOptions {
  clock: Clock;
  lane: Pick<RecognitionLane, 'run'>;
  task: RecognitionTask;
}

/**
 * Converts a fetched video to a page, which is incomplete if its captions could not be fetched.
 * @throws HttpError 422 if YouTube does not show it
 */
export async function videoPageOf(
  address: string,
  opened: Pick<OpenedAddress, 'address' | 'body'>,
  options: VideoOptions,
): Promise<{ title: string; html: string; isComplete: boolean }> {
  const { fetch, clock, lane, task } = options;
  const tooLarge = (): HttpError =>
    new HttpError(413, 'page_too_large', 'The page of this video has more than 10 MB.');
  const read = (bytes: Uint8Array): Promise<Video | null> =>
    lane.run('video', task, null, bytes).catch(() => null);

  const fetchFromPlayer = async (): Promise<Video | null> => {
    const videoId = videoIdOf(new URL(address));
    const body = JSON.stringify({ context: { client: APP_CLIENT }, videoId });
    const headers = { 'content-type': 'application/json', 'user-agent': APP_USER_AGENT };
    const bounds = { fetch, clock, timeoutMs: PLAYER_MS, maxBytes: MAX_BYTES };
    const call = fetchBounded(PLAYER, { method: 'POST', headers, body }, bounds);
    return call.then((response) => read(response.body)).catch(() => null);
  };

  const pageVideo = await read(await readBody(opened, MAX_BYTES, tooLarge));
  const hasNoCaptions = pageVideo?.refusal === null && pageVideo.tracks.length === 0;
  const playerVideo = hasNoCaptions ? null : await fetchFromPlayer();
  const videos = [pageVideo, playerVideo].flatMap((video) =>
    video?.refusal === null ? [video] : [],
  );
  const [video] = videos;
  if (!video) throw refusalOf(pageVideo ?? playerVideo, opened.address);

  const { tracks = [] } = videos.findLast((video) => video.tracks.length > 0) ?? {};
  const track = bestTrack(tracks, video.language);
  const captions = !track ? 'missing' : track.isAutomatic ? 'automatic' : 'manual';
  const bytes = track && (await fetchCaptions(track).catch(() => undefined));
  const language = track?.language ?? video.language;
  const saved = { ...video, address, captions, language } as const;
  const page = await lane.run('videoPage', task, null, bytes ?? new Uint8Array(), saved);
  return { title: video.title, ...page };

  async function fetchCaptions(track: CaptionTrack): Promise<Uint8Array> {
    const url = new URL(track.address, address);
    url.searchParams.set('fmt', 'json3');
    return readBody(await openAddress(url.href, options), MAX_BYTES, tooLarge);
  }
}

function refusalOf(video: Video | null, address: string): HttpError {
  if (video?.refusal) {
    return refuse('video_not_shown', `YouTube does not show this video: ‘${video.refusal}’.`);
  }
  const { host } = new URL(address);
  const message = `${host} did not send the data of this video. It may ask for consent or a sign-in first.`;
  return refuse('video_unreadable', message);
}
