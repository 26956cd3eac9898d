import type { AccessScope } from '@engram/contract';
import { MCP_PATH } from '../../platform/http/origin.ts';

/** What a program may be let in to do. */
export const SCOPES = ['files:read', 'files:write'] as const satisfies readonly AccessScope[];

/** What a program asks for that does not say. */
export const DEFAULT_SCOPE: AccessScope = 'files:read';

/** The scopes among the words of a request, each once, in our order. */
export const scopesIn = (asked: string | undefined): AccessScope[] => {
  const words = new Set((asked ?? '').split(' '));
  return SCOPES.filter((scope) => words.has(scope));
};

/**
 * What a token is for (RFC 8707), by what a program names: the server's origin, which is the API, or
 * the endpoint for assistants; undefined for anything else. A slash at the end says nothing.
 */
export function audienceOf(named: string, origin: string): string | undefined {
  const audience = named.replace(/\/$/u, '');
  return audience === origin || audience === origin + MCP_PATH ? audience : undefined;
}

/** Whether a resource is the endpoint for assistants, whose tools delete nothing. */
export const isForTools = (resource: string): boolean =>
  resource.replace(/\/$/u, '').endsWith(MCP_PATH);
