import type { ConnectionKind } from '@engram/contract';
import type { ClientMetadata } from 'oidc-provider';
import { isLoopback } from '../../platform/http/loopback.ts';
import { DEFAULT_SCOPE, SCOPES } from './resources.ts';

export const DEVICE_GRANT = 'urn:ietf:params:oauth:grant-type:device_code';

/** What of a program's metadata counts for something here; the library would act on some of the rest. */
const KEPT = new Set([
  'client_id',
  'client_name',
  'client_uri',
  'grant_types',
  'id_token_signed_response_alg',
  'redirect_uris',
  'response_types',
  'scope',
  'software_id',
]);

const GRANTS = new Set(['authorization_code', 'refresh_token', DEVICE_GRANT]);

/** Most addresses that a program may be sent back to, and most letters of each. */
const MOST_REDIRECTS = 20;
const MOST_LETTERS = 2000;

/** How much of a program's own name is shown. */
const NAME_LETTERS = 80;

const words = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((word): word is string => typeof word === 'string') : [];

/**
 * Makes of what a program says of itself what counts here (RFC 7591 lets a server replace what it
 * does not do). All are public programs and treated as native ones: they prove themselves by PKCE
 * alone, go back over http to their own machine alone, and there to any port (RFC 8252).
 */
export function settleProgram(metadata: ClientMetadata): void {
  const settled = metadata as Record<string, unknown>;
  for (const name of Object.keys(settled)) if (!KEPT.has(name)) delete settled[name];
  settled['application_type'] = 'native';
  settled['token_endpoint_auth_method'] = 'none';
  const grants = words(settled['grant_types']).filter((grant) => GRANTS.has(grant));
  settled['grant_types'] = grants.length > 0 ? grants : ['authorization_code'];
  const isRedirected = grants.length === 0 || grants.includes('authorization_code');
  settled['response_types'] = isRedirected ? ['code'] : [];
  const asked = typeof settled['scope'] === 'string' ? settled['scope'].split(' ') : [];
  if (asked.includes('files:write')) asked.push(DEFAULT_SCOPE);
  const scopes = [...SCOPES, 'offline_access'].filter((scope) => asked.includes(scope));
  if (scopes.length > 0) settled['scope'] = scopes.join(' ');
  else delete settled['scope'];
}

const LOOPBACK_HOSTS = new Set(['127.0.0.1', '[::1]', 'localhost']);
const HAS_USERINFO = /^[a-z][a-z\d+.-]*:[/\\]*[^/\\?#]*@/iu;

/**
 * Whether an answer may be sent to an address: https, http on this machine, or a private-use scheme
 * with a dot in its name (RFC 8252, 7.1), so that no scheme of the system is opened.
 */
function isRedirectUri(text: string): boolean {
  const url = URL.parse(text);
  if (!url || text.includes('#') || HAS_USERINFO.test(text)) return false;
  if (url.protocol === 'http:') return LOOPBACK_HOSTS.has(url.hostname);
  return url.protocol === 'https:' || url.protocol.includes('.');
}

/** Says what is wrong with the redirect URIs of a program; null if nothing is. */
export function redirectFault({ redirect_uris: uris }: ClientMetadata): string | null {
  if (words(uris).length > MOST_REDIRECTS || words(uris).some((uri) => uri.length > MOST_LETTERS)) {
    return 'redirect_uris are too many or too long';
  }
  return words(uris).every(isRedirectUri)
    ? null
    : 'redirect_uris must be https, http on 127.0.0.1, [::1] or localhost, or a private-use scheme with a dot, without user info or fragment';
}

/** How a program is called, without what would break a line or turn the writing round. */
export function nameOf(clientName: string | undefined, address: string | null): string {
  const name = (clientName ?? '').replace(/[\p{C}\p{Zl}\p{Zp}]+/gu, ' ').trim();
  return name.slice(0, NAME_LETTERS) || address || 'A program without a name';
}

/**
 * Where a program is at home, and how it was asked: by a site, on this machine, or on a device. Its
 * home is where its metadata was fetched from, unless its answer goes to another site: on a host where
 * anybody may put documents, that says nothing.
 */
export function placeOf(clientId: string, redirectUri: string | undefined) {
  const redirect = URL.parse(redirectUri ?? '');
  const isSite = redirect?.protocol === 'https:';
  const local: ConnectionKind = isSite ? 'site' : 'local';
  const kind: ConnectionKind = redirectUri === undefined ? 'device' : local;
  const home = URL.parse(clientId);
  const goesElsewhere = isSite && redirect?.host !== home?.host;
  if (home?.protocol === 'https:' && !goesElsewhere) {
    return { kind, address: home.host, verified: true };
  }
  if (!redirect || isLoopback(redirect.hostname)) return { kind, address: null, verified: false };
  return { kind, address: isSite ? redirect.host : redirect.protocol, verified: false };
}
