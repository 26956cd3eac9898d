import type { AccessScope, ConnectionKind } from '@engram/contract';
import type { ClientMetadata } from 'oidc-provider';
import { isLoopback, MCP_PATH } from '../../platform/http/hosts.ts';

export const SCOPES = ['files:read', 'files:write'] as const satisfies readonly AccessScope[];

export const DEFAULT_SCOPE: AccessScope = 'files:read';

/** The known scopes of a request, without duplicates. */
export const scopesIn = (scope = ''): AccessScope[] => {
  const requested = scope.split(' ');
  return SCOPES.filter((known) => requested.includes(known));
};

/**
 * The audience of a token (RFC 8707): the server's origin for the API, or the MCP endpoint. Undefined for
 * any other resource. A trailing slash is ignored.
 */
export function audienceOf(resource: string, origin: string): string | undefined {
  const audience = resource.replace(/\/$/u, '');
  return audience === origin || audience === origin + MCP_PATH ? audience : undefined;
}

/** Whether a resource is the MCP endpoint, whose tools cannot delete anything. */
export const isForTools = (resource: string): boolean =>
  resource.replace(/\/$/u, '').endsWith(MCP_PATH);

export const DEVICE_GRANT = 'urn:ietf:params:oauth:grant-type:device_code';

/** Other client metadata is removed, because the library would act on some of it. */
const USED_METADATA = new Set([
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

const MAX_REDIRECTS = 20;
const MAX_URI_LENGTH = 2000;

const MAX_NAME_LENGTH = 80;

const words = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((word): word is string => typeof word === 'string') : [];

/**
 * Replaces unsupported client metadata, as RFC 7591 allows. All apps are public and native clients: they
 * authenticate by PKCE, and redirect over http only to their own machine, on any port (RFC 8252).
 */
export function normalizeClient(metadata: ClientMetadata): void {
  const client = metadata as Record<string, unknown>;
  for (const name of Object.keys(client)) if (!USED_METADATA.has(name)) delete client[name];
  client['application_type'] = 'native';
  client['token_endpoint_auth_method'] = 'none';
  const grants = words(client['grant_types']).filter((grant) => GRANTS.has(grant));
  client['grant_types'] = grants.length > 0 ? grants : ['authorization_code'];
  const isRedirected = grants.length === 0 || grants.includes('authorization_code');
  client['response_types'] = isRedirected ? ['code'] : [];
  const requested = typeof client['scope'] === 'string' ? client['scope'].split(' ') : [];
  if (requested.includes('files:write')) requested.push(DEFAULT_SCOPE);
  const scopes = [...SCOPES, 'offline_access'].filter((scope) => requested.includes(scope));
  if (scopes.length > 0) client['scope'] = scopes.join(' ');
  else delete client['scope'];
}

const LOOPBACK_HOSTS = new Set(['127.0.0.1', '[::1]', 'localhost']);
const HAS_USERINFO = /^[a-z][a-z\d+.-]*:[/\\]*[^/\\?#]*@/iu;

/**
 * Whether a redirect URI is allowed: https, http on the user's machine, or a private-use scheme. Its name
 * must contain a dot (RFC 8252, 7.1), so that it is not a scheme of the operating system.
 */
function isRedirectUri(text: string): boolean {
  const url = URL.parse(text);
  if (!url || text.includes('#') || HAS_USERINFO.test(text)) return false;
  if (url.protocol === 'http:') return LOOPBACK_HOSTS.has(url.hostname);
  return url.protocol === 'https:' || url.protocol.includes('.');
}

export function redirectFault({ redirect_uris: uris }: ClientMetadata): string | null {
  const texts = words(uris);
  if (texts.length > MAX_REDIRECTS || texts.some((uri) => uri.length > MAX_URI_LENGTH)) {
    return 'redirect_uris are too many or too long';
  }
  return texts.every(isRedirectUri)
    ? null
    : 'redirect_uris must be https, http on 127.0.0.1, [::1] or localhost, or a private-use scheme with a dot, without user info or fragment';
}

/** The name of an app, without characters that break the line or change the direction of text. */
export function nameOf(clientName: string | undefined, address: string | null): string {
  const name = (clientName ?? '').replace(/[\p{C}\p{Zl}\p{Zp}]+/gu, ' ').trim();
  return name.slice(0, MAX_NAME_LENGTH) || address || 'Unnamed app';
}

/**
 * Whether an app is a site, a local program or a device, and its address. The host of its metadata
 * document verifies the address, unless the app redirects to another site.
 */
export function identify(clientId: string, redirectUri: string | undefined) {
  const redirect = URL.parse(redirectUri ?? '');
  const isSite = redirect?.protocol === 'https:';
  const local: ConnectionKind = isSite ? 'site' : 'local';
  const kind: ConnectionKind = redirectUri === undefined ? 'device' : local;
  const home = URL.parse(clientId);
  const isElsewhere = isSite && redirect?.host !== home?.host;
  if (home?.protocol === 'https:' && !isElsewhere) {
    return { kind, address: home.host, verified: true };
  }
  if (!redirect || isLoopback(redirect.hostname)) return { kind, address: null, verified: false };
  return { kind, address: isSite ? redirect.host : redirect.protocol, verified: false };
}
