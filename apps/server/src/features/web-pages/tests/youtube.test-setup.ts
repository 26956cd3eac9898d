import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createGuardedFetch } from '../../../platform/http/guarded-fetch.ts';

export const YOUTUBE = 'https://www.youtube.com';
const HOSTS = /^https:\/\/((?:www|consent)\.youtube\.com|short\.example)(?=\/)/u;

/** Sends the response for an address, such as 'www.youtube.com/watch?v=…'. */
export type Handler = (response: ServerResponse, request: IncomingMessage) => void;

export const send =
  (body: string, type = 'text/html; charset=utf-8'): Handler =>
  (response) =>
    response.writeHead(200, { 'content-type': type }).end(body);

export const redirect =
  (location: string): Handler =>
  (response) =>
    response.writeHead(302, { location }).end();

export interface Track {
  languageCode: string;
  kind?: 'asr';
  baseUrl: string;
}

export interface Details {
  status?: string;
  reason?: string;
  title?: string;
  description?: string;
  tracks?: Track[];
}

/** The data of a video for the player, as in pages and in answers of its API. */
export function playerData(id: string, details: Details = {}) {
  const { status = 'OK', reason, title = 'How the ferry is built', tracks } = details;
  const { description = 'A tour of the yard.\nWith the builder.\n\nhttps://yard.example' } =
    details;
  return {
    responseContext: { serviceTrackingParams: [] },
    playabilityStatus: { status, ...(reason ? { reason } : {}), playableInEmbed: true },
    ...(tracks && {
      captions: {
        playerCaptionsTracklistRenderer: {
          captionTracks: tracks.map((track) => ({
            ...track,
            name: { simpleText: track.languageCode },
            vssId: `.${track.languageCode}`,
            isTranslatable: true,
          })),
          audioTracks: [{ captionTrackIndices: [0] }],
        },
      },
    }),
    ...(reason
      ? {}
      : {
          videoDetails: {
            videoId: id,
            title,
            lengthSeconds: '95',
            channelId: 'UCaaaaaaaaaaaaaaaaaaaaaa',
            shortDescription: description,
            author: 'Harbour Channel',
          },
        }),
    microformat: {
      playerMicroformatRenderer: {
        publishDate: '2026-05-04T07:00:00-07:00',
        ownerChannelName: 'Harbour Channel',
      },
    },
  };
}

export const watchPage = (data: unknown, lang = 'en-US'): string =>
  `<!DOCTYPE html><html style="font-size: 10px;" lang="${lang}" system-icons typography><head>
<title>How the ferry is built - YouTube</title></head><body dir="ltr">
<script nonce="x">if (window.ytcsi) {var ytInitialPlayerResponse = null;}</script>
<script nonce="x">var ytInitialPlayerResponse = ${JSON.stringify(data)};var meta = document.createElement('meta');</script>
<div id="content"></div><script>render()</script></body></html>`;

/** Captions as json3, each with its start and length in milliseconds. */
export const json3 = (...captions: [startMs: number, lengthMs: number, text: string][]): string =>
  JSON.stringify({
    wireMagic: 'pb3',
    pens: [{}],
    events: [
      { tStartMs: 0, dDurationMs: 95_000, id: 1, wpWinPosId: 1 },
      ...captions.flatMap(([tStartMs, dDurationMs, text]) => [
        { tStartMs, dDurationMs, wWinId: 1, segs: [{ utf8: text, acAsrConf: 0 }] },
        { tStartMs, dDurationMs: 10, wWinId: 1, aAppend: 1, segs: [{ utf8: '\n' }] },
      ]),
    ],
  });

/**
 * Serves YouTube on 127.0.0.1. The returned fetch sends requests to its hosts there, and is otherwise
 * the server's guarded fetch.
 */
export async function startYouTube() {
  const handlers: Record<string, Handler> = {};
  const requests: string[] = [];
  const server = createServer((request, response) => {
    const path = (request.url ?? '').slice(1);
    requests.push(path);
    const handle = handlers[path];
    if (handle) handle(response, request);
    else response.writeHead(404, 'Not Found').end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const guarded = createGuardedFetch({ configured: [origin] });
  const fetch: typeof globalThis.fetch = (address, init) =>
    guarded(
      String(address).replace(HOSTS, (_, host: string) => `${origin}/${host}`),
      init,
    );
  return {
    handlers,
    /** All requests, in order. */
    requests,
    fetch,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

export type YouTube = Awaited<ReturnType<typeof startYouTube>>;
