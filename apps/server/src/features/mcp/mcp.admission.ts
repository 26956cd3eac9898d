import { API_KEY_HEADER } from '@engram/contract';
import type { AuthInfo } from '@modelcontextprotocol/server';
import type { FastifyRequest } from 'fastify';
import type { Admission, Caller } from '../../platform/http/admission.ts';
import { HttpError } from '../../platform/http/errors.ts';
import { MCP_PATH } from '../../platform/http/hosts.ts';

const missingCredentialError = (): HttpError =>
  new HttpError(
    401,
    'unauthorized',
    `Send an API key, or connect the assistant through its sign-in. Send a key in the header ${API_KEY_HEADER}, or in Authorization as a bearer token.`,
  );

/**
 * Authorizes a connected app with a token for this address, or an API key. Sessions are refused,
 * because they belong to the user and not to a program.
 * @throws HttpError 401 with a challenge (RFC 9728), or 429 before any lookup
 */
export async function admitAssistant(
  admission: Pick<Admission, 'admitTo' | 'challenge'>,
  request: FastifyRequest,
): Promise<Caller> {
  const refuse = () => admission.challenge(missingCredentialError(), request, MCP_PATH);
  const { authorization, [API_KEY_HEADER.toLowerCase()]: key } = request.headers;
  const caller = await admission.admitTo(MCP_PATH, request).catch((error: unknown) => {
    const hasNoCredential = authorization === undefined && key === undefined;
    throw hasNoCredential && error instanceof HttpError && error.status === 401 ? refuse() : error;
  });
  if (caller.sessionId !== null) throw refuse();
  return caller;
}

/** The caller of an MCP call, and its origin. */
export interface McpCaller {
  caller: Caller;
  ip: string;
  /** The origin of links to this server. */
  origin: string;
}

/** Passes the caller through the MCP library, without the credential. */
export const asAuthInfo = (from: McpCaller): AuthInfo => ({
  token: '',
  clientId: from.caller.userId,
  scopes: from.caller.readOnly ? ['read'] : ['read', 'write'],
  extra: { from },
});

export function callerOf(authInfo: AuthInfo | undefined): McpCaller {
  const from = authInfo?.extra?.['from'] as McpCaller | undefined;
  if (from === undefined) throw new Error('The caller of an MCP call is missing.');
  return from;
}
