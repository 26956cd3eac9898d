import { createHmac, createSecretKey, type KeyObject } from 'node:crypto';
import type { Clock } from '../../platform/clock.ts';
import { isClosedAddress } from '../../platform/http/guarded-fetch.ts';

const TIMEOUT_MS = 10_000;

/** A request of the Standard Webhooks scheme (https://www.standardwebhooks.com). */
interface WebhookMessage {
  url: string;
  /** The same for all attempts. */
  id: string;
  /** The time of this attempt. */
  sentAt: Date;
  body: string;
  /** Includes the previous secret for a while after a rotation. */
  secrets: readonly Buffer[];
}

export interface Attempt {
  /** Null without a response. */
  status: number | null;
  error: string | null;
}

export interface Sender {
  fetch: typeof globalThis.fetch;
  clock: Clock;
  userAgent: string;
}

/** Derives the secrets of webhooks, so that they cannot be read from the database. */
export function createWebhookSecrets(secret: string) {
  const key: KeyObject = createSecretKey(createHmac('sha256', secret).update('webhooks').digest());
  const secretOf = (secretId: string): Buffer =>
    createHmac('sha256', key).update(secretId).digest();
  return {
    secretOf,
    textOf: (secretId: string): string => `whsec_${secretOf(secretId).toString('base64')}`,
  };
}

const codeOf = (error: unknown): string | undefined => {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if ('code' in cause && typeof cause.code === 'string') return cause.code;
  }
  return undefined;
};

function failureOf(error: unknown, host: string): string {
  if (isClosedAddress(error)) {
    return `${host} is not on the public internet, so Engram sends nothing to it.`;
  }
  const code = codeOf(error);
  return `${host} cannot be reached${code === undefined ? '' : ` (${code})`}.`;
}

/** Sends a message once. Ignores the response body, and does not follow redirects. */
export async function sendWebhook(
  { url, id, sentAt, body, secrets }: WebhookMessage,
  { fetch, clock, userAgent }: Sender,
  signal: AbortSignal,
): Promise<Attempt> {
  const timestamp = String(Math.floor(sentAt.getTime() / 1000));
  const signed = `${id}.${timestamp}.${body}`;
  const signatures = secrets.map(
    (secret) => `v1,${createHmac('sha256', secret).update(signed).digest('base64')}`,
  );
  const headers = {
    'content-type': 'application/json',
    'user-agent': userAgent,
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': signatures.join(' '),
  };
  const timeout = new AbortController();
  const timer = clock.setTimeout(() => timeout.abort(), TIMEOUT_MS);
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers,
      body,
      redirect: 'manual',
      signal: AbortSignal.any([signal, timeout.signal]),
    });
    await response.body?.cancel();
    const { status } = response;
    const isRedirect = status >= 300 && status < 400;
    return { status, error: isRedirect ? 'Engram does not follow redirects.' : null };
  } catch (error) {
    const { host } = new URL(url);
    const isLate = timeout.signal.aborted;
    return {
      status: null,
      error: isLate
        ? `${host} did not respond within ${TIMEOUT_MS / 1000} seconds.`
        : failureOf(error, host),
    };
  } finally {
    clock.clearTimeout(timer);
  }
}
