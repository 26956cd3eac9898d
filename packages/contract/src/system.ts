import { z } from 'zod';
import { defineRoute, userCall } from './route.ts';
import { position } from './values.ts';

export const health = defineRoute('GET /health', {
  id: 'system.health',
  summary: 'Whether the server serves',
  auth: 'public',
  kind: 'json',
  data: z.object({ status: z.literal('ok') }),
});

/** What a load balancer or a service manager asks; neither says anything of anybody's. */
export const live = defineRoute('GET /live', {
  id: 'system.live',
  summary:
    'Whether the process serves: it asks nothing else, and should be started again where it does not answer',
  auth: 'public',
  probe: true,
  kind: 'json',
  data: z.object({ status: z.literal('ok') }),
});

export const ready = defineRoute('GET /ready', {
  id: 'system.ready',
  summary:
    'Whether calls should be sent here: what the server stands on answers, and it is not stopping',
  auth: 'public',
  probe: true,
  kind: 'json',
  data: z.object({
    /** `degraded`: questions are not answered as well as they could be, and all else works. */
    status: z.enum(['ready', 'degraded']),
    parts: z.array(
      z.object({
        name: z.enum(['database', 'files', 'index']),
        ok: z.boolean(),
        /** A sentence on what is wrong; null where nothing is. */
        problem: z.string().nullable(),
      }),
    ),
  }),
  errors: { 503: 'The server is stopping, or the database or the file store does not answer.' },
});

export const ability = z.object({
  name: z.enum([
    'mail',
    'model',
    'embeddings',
    'reranker',
    'google',
    'geocoder',
    'recognition',
    'speech',
    'transcription',
    'vision',
    'ffmpeg',
    'payments',
    'blog',
  ]),
  on: z.boolean(),
  /** What is used, or why the ability is off. */
  detail: z.string(),
});

export const status = defineRoute('GET /status', {
  id: 'system.status',
  summary: 'Which abilities are on, and why others are off',
  ...userCall,
  data: z.object({ version: z.string(), abilities: z.array(ability) }),
});

export const ip = defineRoute('GET /ip', {
  id: 'system.ip',
  summary: "The caller's address",
  auth: 'public',
  kind: 'json',
  data: z.object({ ip: z.string() }),
});

/** What the web app needs to know of its server before anybody has signed in. */
export const appSettings = defineRoute('GET /settings', {
  id: 'system.appSettings',
  summary: 'What the web app needs to know of its server',
  auth: 'public',
  kind: 'json',
  data: z.object({
    /** Whether codes are printed in the log of a server that is reached from its own machine alone. */
    codesInLog: z.boolean(),
    /** Where people can sign in with Google: Engram's client id there. */
    google: z.object({ clientId: z.string() }).nullable(),
    /** Whether a recorded question can be sent to `POST /search/transcribe`. */
    transcription: z.boolean(),
    /** Megabytes (2^20 bytes) that a file of the types whose size is that of media may have. */
    mediaLimitMb: z.number(),
    /** Megabytes (2^20 bytes) that any other file may have. */
    uploadLimitMb: z.number(),
    timeZone: z.string(),
    /** What stands behind times, such as PST. */
    timeZoneLabel: z.string(),
    contactEmail: z.string().nullable(),
    contactPhone: z.string().nullable(),
    contactAddress: z.string().nullable(),
    /** Where the address stands on the map. */
    contactPosition: position,
    /** Where plans are paid: nowhere, in the sandbox, in which no money moves, or at Stripe with its public key. */
    payments: z.discriminatedUnion('provider', [
      z.object({ provider: z.literal('off') }),
      z.object({ provider: z.literal('sandbox') }),
      z.object({ provider: z.literal('stripe'), publishableKey: z.string() }),
    ]),
    socialLinks: z.array(z.object({ name: z.string(), url: z.string() })),
  }),
});

export const openApi = defineRoute('GET /openapi.json', {
  id: 'system.openApi',
  summary: 'This contract as OpenAPI 3.1',
  auth: 'public',
  kind: 'text',
  mediaType: 'application/json',
});

export const reference = defineRoute('GET /reference', {
  id: 'system.reference',
  summary: 'This contract as a page',
  auth: 'public',
  kind: 'text',
  mediaType: 'text/html',
});
