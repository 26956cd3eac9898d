import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { settingDefaults } from '@engram/contract';
import type { z } from 'zod';
import { accounts } from './settings/accounts.ts';
import { listensLocally } from './platform/http/hosts.ts';
import { answers } from './settings/answers.ts';
import { observability } from './settings/observability.ts';
import { files } from './settings/files.ts';
import { server } from './settings/server.ts';
import type { Values } from './settings/setting.ts';
import { site } from './settings/site.ts';

const manifest = path.join(import.meta.dirname, '../package.json');

export const { version } = JSON.parse(readFileSync(manifest, 'utf8')) as { version: string };

/** All settings. Each is optional, and an empty value counts as not set. */
export const settings = {
  ...server,
  ...observability,
  ...accounts,
  ...site,
  ...files,
  ...answers,
} as const;

/** The parsed settings. Defaults that depend on other settings are filled in, `dataDir` is absolute. */
export type Config = Values<typeof settings> & {
  secret: string;
  modelsDir: string;
  limits: 'enforce' | 'off';
  payments: 'stripe' | 'sandbox' | 'off';
  /** Settings that are missing for a shared installation. */
  notShared: readonly string[];
};

/** The folder of the users' files; null if they are in a bucket. */
export function filesFolder({ files, dataDir }: Pick<Config, 'files' | 'dataDir'>): string | null {
  if (files === undefined) return path.join(dataDir, 'files');
  return files.startsWith('s3:') ? null : path.resolve(files);
}

const notSharedIn = (values: Record<string, unknown>): string[] => [
  ...(values['databaseUrl'] ? [] : [settings.databaseUrl.env]),
  ...(String(values['files'] ?? '').startsWith('s3:') ? [] : [`${settings.files.env} (a bucket)`]),
  ...(values['search'] ? [] : [settings.search.env]),
  ...(values['secret'] ? [] : [settings.secret.env]),
];

const STRIPE_SETTINGS = ['stripeSecretKey', 'stripePublishableKey', 'stripeWebhookSecret'] as const;

/** The error of an invalid value, which follows the name of its variable. A setting's own error takes precedence. */
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

/** A message for each missing setting of Stripe, if another one is set. */
function missingForStripe(env: Record<string, string | undefined>): string[] {
  const missing = STRIPE_SETTINGS.filter((name) => !env[settings[name].env]?.trim());
  const isStripeSelected = env[settings.payments.env]?.trim() === 'stripe';
  if (missing.length === STRIPE_SETTINGS.length && !isStripeSelected) return [];
  return missing.map((name) => `${settings[name].env} is missing: Stripe needs all three.`);
}

type Reachable = Pick<Config, 'host' | 'publicUrl' | 'limits' | 'stripeSecretKey'>;

/** The default. On a reachable server with limits, the sandbox would give plans away for free. */
function paymentsOf({ host, publicUrl, limits, stripeSecretKey }: Reachable): Config['payments'] {
  if (stripeSecretKey) return 'stripe';
  const isReachable = publicUrl !== undefined || !listensLocally(host);
  return limits === 'enforce' && isReachable ? 'off' : settingDefaults.payments;
}

/** A setting is invalid. The message names the variable. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

/** @throws ConfigError with a line for each invalid variable */
export function loadConfig(env: Record<string, string | undefined>): Config {
  const problems: string[] = [];
  const values: Record<string, unknown> = {};
  for (const [name, { env: variable, schema }] of Object.entries(settings)) {
    const value = env[variable]?.trim();
    const parsed = schema.safeParse(value === '' ? undefined : value, { error: describeProblem });
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
  const secret = (values['secret'] as string | undefined) ?? storedSecret(dataDir);
  const notShared = notSharedIn(values);
  const config = { ...values, dataDir, modelsDir, secret, limits, notShared } as unknown as Config;
  return { ...config, payments: config.payments ?? paymentsOf(config) };
}

function storedSecret(dataDir: string): string {
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
