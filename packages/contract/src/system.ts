import { z } from 'zod';
import { defineRoute } from './route.ts';
import { position } from './values.ts';

export const health = defineRoute('GET /health', {
  summary: 'The health of the server',
  auth: 'public',
  data: z.object({ status: z.literal('ok') }),
});

/** For load balancers and service managers. */
export const live = defineRoute('GET /live', {
  summary: 'Liveness: whether the process responds. Restart it if it does not.',
  auth: 'public',
  probe: true,
  data: z.object({ status: z.literal('ok') }),
});

export const ready = defineRoute('GET /ready', {
  summary: 'Readiness: whether the dependencies respond and the server is not stopping',
  auth: 'public',
  probe: true,
  data: z.object({
    /** `degraded`: answers may be worse, all else works. */
    status: z.enum(['ready', 'degraded']),
    parts: z.array(
      z.object({
        name: z.enum(['database', 'files', 'index']),
        ok: z.boolean(),
        /** A sentence, or null if nothing is wrong. */
        problem: z.string().nullable(),
      }),
    ),
  }),
  errors: { 503: 'The server is stopping, or the database or the file store does not respond.' },
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
  /** The provider or model that is used, or why the feature is off. */
  detail: z.string(),
});

export const status = defineRoute('GET /status', {
  summary: 'The enabled features, and why others are off',
  data: z.object({ version: z.string(), abilities: z.array(ability) }),
});

export const ip = defineRoute('GET /ip', {
  summary: "The caller's address",
  auth: 'public',
  data: z.object({ ip: z.string() }),
});

export const appSettings = defineRoute('GET /settings', {
  summary: 'The settings that the web app needs',
  auth: 'public',
  data: z.object({
    /** Whether sign-in codes are printed in the log, on a server for its own machine only. */
    codesInLog: z.boolean(),
    /** Engram's client id at Google, if users can sign in with it. */
    google: z.object({ clientId: z.string() }).nullable(),
    /** Whether a recorded question can be sent to `POST /search/transcribe`. */
    transcription: z.boolean(),
    /** The size limit of media files in MiB. */
    mediaLimitMb: z.number(),
    /** The size limit of other files in MiB. */
    uploadLimitMb: z.number(),
    timeZone: z.string(),
    /** Shown after times, such as PST. */
    timeZoneLabel: z.string(),
    contactEmail: z.string().nullable(),
    contactPhone: z.string().nullable(),
    contactAddress: z.string().nullable(),
    /** Of the address on the map. */
    contactPosition: position,
    /** `sandbox` moves no money. */
    payments: z.discriminatedUnion('provider', [
      z.object({ provider: z.literal('off') }),
      z.object({ provider: z.literal('sandbox') }),
      z.object({ provider: z.literal('stripe'), publishableKey: z.string() }),
    ]),
    socialLinks: z.array(z.object({ name: z.string(), url: z.string() })),
  }),
});

export const openApi = defineRoute('GET /openapi.json', {
  summary: 'This contract as OpenAPI 3.1',
  auth: 'public',
  kind: 'text',
  mediaType: 'application/json',
});

export const reference = defineRoute('GET /reference', {
  summary: 'This contract as a page',
  auth: 'public',
  kind: 'text',
  mediaType: 'text/html',
});
