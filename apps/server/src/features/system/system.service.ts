import {
  type ability,
  type appSettings,
  buildOpenApi,
  type ready,
  type RouteDefinition,
} from '@engram/contract';
import type { z } from 'zod';
import type { Config } from '../../config.ts';
import { isOfThisMachine } from '../../platform/http/loopback.ts';
import { parseSocialLinks } from './social-links.ts';
import { timeZoneLabel } from './time-zone-label.ts';

type Ability = z.input<typeof ability>;
type AppSettings = z.input<(typeof appSettings)['data']>;

export interface SystemDependencies {
  version: string;
  /** Every route, for the OpenAPI document. */
  routes: readonly RouteDefinition[];
  config: Pick<
    Config,
    | 'smtpUrl'
    | 'host'
    | 'publicUrl'
    | 'mediaLimitMb'
    | 'uploadLimitMb'
    | 'timeZone'
    | 'contactEmail'
    | 'contactPhone'
    | 'contactAddress'
    | 'contactPosition'
    | 'payments'
    | 'stripePublishableKey'
    | 'socialLinks'
  >;
  /** Set where people can sign in with Google. */
  google: AppSettings['google'];
  /** Whether something writes down what people say. */
  transcription: boolean;
  /** Answers how the parts are, or throws a 503. */
  ready: () => Promise<z.input<(typeof ready)['data']>>;
  /** What each provider says of itself, in the order they are shown. */
  abilities: readonly (() => Ability | Promise<Ability>)[];
}

/**
 * What the server tells of itself.
 * @throws ConfigError when a setting cannot be used.
 */
export function createSystemService(deps: SystemDependencies) {
  const { version, routes, config, google, transcription, abilities } = deps;
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
    /** What the web app needs to know before anybody has signed in. */
    settings: (): AppSettings => settings,

    /** Which abilities are on, and why others are off. */
    status: async (): Promise<{ version: string; abilities: Ability[] }> => ({
      version,
      abilities: await Promise.all(abilities.map((describe) => describe())),
    }),

    /** Whether calls should be sent here. @throws HttpError 503 that says why they should not */
    ready: deps.ready,

    /** The contract as an OpenAPI 3.1 document in JSON. */
    openApi: (): string => openApi,
  };
}

export type SystemService = ReturnType<typeof createSystemService>;
