/** The connection was ended, or the credentials are no longer valid. The user has to pair again. */
export class ConnectionEndedError extends Error {
  override readonly name = 'ConnectionEndedError';
}

/** The server or the network is temporarily unavailable. */
export class RetryLaterError extends Error {
  override readonly name = 'RetryLaterError';
  readonly seconds: number | null;

  constructor(message: string, seconds: number | null = null, cause?: unknown) {
    super(message, { cause });
    this.seconds = seconds;
  }
}

const SCOPE = 'files:read files:write offline_access';
const DEVICE_GRANT = 'urn:ietf:params:oauth:grant-type:device_code';

type Fields = Record<string, unknown>;

/** Tokens of a paired device, which {@link renewTokens} renews. */
export interface Tokens {
  kind: 'tokens';
  clientId: string;
  tokenEndpoint: string;
  access: string;
  refresh: string | null;
  /** When the access token expires, in milliseconds. */
  expiresAt: number;
}

export interface OAuthContext {
  fetch: typeof fetch;
  clock: {
    now(): number;
    /** Rejects with the signal's reason if it is aborted. */
    sleep(ms: number, signal?: AbortSignal): Promise<void>;
  };
}

/** The code that the user confirms, and the page for it. */
export interface DeviceCode {
  userCode: string;
  link: string;
}

/** A device flow that waits for the user's decision. It can be stored. */
export interface DeviceFlow {
  tokenEndpoint: string;
  clientId: string;
  deviceCode: string;
  /** Seconds between two polls. */
  interval: number;
  /** In milliseconds. */
  expiresAt: number;
}

interface Answer {
  status: number;
  fields: Fields;
}

const text = (fields: Fields, name: string): string | null =>
  typeof fields[name] === 'string' ? fields[name] : null;

async function call(fetch: OAuthContext['fetch'], url: string, init: RequestInit): Promise<Answer> {
  let response: Response;
  try {
    response = await fetch(url, init);
  } catch (error) {
    if (init.signal?.aborted) throw error;
    throw new RetryLaterError(`${new URL(url).origin} cannot be reached.`, null, error);
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
  call(fetch, url, {
    method: 'POST',
    headers: { accept: 'application/json' },
    body: new URLSearchParams(body),
    ...(signal ? { signal } : {}),
  });

const reasonOf = ({ fields }: Answer): string =>
  text(fields, 'error_description') ?? text(fields, 'error') ?? 'the server gave no reason';

function tokensOf(
  answer: Answer,
  previous: Pick<Tokens, 'clientId' | 'tokenEndpoint' | 'refresh'>,
  nowMs: number,
): Tokens {
  const access = text(answer.fields, 'access_token');
  if (access === null) throw new RetryLaterError("The server's answer has no token.");
  const seconds = Number(answer.fields['expires_in'] ?? 3600);
  return {
    kind: 'tokens',
    clientId: previous.clientId,
    tokenEndpoint: previous.tokenEndpoint,
    access,
    refresh: text(answer.fields, 'refresh_token') ?? previous.refresh,
    expiresAt: nowMs + seconds * 1000,
  };
}

async function discover(fetch: OAuthContext['fetch'], origin: string): Promise<Fields> {
  const url = `${origin}/.well-known/oauth-authorization-server`;
  const { status, fields } = await call(fetch, url, { headers: { accept: 'application/json' } });
  if (status !== 200 || text(fields, 'device_authorization_endpoint') === null) {
    throw new Error(`${origin} is not an Engram server, or does not support pairing.`);
  }
  // RFC 8414, section 3.3: otherwise another server could impersonate this one.
  if (text(fields, 'issuer')?.replace(/\/$/u, '') !== origin) {
    throw new Error(`The address of this server is ${text(fields, 'issuer')}. Use that one.`);
  }
  return fields;
}

async function register(fetch: OAuthContext['fetch'], endpoint: string, name: string) {
  const answer = await call(fetch, endpoint, {
    method: 'POST',
    headers: { accept: 'application/json', 'content-type': 'application/json' },
    body: JSON.stringify({
      client_name: name,
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
export async function waitForTokens(
  { fetch, clock }: OAuthContext,
  { tokenEndpoint, clientId, deviceCode, interval, expiresAt }: DeviceFlow,
  signal: AbortSignal,
): Promise<Tokens> {
  const body = { grant_type: DEVICE_GRANT, device_code: deviceCode, client_id: clientId };
  let pause = interval;
  while (clock.now() < expiresAt) {
    await clock.sleep(pause * 1000, signal);
    let answer: Answer;
    try {
      answer = await post(fetch, tokenEndpoint, body, signal);
    } catch (error) {
      if (!(error instanceof RetryLaterError)) throw error;
      // RFC 8628, section 3.5: clients back off after a connection timeout.
      pause = Math.min(pause * 2, 60);
      continue;
    }
    if (answer.status === 200) {
      return tokensOf(answer, { clientId, tokenEndpoint, refresh: null }, clock.now());
    }
    const error = text(answer.fields, 'error');
    if (error === 'slow_down') pause += 5;
    else if (error === 'expired_token') break;
    else if (error === 'access_denied') throw new Error('You denied access.');
    else if (error !== 'authorization_pending' && answer.status < 500) {
      throw new Error(`Access was denied: ${reasonOf(answer)}.`);
    }
  }
  throw new Error('The code was not confirmed in time. Please try again.');
}

/**
 * Begins the device flow. Returns the code for the user, and the flow for {@link waitForTokens}.
 * @param name the name of this program, which the user sees
 */
export async function beginDeviceFlow(
  { fetch, clock }: OAuthContext,
  origin: string,
  name: string,
  signal: AbortSignal,
): Promise<{ code: DeviceCode; flow: DeviceFlow }> {
  const metadata = await discover(fetch, origin);
  const clientId = await register(fetch, text(metadata, 'registration_endpoint') ?? '', name);
  const endpoint = text(metadata, 'device_authorization_endpoint') ?? '';
  const body = { client_id: clientId, scope: SCOPE, resource: origin };
  const answer = await post(fetch, endpoint, body, signal);
  const [deviceCode, userCode, page] = ['device_code', 'user_code', 'verification_uri'].map(
    (name) => text(answer.fields, name),
  );
  if (!deviceCode || !userCode || !page) throw new Error(`Pairing failed: ${reasonOf(answer)}.`);
  return {
    code: { userCode, link: text(answer.fields, 'verification_uri_complete') ?? page },
    flow: {
      tokenEndpoint: text(metadata, 'token_endpoint') ?? '',
      clientId,
      deviceCode,
      interval: Number(answer.fields['interval'] ?? 5),
      expiresAt: clock.now() + Number(answer.fields['expires_in'] ?? 600) * 1000,
    },
  };
}

/** Revokes tokens, which ends the connection. */
export async function revokeTokens(
  { fetch }: Pick<OAuthContext, 'fetch'>,
  origin: string,
  { clientId, refresh, access }: Tokens,
): Promise<void> {
  const endpoint = text(await discover(fetch, origin), 'revocation_endpoint') ?? '';
  const { status } = await post(fetch, endpoint, { token: refresh ?? access, client_id: clientId });
  if (status !== 200) throw new RetryLaterError('Engram did not end the connection.');
}

/**
 * Renews tokens.
 * @throws ConnectionEndedError if they are no longer valid, RetryLaterError if the server could not answer
 */
export async function renewTokens({ fetch, clock }: OAuthContext, tokens: Tokens): Promise<Tokens> {
  if (tokens.refresh === null)
    throw new ConnectionEndedError('The pairing has expired. Please pair again.');
  const answer = await post(fetch, tokens.tokenEndpoint, {
    grant_type: 'refresh_token',
    refresh_token: tokens.refresh,
    client_id: tokens.clientId,
  });
  if (answer.status === 200) return tokensOf(answer, tokens, clock.now());
  const error = text(answer.fields, 'error');
  if (error === 'invalid_grant' || error === 'invalid_client') {
    throw new ConnectionEndedError('The connection was ended in Engram. Please pair again.');
  }
  throw new RetryLaterError('Engram could not renew the connection at the moment.');
}
