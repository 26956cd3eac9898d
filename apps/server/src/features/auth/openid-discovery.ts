import { z } from 'zod';
import {
  fetchBounded,
  type FetchBounds,
  UnreachableError,
} from '../../platform/http/bounded-fetch.ts';
import { isLoopback } from '../../platform/http/loopback.ts';
import { parseJson } from '../../platform/parse-json.ts';

/** How long the metadata of a provider is cached, in milliseconds. */
const CACHE_MS = 3_600_000;

/**
 * Calls a provider and parses the JSON of its response, which may be a refusal. With a form it is a POST.
 * @throws UnreachableError if there is no response, or it says that the provider failed.
 */
export async function callProvider(
  bounds: FetchBounds,
  address: string,
  { form, headers = {} }: { form?: Record<string, string>; headers?: Record<string, string> } = {},
): Promise<{ status: number; body: unknown }> {
  const init = {
    headers: { accept: 'application/json', ...headers },
    ...(form ? { method: 'POST', body: new URLSearchParams(form) } : {}),
  };
  const { status, body } = await fetchBounded(address, init, bounds);
  if (status === 429 || status >= 500) throw new UnreachableError(`${address} answers ${status}.`);
  return { status, body: parseJson(body.toString('utf8')) };
}

const authMethods = z.array(z.string()).optional();

/** https://openid.net/specs/openid-connect-discovery-1_0.html#ProviderMetadata, as far as it is used. */
const metadataShape = z.object({
  issuer: z.string(),
  authorization_endpoint: z.url(),
  token_endpoint: z.url(),
  jwks_uri: z.url(),
  userinfo_endpoint: z.url().optional(),
  introspection_endpoint: z.url().optional(),
  token_endpoint_auth_methods_supported: authMethods,
  introspection_endpoint_auth_methods_supported: authMethods,
});

export type ProviderMetadata = z.output<typeof metadataShape>;

export const withoutSlash = (address: string): string => address.replace(/(?<!\/)\/+$/u, '');

/** Whether a URL is safe from eavesdropping: https, or http if the provider is on this machine too. */
export const isSecure = ({ protocol, hostname }: URL, issuer: string): boolean =>
  protocol === 'https:' ||
  (protocol === 'http:' && isLoopback(hostname) && isLoopback(new URL(issuer).hostname));

function parseMetadata(body: unknown, issuer: string): ProviderMetadata {
  const { data: metadata } = metadataShape.safeParse(body);
  if (!metadata) throw new UnreachableError(`${issuer} describes no OpenID provider.`);
  if (withoutSlash(metadata.issuer) !== withoutSlash(issuer)) {
    throw new UnreachableError(`${issuer} says that it is ${metadata.issuer}.`);
  }
  const addresses = [
    metadata.authorization_endpoint,
    metadata.token_endpoint,
    metadata.jwks_uri,
    metadata.userinfo_endpoint,
    metadata.introspection_endpoint,
  ];
  const insecure = addresses.find((address) => address && !isSecure(new URL(address), issuer));
  if (insecure) throw new UnreachableError(`${issuer} names ${insecure}, which is not secure.`);
  return metadata;
}

/**
 * Reads the metadata of a provider when it is first needed, and again after an hour. A failure is an
 * {@link UnreachableError} and is not cached.
 */
export function createDiscovery(
  issuer: string,
  call: (address: string) => Promise<{ status: number; body: unknown }>,
  now: () => Date,
): () => Promise<ProviderMetadata> {
  let cached: { at: number; metadata: Promise<ProviderMetadata> } | null = null;

  async function load(): Promise<ProviderMetadata> {
    const address = `${withoutSlash(issuer)}/.well-known/openid-configuration`;
    const { status, body } = await call(address);
    if (status !== 200) throw new UnreachableError(`${address} answers ${status}.`);
    return parseMetadata(body, issuer);
  }

  return () => {
    const at = now().getTime();
    if (cached && at - cached.at < CACHE_MS) return cached.metadata;
    const loading = { at, metadata: load() };
    cached = loading;
    loading.metadata.catch(() => {
      if (cached === loading) cached = null;
    });
    return loading.metadata;
  };
}
