import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { settingDefaults } from '@engram/contract';
import type { z } from 'zod';
import { accounts } from './settings/accounts.ts';
import { isLoopback } from './platform/http/loopback.ts';
import { answering } from './settings/answering.ts';
import { observing } from './settings/observing.ts';
import { reading } from './settings/reading.ts';
import { serving } from './settings/serving.ts';
import { site } from './settings/site.ts';

const manifest = path.join(import.meta.dirname, '../package.json');

/** The version of Engram that runs. */
export const { version } = JSON.parse(readFileSync(manifest, 'utf8')) as { version: string };

/** Every setting. All are optional; an empty value counts as not set. */
export const settings = {
  ...serving,
  ...observing,
  ...accounts,
  ...site,
  ...reading,
  ...answering,
} as const;

type Settings = typeof settings;

/** All settings, parsed; what has a default that depends on others is there, `dataDir` is absolute. */
export type Config = { [K in keyof Settings]: z.output<Settings[K]['schema']> } & {
  secret: string;
  /** Absolute. */
  modelsDir: string;
  limits: 'enforce' | 'off';
  payments: 'stripe' | 'sandbox' | 'off';
  /** What several servers would have to share and this one is not told, as the names of settings. */
  notShared: readonly string[];
};

/** The folder in which the files are kept; null where that is no folder of this machine. */
export function filesFolder({ files, dataDir }: Pick<Config, 'files' | 'dataDir'>): string | null {
  if (files === undefined) return path.join(dataDir, 'files');
  return files.startsWith('s3:') ? null : path.resolve(files);
}

/** The settings that make one installation of any number of servers, of those that are missing. */
const notSharedIn = (values: Record<string, unknown>): string[] => [
  ...(values['databaseUrl'] ? [] : [settings.databaseUrl.env]),
  ...(String(values['files'] ?? '').startsWith('s3:') ? [] : [`${settings.files.env} (a bucket)`]),
  ...(values['search'] ? [] : [settings.search.env]),
  ...(values['secret'] ? [] : [settings.secret.env]),
];

const STRIPE_SETTINGS = ['stripeSecretKey', 'stripePublishableKey', 'stripeWebhookSecret'] as const;

/** What is wrong with a value, to go on after the variable's name; a setting's own words come first. */
const describeProblem: z.core.$ZodErrorMap = (issue) => {
  switch (issue.code) {
    case 'invalid_type':
      return issue.expected === 'int' ? 'must be a whole number' : 'must be a number';
    case 'too_small':
      return `must be ${issue.inclusive ? 'at least' : 'above'} ${issue.minimum}`;
    case 'too_big':
      return issue.origin === 'string'
        ? `must have at most ${issue.maximum} characters`
        : `must be at most ${issue.maximum}`;
    case 'invalid_value':
      return `must be one of: ${issue.values.map(String).join(', ')}`;
    default:
      return 'is not valid';
  }
};

/** A sentence for each setting of Stripe that is missing where another one is there. */
function missingForStripe(env: Record<string, string | undefined>): string[] {
  const missing = STRIPE_SETTINGS.filter((name) => !env[settings[name].env]?.trim());
  const isAsked = env[settings.payments.env]?.trim() === 'stripe';
  if (missing.length === STRIPE_SETTINGS.length && !isAsked) return [];
  return missing.map((name) => `${settings[name].env} is missing: Stripe needs all three.`);
}

type Reachable = Pick<Config, 'host' | 'publicUrl' | 'limits' | 'stripeSecretKey'>;

/** Who takes the money where nobody has said: nobody sells for nothing what others would pay for. */
function paymentsOf({ host, publicUrl, limits, stripeSecretKey }: Reachable): Config['payments'] {
  if (stripeSecretKey) return 'stripe';
  const isReachable = publicUrl !== undefined || !(isLoopback(host) || host === '::1');
  return limits === 'enforce' && isReachable ? 'off' : settingDefaults.payments;
}

/** A setting that cannot be used; the message names the variable. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

/**
 * Reads all settings once.
 * @throws ConfigError with a line for each variable that is wrong.
 */
export function loadConfig(env: Record<string, string | undefined>): Config {
  const problems: string[] = [];
  const values: Record<string, unknown> = {};
  for (const [name, { env: variable, schema }] of Object.entries(settings)) {
    const given = env[variable]?.trim();
    const parsed = schema.safeParse(given === '' ? undefined : given, { error: describeProblem });
    if (parsed.success) values[name] = parsed.data;
    else problems.push(`${variable} ${parsed.error.issues[0]?.message ?? 'is not valid'}.`);
  }
  problems.push(...missingForStripe(env));
  if (problems.length > 0) throw new ConfigError(problems.join('\n'));
  const limits = values['limits'] ?? (values['stripeSecretKey'] ? 'enforce' : 'off');
  const dataDir = path.resolve(values['dataDir'] as string);
  const modelsDir = path.resolve(
    (values['modelsDir'] as string | undefined) ?? path.join(dataDir, 'models'),
  );
  const secret = (values['secret'] as string | undefined) ?? keptSecret(dataDir);
  const notShared = notSharedIn(values);
  const config = { ...values, dataDir, modelsDir, secret, limits, notShared } as unknown as Config;
  return { ...config, payments: config.payments ?? paymentsOf(config) };
}

function keptSecret(dataDir: string): string {
  const file = path.join(dataDir, 'secret');
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  if (!existsSync(file)) {
    try {
      writeFileSync(file, randomBytes(32).toString('base64url'), { mode: 0o600, flag: 'wx' });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
  }
  return readFileSync(file, 'utf8').trim();
}
