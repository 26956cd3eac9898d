import { existsSync } from 'node:fs';
import path from 'node:path';
import { containsPath } from '@engram/folder-sync';
import { ConfigError, type Config, filesFolder } from '../config.ts';
import { isLoopback, isLocalOnly, listensLocally } from '../platform/http/hosts.ts';

/** Settings that name models, and those of their providers' addresses. */
const MODELS = ['llm', 'embeddings', 'speech', 'transcription', 'vision'] as const;
const BASE_URLS = {
  openai: 'openaiBaseUrl',
  anthropic: 'anthropicBaseUrl',
  google: 'googleBaseUrl',
} as const;

const isKnown = (provider: string): provider is keyof typeof BASE_URLS => provider in BASE_URLS;

function isPaid(model: string, config: Config): boolean {
  const provider = model.split(':')[0] ?? '';
  if (!isKnown(provider)) return false;
  const baseUrl = config[BASE_URLS[provider]];
  return baseUrl === undefined || !isLoopback(new URL(baseUrl).hostname);
}

/** @throws ConfigError if a folder contains a folder of Engram, or is inside one */
function assertSeparate(setting: string, folder: string, config: Config): void {
  const place = path.resolve(folder);
  const ownFolder = [config.dataDir, filesFolder(config)]
    .filter((other) => other !== null)
    .find((other) => containsPath(other, place) || containsPath(place, other));
  if (ownFolder === undefined) return;
  throw new ConfigError(
    `${setting} names '${folder}', and Engram stores its own files in '${ownFolder}'. Neither may contain the other.`,
  );
}

/** @throws ConfigError if a server leaves work to others but does not share its storage */
function assertRole({ role, notShared }: Config): void {
  if (role === 'all' || notShared.length === 0) return;
  throw new ConfigError(
    `ENGRAM_ROLE is ${role}, which requires shared storage. Missing: ${notShared.join(' and ')}.`,
  );
}

function assertBackupTarget(config: Config): void {
  const { backup, databaseUrl } = config;
  if (backup === undefined) return;
  if (databaseUrl !== undefined) {
    throw new ConfigError(
      'ENGRAM_BACKUP is for the embedded database. Back up a PostgreSQL server with its own tools, as described in docs/how-to/back-up-and-restore.md.',
    );
  }
  if (!backup.startsWith('s3:')) assertSeparate('ENGRAM_BACKUP', backup, config);
}

/** Refuses unsafe settings. @throws ConfigError with the setting to change */
export function assertMayStart(config: Config): void {
  for (const { folder } of config.watch) assertSeparate('ENGRAM_WATCH', folder, config);
  assertRole(config);
  assertBackupTarget(config);
  if (config.metricsPort !== undefined && config.metricsPort === config.port && config.port > 0) {
    throw new ConfigError(
      `ENGRAM_METRICS_PORT and PORT are both ${config.port}, but metrics need their own port.`,
    );
  }
  const { host, smtpUrl, googleClientId, googleClientSecret, codesInLog } = config;
  if (listensLocally(host) || codesInLog === 'yes') return;
  if (smtpUrl !== undefined || (googleClientId && googleClientSecret)) return;
  throw new ConfigError(
    `HOST is ${host}, so others can reach this server, but it cannot mail sign-in codes. Set SMTP_URL, or GOOGLE_CLIENT_ID and GOOGLE_CLIENT_SECRET, or ENGRAM_CODES_IN_LOG=yes if codes may be printed in the log.`,
  );
}

export function warningsAtStart(config: Config): string[] {
  const { host, publicUrl, signup, limits, trustProxy, rateLimits, codesInLog, smtpUrl } = config;
  const warnings: string[] = [];
  if (rateLimits === 'off') {
    warnings.push(
      'ENGRAM_RATE_LIMITS=off disables all rate limits. Use it only on a machine that others cannot reach.',
    );
  }
  if (trustProxy === 'true') {
    warnings.push(
      'ENGRAM_TRUST_PROXY=true lets every client claim any address and so evade the limits. Set it to the address of your proxy, or to the number of proxies.',
    );
  }
  if (!listensLocally(host) && !publicUrl?.startsWith('https:')) {
    warnings.push(
      `HOST is ${host} without an https address: anyone on the network path can read what users send and receive, including their sign-in. Run a TLS proxy in front of the server, and set ENGRAM_PUBLIC_URL to its https address.`,
    );
  }
  if (config.metricsPort !== undefined && !listensLocally(config.metricsHost)) {
    warnings.push(
      `ENGRAM_METRICS_HOST is ${config.metricsHost}: anyone who can reach port ${config.metricsPort} can read the numbers of files, jobs and requests. Restrict it to your own network.`,
    );
  }
  if (codesInLog === 'yes' && smtpUrl === undefined && !isLocalOnly(config)) {
    warnings.push('ENGRAM_CODES_IN_LOG=yes: anyone who reads the log can sign in as any user.');
  }
  if (signup === 'open' && limits === 'off' && !isLocalOnly(config)) {
    const paid = MODELS.filter((name) => isPaid(config[name], config)).map((name) => config[name]);
    const cost =
      paid.length > 0 ? `, including ${[...new Set(paid)].join(' and ')}, which you pay for` : '';
    warnings.push(
      `Anyone can sign up (ENGRAM_SIGNUP=open) and use the server without a quota (ENGRAM_LIMITS=off)${cost}. Set ENGRAM_SIGNUP to invited or closed, or ENGRAM_LIMITS=enforce.`,
    );
  }
  const { backup } = config;
  if (backup !== undefined && !backup.startsWith('s3:') && !existsSync(backup)) {
    warnings.push(
      `ENGRAM_BACKUP names the folder ${backup}, which does not exist. Create or mount it: no backup is made until then.`,
    );
  }
  return warnings;
}
