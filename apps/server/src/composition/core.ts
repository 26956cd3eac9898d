import type { FastifyBaseLogger } from 'fastify';
import type { SecurityEvents } from '../features/security-events/security-events.service.ts';
import type { OriginOf } from '../platform/http/hosts.ts';
import type { Config } from '../config.ts';
import type { AnalysisThreadsOptions } from '../features/search/analysis/analysis-threads.ts';
import { createAnswerModel } from '../platform/ai/answering/answer-model.ts';
import type { CatalogModel } from '../platform/ai/local/catalog.ts';
import { createModelStore, type ModelStoreOptions } from '../platform/ai/local/model-store.ts';
import { createTranscriber } from '../platform/ai/transcription/transcription.ts';
import { createDescriber } from '../platform/ai/vision.ts';
import type { Background } from '../platform/background.ts';
import { systemClock } from '../platform/clock.ts';
import { createGuardedFetch } from '../platform/http/guarded-fetch.ts';
import type { Limits } from '../platform/limits/limits.ts';
import { createMailer } from '../platform/mail/mailer.ts';
import { createFfmpeg } from '../platform/media/ffmpeg.ts';
import { createSpeaker } from '../platform/speech/create-speaker.ts';
import type { Storage } from './storage.ts';

/** Dependencies shared by all features of the server. */
export interface Core {
  config: Config;
  log: FastifyBaseLogger;
  now: () => Date;
  version: string;
  userAgent: string;
  storage: Storage;
  providers: Providers;
  limits: Limits;
  background: Background;
  securityEvents: SecurityEvents;
  /** The address under which a request's client reaches this server. */
  originOf: OriginOf;
}

/** The clock, the log, and options that tests replace. */
export interface ServerEnvironment {
  log: FastifyBaseLogger;
  now: () => Date;
  /** Whether responses are checked against the contract, as in tests. */
  checkResponses?: boolean;
  /** How long a search by meaning may delay an answer, in milliseconds. Default: 150. */
  meaningMs?: number;
  /** How long a question waits for the reranker, in milliseconds. Default: 300. */
  rerankMs?: number;
  /** Whether a thread for questions starts before the first question. Default: true. */
  warmUp?: boolean;
  /** The time limit and the program of the threads that analyze questions. */
  analysis?: Omit<AnalysisThreadsOptions, 'log'>;
  /** Free bytes on the disk of a folder. Default: as reported by the system. */
  freeBytes?: (folder: string) => Promise<number>;
  /** The language models that can be downloaded. Default: those of this version of Engram. */
  languageModels?: readonly CatalogModel[];
  /** Fetches addresses of other servers. Default: only from the internet. */
  fetchOutside?: typeof globalThis.fetch;
  /** Records this data folder and secret as those of the database. */
  replaceInstallation?: boolean;
  /** The built web app; null to serve only the API. */
  webFolder?: string | null;
  /** The folder of the built Connector, which may be missing. */
  connectorFolder?: string;
}

/** External services and models. Each describes why it is off. */
export function createProviders(
  config: Config,
  log: FastifyBaseLogger,
  models: Omit<ModelStoreOptions, 'clock'>,
  fetchOutside?: typeof globalThis.fetch,
) {
  const modelStore = createModelStore(config, { clock: systemClock, ...models });
  return {
    modelStore,
    mailer: createMailer({
      smtpUrl: config.smtpUrl,
      tls: config.smtpTls,
      from: config.mailFrom,
      log,
    }),
    model: createAnswerModel(config, { log, store: modelStore }),
    speaker: createSpeaker(config, { log }),
    transcriber: createTranscriber(config, { log }),
    describer: createDescriber(config, { log }),
    ffmpeg: createFfmpeg({ ffmpeg: config.ffmpeg, log }),
    /** An HTTP client for other servers. `configured` is the address that the operator set for it. */
    outside: (configured?: string) => ({
      fetch:
        fetchOutside ?? createGuardedFetch({ allow: config.fetchAllow, configured: [configured] }),
      clock: systemClock,
    }),
  };
}

export type Providers = ReturnType<typeof createProviders>;
