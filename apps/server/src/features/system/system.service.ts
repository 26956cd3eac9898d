import {
  type ability,
  appSettings,
  buildOpenApi,
  health,
  ip,
  live,
  openApi,
  ready,
  reference,
  routes,
  status,
} from '@engram/contract';
import type { FastifyInstance } from 'fastify';
import type { z } from 'zod';
import { type Config, ConfigError } from '../../config.ts';
import { isLocalOnly } from '../../platform/http/hosts.ts';
import type { Mount } from '../../platform/http/mount.ts';
import { REFERENCE_PAGE, REFERENCE_POLICY, serveReferenceAssets } from './reference-page.ts';

type Ability = z.input<typeof ability>;
type AppSettings = z.input<(typeof appSettings)['data']>;
type Describe = () => Omit<Ability, 'name'> | Promise<Omit<Ability, 'name'>>;

interface SystemParts {
  version: string;
  config: Config;
  google: AppSettings['google'];
  transcription: boolean;
  /** The state of the dependencies. Throws a 503 if the server is not ready. */
  ready: () => Promise<z.input<(typeof ready)['data']>>;
  /** Each ability, in the order of the status page. */
  abilities: Partial<Record<Ability['name'], Describe>>;
}

/** Information about the server. @throws ConfigError if a setting cannot be used */
export function createSystemService(parts: SystemParts) {
  const { version, config, google, transcription } = parts;
  const settings: AppSettings = {
    codesInLog: config.smtpUrl === undefined && isLocalOnly(config),
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
  /** Built on the first request, because that takes about 100 ms. */
  let document: string | undefined;

  const probes = (mount: Mount): void => {
    mount(live, async () => ({ data: { status: 'ok' as const } }));
    mount(ready, async () => ({ data: await parts.ready() }));
  };

  return {
    /** The routes of a server that only runs jobs. */
    probes,
    async routes(mount: Mount, app: FastifyInstance): Promise<void> {
      probes(mount);
      mount(health, async () => ({ data: { status: 'ok' as const } }));
      mount(ip, async (call) => ({ data: { ip: call.ip } }));
      mount(appSettings, async () => ({ data: settings }));
      mount(status, async () => {
        const abilities = Object.entries(parts.abilities).map(async ([name, describe]) => ({
          name: name as Ability['name'],
          ...(await describe()),
        }));
        return { data: { version, abilities: await Promise.all(abilities) } };
      });
      // The contract as an OpenAPI 3.1 document.
      mount(openApi, async ({ reply }) => {
        document ??= JSON.stringify(buildOpenApi(routes, version));
        return reply.type('application/json').send(document);
      });
      mount(reference, async ({ reply }) =>
        reply
          .type('text/html; charset=utf-8')
          .header('content-security-policy', REFERENCE_POLICY)
          .send(REFERENCE_PAGE),
      );
      await serveReferenceAssets(app);
    },
  };
}

interface SocialLink {
  name: string;
  url: string;
}

/** Parses the footer links from entries such as 'GitHub=https://github.com/example'. @throws ConfigError */
export function parseSocialLinks(entries: readonly string[]): SocialLink[] {
  return entries.map((entry) => {
    const [name = '', ...rest] = entry.split('=');
    const url = URL.parse(rest.join('=').trim());
    if (!name.trim() || !url || !/^https?:$/u.test(url.protocol)) {
      throw new ConfigError(
        `ENGRAM_SOCIAL_LINKS must contain entries such as GitHub=https://github.com/example, but '${entry}' is not valid.`,
      );
    }
    return { name: name.trim(), url: url.href };
  });
}

const nameIn = (timeZone: string, month: number): string => {
  const parts = new Intl.DateTimeFormat('en-US', {
    timeZone,
    timeZoneName: 'short',
  }).formatToParts(Date.UTC(2026, month, 15));
  return parts.find(({ type }) => type === 'timeZoneName')?.value ?? timeZone;
};

/** The label after times in a zone: 'PST', 'GMT+5:30', or 'Berlin time' without an abbreviation. */
export function timeZoneLabel(timeZone: string): string {
  const [january, july] = [nameIn(timeZone, 0), nameIn(timeZone, 6)];
  if (january === july || /^[A-Z]+$/u.test(january)) return january;
  const city = timeZone.split('/').at(-1) ?? timeZone;
  return `${city.replaceAll('_', ' ')} time`;
}
