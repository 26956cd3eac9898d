import { z } from 'zod';
import { isLoopback } from '../../platform/http/loopback.ts';
import { UnreachableError } from '../../platform/http/bounded-fetch.ts';
import type { AskProvider } from './provider-calls.ts';

/** How long what a provider says of itself is believed, in milliseconds. */
const BELIEVED_MS = 3_600_000;

const authMethods = z.array(z.string()).optional();

/** https://openid.net/specs/openid-connect-discovery-1_0.html#ProviderMetadata, as far as it is used. */
const documentShape = z.object({
  issuer: z.string(),
  authorization_endpoint: z.url().optional(),
  token_endpoint: z.url().optional(),
  jwks_uri: z.url(),
  userinfo_endpoint: z.url().optional(),
  introspection_endpoint: z.url().optional(),
  token_endpoint_auth_methods_supported: authMethods,
  introspection_endpoint_auth_methods_supported: authMethods,
});

export type ProviderDocument = z.output<typeof documentShape>;

type Endpoint = Extract<keyof ProviderDocument, `${string}_endpoint`>;

/** @throws UnreachableError when the provider names no such address. */
export function endpointOf(provider: ProviderDocument, endpoint: Endpoint): string {
  const address = provider[endpoint];
  if (!address) throw new UnreachableError(`${provider.issuer} names no ${endpoint}.`);
  return address;
}

const withoutSlash = (address: string): string => address.replace(/(?<!\/)\/+$/u, '');

/** Whether nobody can listen in on calls to an address; on this machine there is nobody on the way. */
function isSecure(address: string, issuer: string): boolean {
  const { protocol, hostname } = new URL(address);
  return (
    protocol === 'https:' ||
    (protocol === 'http:' && isLoopback(hostname) && isLoopback(new URL(issuer).hostname))
  );
}

function read(body: unknown, issuer: string): ProviderDocument {
  const parsed = documentShape.safeParse(body);
  if (!parsed.success) throw new UnreachableError(`${issuer} describes no OpenID provider.`);
  const document = parsed.data;
  if (withoutSlash(document.issuer) !== withoutSlash(issuer)) {
    throw new UnreachableError(`${issuer} says that it is ${document.issuer}.`);
  }
  const addresses = [
    document.authorization_endpoint,
    document.token_endpoint,
    document.jwks_uri,
    document.userinfo_endpoint,
    document.introspection_endpoint,
  ];
  const insecure = addresses.find((address) => address && !isSecure(address, issuer));
  if (insecure) throw new UnreachableError(`${issuer} names ${insecure}, which is not secure.`);
  return document;
}

/**
 * What a provider says of itself: asked for when it is first needed, then believed for an hour.
 * Rejects with an {@link UnreachableError} when it cannot be had; the next call asks again.
 */
export function createProviderDocument(options: {
  issuer: string;
  ask: AskProvider;
  now: () => Date;
}): () => Promise<ProviderDocument> {
  const { issuer, ask, now } = options;
  let known: { at: number; document: Promise<ProviderDocument> } | null = null;

  async function load(): Promise<ProviderDocument> {
    const address = `${withoutSlash(issuer)}/.well-known/openid-configuration`;
    const { status, body } = await ask(address);
    if (status !== 200) throw new UnreachableError(`${address} answers ${status}.`);
    return read(body, issuer);
  }

  return () => {
    const at = now().getTime();
    if (known && at - known.at < BELIEVED_MS) return known.document;
    const document = load();
    const asked = { at, document };
    known = asked;
    document.catch(() => {
      if (known === asked) known = null;
    });
    return document;
  };
}
