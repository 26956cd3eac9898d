import type { Clock } from '../clock.ts';
import type { Secret } from './secrets.ts';
import { Ended, Later } from '../troubles.ts';

const SCOPE = 'files:read files:write offline_access';
const DEVICE_GRANT = 'urn:ietf:params:oauth:grant-type:device_code';

type Fields = Record<string, unknown>;
type Tokens = Extract<Secret, { kind: 'tokens' }>;

export interface OAuthContext {
  fetch: typeof fetch;
  clock: Clock;
}

/** The code that the user confirms, and the page for it. */
export interface DeviceCode {
  userCode: string;
  link: string;
}

interface Answer {
  status: number;
  fields: Fields;
}

const text = (fields: Fields, name: string): string | null =>
  typeof fields[name] === 'string' ? fields[name] : null;

async function sent(fetch: OAuthContext['fetch'], url: string, init: RequestInit): Promise<Answer> {
  let response: Response;
  try {
    response = await fetch(url, init);
  } catch (error) {
    if (init.signal?.aborted) throw error;
    throw new Later(`${new URL(url).origin} cannot be reached.`, null, error);
  }
  const fields = (await response.json().catch(() => null)) as Fields | null;
  return { status: response.status, fields: fields ?? {} };
}

const post = (
  fetch: OAuthContext['fetch'],
  url: string,
  body: Record<string, string>,
  signal?: AbortSignal,
): Promise<Answer> =>
  sent(fetch, url, {
    method: 'POST',
    headers: { accept: 'application/json' },
    body: new URLSearchParams(body),
    ...(signal ? { signal } : {}),
  });

const reasonOf = ({ fields }: Answer): string =>
  text(fields, 'error_description') ?? text(fields, 'error') ?? 'the server gave no reason';

function tokensOf(
  answer: Answer,
  before: Pick<Tokens, 'clientId' | 'tokenEndpoint' | 'refresh'>,
  now: number,
): Tokens {
  const access = text(answer.fields, 'access_token');
  if (access === null) throw new Later("The server's answer has no token.");
  const seconds = Number(answer.fields['expires_in'] ?? 3600);
  return {
    kind: 'tokens',
    clientId: before.clientId,
    tokenEndpoint: before.tokenEndpoint,
    access,
    refresh: text(answer.fields, 'refresh_token') ?? before.refresh,
    expiresAt: now + seconds * 1000,
  };
}

async function discover(fetch: OAuthContext['fetch'], origin: string): Promise<Fields> {
  const url = `${origin}/.well-known/oauth-authorization-server`;
  const { status, fields } = await sent(fetch, url, { headers: { accept: 'application/json' } });
  if (status !== 200 || text(fields, 'device_authorization_endpoint') === null) {
    throw new Error(`${origin} is no Engram, or lets no devices in. Use an API key instead.`);
  }
  // RFC 8414, section 3.3: otherwise another server could pass itself off as this one.
  if (text(fields, 'issuer')?.replace(/\/$/u, '') !== origin) {
    throw new Error(`The server calls itself ${text(fields, 'issuer')}: use that as the address.`);
  }
  return fields;
}

async function register(fetch: OAuthContext['fetch'], endpoint: string, host: string) {
  const answer = await sent(fetch, endpoint, {
    method: 'POST',
    headers: { accept: 'application/json', 'content-type': 'application/json' },
    body: JSON.stringify({
      client_name: `Connector on ${host}`,
      grant_types: [DEVICE_GRANT, 'refresh_token'],
      response_types: [],
      token_endpoint_auth_method: 'none',
      scope: SCOPE,
    }),
  });
  const clientId = text(answer.fields, 'client_id');
  if (clientId === null)
    throw new Error(`The server did not register this program: ${reasonOf(answer)}.`);
  return clientId;
}

/** Polls for tokens until the user has decided. */
async function poll(
  { fetch, clock }: OAuthContext,
  endpoint: string,
  body: Record<string, string>,
  times: { interval: number; expiresIn: number },
  signal: AbortSignal,
): Promise<Answer> {
  let pause = times.interval;
  const end = clock.now() + times.expiresIn * 1000;
  while (clock.now() < end) {
    await clock.sleep(pause * 1000, signal);
    let answer: Answer;
    try {
      answer = await post(fetch, endpoint, body, signal);
    } catch (error) {
      if (!(error instanceof Later)) throw error;
      // RFC 8628, section 3.5: clients back off after a connection timeout.
      pause = Math.min(pause * 2, 60);
      continue;
    }
    if (answer.status === 200) return answer;
    const error = text(answer.fields, 'error');
    if (error === 'slow_down') pause += 5;
    else if (error === 'expired_token') break;
    else if (error === 'access_denied') throw new Error('You did not authorize the Connector.');
    else if (error !== 'authorization_pending' && answer.status < 500) {
      throw new Error(`The Connector was not authorized: ${reasonOf(answer)}.`);
    }
  }
  throw new Error('The code was not confirmed in time. Please begin again.');
}

/** Begins the device flow. Returns the code, and a function that waits for the tokens. */
export async function beginDeviceFlow(
  context: OAuthContext,
  origin: string,
  host: string,
  signal: AbortSignal,
): Promise<{ code: DeviceCode; tokens: () => Promise<Tokens> }> {
  const { fetch, clock } = context;
  const metadata = await discover(fetch, origin);
  const clientId = await register(fetch, text(metadata, 'registration_endpoint') ?? '', host);
  const tokenEndpoint = text(metadata, 'token_endpoint') ?? '';
  const endpoint = text(metadata, 'device_authorization_endpoint') ?? '';
  const body = { client_id: clientId, scope: SCOPE, resource: origin };
  const answer = await post(fetch, endpoint, body, signal);
  const [device, userCode, page] = ['device_code', 'user_code', 'verification_uri'].map((name) =>
    text(answer.fields, name),
  );
  if (!device || !userCode || !page)
    throw new Error(`Pairing could not begin: ${reasonOf(answer)}.`);
  const times = {
    interval: Number(answer.fields['interval'] ?? 5),
    expiresIn: Number(answer.fields['expires_in'] ?? 600),
  };
  const asked = { grant_type: DEVICE_GRANT, device_code: device, client_id: clientId };
  return {
    code: { userCode, link: text(answer.fields, 'verification_uri_complete') ?? page },
    tokens: async () => {
      const granted = await poll(context, tokenEndpoint, asked, times, signal);
      return tokensOf(granted, { clientId, tokenEndpoint, refresh: null }, clock.now());
    },
  };
}

/**
 * Renews tokens.
 * @throws Ended if they are no longer valid, Later if the server could not answer
 */
export async function renewTokens({ fetch, clock }: OAuthContext, tokens: Tokens): Promise<Tokens> {
  if (tokens.refresh === null) throw new Ended('The pairing has ended. Please pair again.');
  const answer = await post(fetch, tokens.tokenEndpoint, {
    grant_type: 'refresh_token',
    refresh_token: tokens.refresh,
    client_id: tokens.clientId,
  });
  if (answer.status === 200) return tokensOf(answer, tokens, clock.now());
  const error = text(answer.fields, 'error');
  if (error === 'invalid_grant' || error === 'invalid_client') {
    throw new Ended('The connection was ended in Engram. Please pair again.');
  }
  throw new Later('Engram could not renew the connection at the moment.');
}
