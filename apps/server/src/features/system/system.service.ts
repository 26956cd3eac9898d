import { type ability, type appSettings, buildOpenApi, type ready, routes } from '@engram/contract';
import type { z } from 'zod';
import type { Config } from '../../config.ts';
import { isOfThisMachine } from '../../platform/http/loopback.ts';
import { parseSocialLinks } from './social-links.ts';
import { timeZoneLabel } from './time-zone-label.ts';

type Ability = z.input<typeof ability>;
type AppSettings = z.input<(typeof appSettings)['data']>;
type Describe = () => Omit<Ability, 'name'> | Promise<Omit<Ability, 'name'>>;

interface SystemParts {
  version: string;
  config: Config;
  /** Set if users can sign in with Google. */
  google: AppSettings['google'];
  /** Whether speech is transcribed. */
  transcription: boolean;
  /** The state of the dependencies. Throws a 503 if the server is not ready. */
  ready: () => Promise<z.input<(typeof ready)['data']>>;
  /** Each ability, in the order of the status page. */
  abilities: Partial<Record<Ability['name'], Describe>>;
}

/**
 * Information about the server.
 * @throws ConfigError if a setting cannot be used
 */
export function createSystemService(parts: SystemParts) {
  const { version, config, google, transcription } = parts;
  const settings: AppSettings = {
    codesInLog: config.smtpUrl === undefined && isOfThisMachine(config),
    google,
    transcription,
    mediaLimitMb: config.mediaLimitMb,
    uploadLimitMb: config.uploadLimitMb,
    timeZone: config.timeZone,
    timeZoneLabel: timeZoneLabel(config.timeZone),
    contactEmail: config.contactEmail ?? null,
    contactPhone: config.contactPhone ?? null,
    contactAddress: config.contactAddress ?? null,
    contactPosition: config.contactPosition ?? null,
    payments:
      config.payments === 'stripe'
        ? { provider: 'stripe', publishableKey: config.stripePublishableKey ?? '' }
        : { provider: config.payments },
    socialLinks: parseSocialLinks(config.socialLinks),
  };
  const openApi = JSON.stringify(buildOpenApi(routes, version));

  return {
    /** What the web app needs before a user has signed in. */
    settings: (): AppSettings => settings,

    /** Which abilities are on, and why others are off. */
    async status(): Promise<{ version: string; abilities: Ability[] }> {
      const abilities = Object.entries(parts.abilities).map(async ([name, describe]) => ({
        name: name as Ability['name'],
        ...(await describe()),
      }));
      return { version, abilities: await Promise.all(abilities) };
    },

    ready: parts.ready,

    /** The contract as an OpenAPI 3.1 document in JSON. */
    openApi: (): string => openApi,
  };
}

export type SystemService = ReturnType<typeof createSystemService>;
