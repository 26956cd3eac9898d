import type { FastifyBaseLogger } from 'fastify';
import type { Config } from '../config.ts';
import { systemClock } from '../platform/clock.ts';
import { createAnswerModel } from '../platform/ai/answering/answer-model.ts';
import { createModelStore, type ModelStoreOptions } from '../platform/ai/local/model-store.ts';
import { createTranscriber } from '../platform/ai/transcription/transcription.ts';
import { createDescriber } from '../platform/ai/vision.ts';
import { createGuardedFetch } from '../platform/http/guarded-fetch.ts';
import { createMailer } from '../platform/mail/mailer.ts';
import { createFfmpeg } from '../platform/media/ffmpeg.ts';
import { createSpeaker } from '../platform/speech/create-speaker.ts';

/** What the server asks for what it cannot do by itself; each says why it is off where it is. */
export const createProviders = (
  config: Config,
  log: FastifyBaseLogger,
  models: Omit<ModelStoreOptions, 'clock'>,
) => {
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
    /** Calls other servers; `configured` is the address that the operator set for this use. */
    outside: (configured?: string) => ({
      fetch: createGuardedFetch({ allow: config.fetchAllow, configured: [configured] }),
      clock: systemClock,
    }),
  };
};

export type Providers = ReturnType<typeof createProviders>;
