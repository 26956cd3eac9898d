import type { FastifyBaseLogger } from 'fastify';
import type { Config } from '../config.ts';
import type { Background } from '../platform/background.ts';
import type { Limits } from '../platform/limits/limits.ts';
import type { Providers } from './providers.ts';
import type { Storage } from './storage.ts';

/** What every part of the server is built on. */
export interface Core {
  config: Config;
  log: FastifyBaseLogger;
  now: () => Date;
  /** Of Engram. */
  version: string;
  /** The User-Agent of requests to other sites. */
  userAgent: string;
  storage: Storage;
  providers: Providers;
  limits: Limits;
  background: Background;
}
