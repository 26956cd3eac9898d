import { routes } from '@engram/contract';
import type { AuthService } from '../features/auth/auth.service.ts';
import type { Reranking } from '../features/search/reranking.ts';
import type { BlogService } from '../features/blog/blog.service.ts';
import { describeRecognition } from '../features/ingestion/abilities.ts';
import type { LocationService } from '../features/location/location.service.ts';
import { createSystemService, type SystemDependencies } from '../features/system/system.service.ts';
import type { Core } from './core.ts';
import type { Payments } from '../features/payments/payments.module.ts';

interface Parts extends Pick<SystemDependencies, 'ready'> {
  auth: AuthService;
  location: LocationService;
  payments: Pick<Payments, 'describe'>;
  blog: BlogService;
  reranking: Pick<Reranking, 'describe'>;
}

/** What the server tells of itself, with what each provider says. */
export function createSystem(core: Core, parts: Parts) {
  const { ready, auth, location, payments, blog, reranking } = parts;
  const { config, version } = core;
  const { embedding } = core.storage;
  const { mailer, model, speaker, transcriber, describer, ffmpeg } = core.providers;
  return createSystemService({
    version,
    ready,
    routes,
    config,
    google: auth.describeSocialSignIn().on ? { clientId: config.googleClientId ?? '' } : null,
    transcription: transcriber.kind !== 'none',
    abilities: [
      mailer.describe,
      () => ({ name: 'google', ...auth.describeSocialSignIn() }),
      () => ({ name: 'geocoder', ...location.describe() }),
      payments.describe,
      () => ({ name: 'blog', ...blog.describe() }),
      () => ({
        name: 'model',
        ...(model?.describe() ?? { on: false, detail: 'ENGRAM_LLM is none.' }),
      }),
      () => ({ name: 'speech', ...speaker.describe() }),
      () => ({ name: 'embeddings', ...embedding.describe() }),
      () => ({ name: 'reranker', ...reranking.describe() }),
      () => ({ name: 'recognition', ...describeRecognition(config) }),
      () => ({ name: 'transcription', ...transcriber.describe() }),
      () => ({ name: 'vision', ...describer.describe() }),
      () => ({ name: 'ffmpeg', ...ffmpeg.describe() }),
    ],
  });
}
