import { API_KEY_HEADER } from '@engram/contract';
import type { FastifyRequest } from 'fastify';
import { type Admitting, type Caller, createAdmission } from '../../platform/http/admission.ts';
import type { AdmissionOptions } from '../../platform/http/admission.ts';
import { HttpError } from '../../platform/http/errors.ts';
import { ownOrigin } from '../../platform/http/own-hosts.ts';

export interface McpAdmissionOptions extends Pick<
  AdmissionOptions,
  'authenticateKey' | 'limits' | 'now'
> {
  /** Address under which people reach the server, where it is set. */
  publicUrl: string | undefined;
}

/** A call that a key opens which only reads: which tools it may use is for the tools to say. */
const MCP_CALL: Admitting = { auth: 'user', apiKey: true, method: 'POST', reads: true };

const noKey = (): HttpError =>
  new HttpError(
    401,
    'unauthorized',
    `Send an API key: in the header ${API_KEY_HEADER}, or as a bearer token in the header Authorization.`,
  );

const bearerOf = ({ headers }: FastifyRequest): string =>
  /^Bearer +(\S+)$/iu.exec(headers.authorization ?? '')?.[1] ?? '';

/**
 * Who calls over MCP, and whether they may: by an API key, in its header as other calls take it or as
 * a bearer token, which is where most assistants put one. A session's token opens nothing here. What
 * is counted is counted with the person's other calls, before anything is looked up.
 */
export function createMcpAdmission({ publicUrl, ...options }: McpAdmissionOptions) {
  /** Who holds what was sent as a bearer token; throws a 401 where it is none that opens anything. */
  const whoHolds = async (token: string): Promise<Caller> => {
    if (token === '') throw noKey();
    return options.authenticateKey(token);
  };

  const { admit } = createAdmission({
    ...options,
    authenticate: (request) => whoHolds(bearerOf(request)),
  });

  /** Tells whoever is refused where a program learns how to be let in (RFC 9728). */
  const challenged = (error: unknown, request: FastifyRequest): unknown => {
    if (!(error instanceof HttpError) || error.status !== 401) return error;
    const metadata = `${ownOrigin(request, publicUrl)}/.well-known/oauth-protected-resource/mcp`;
    return new HttpError(error.status, error.code, error.message, {
      ...error.headers,
      'www-authenticate': `Bearer resource_metadata="${metadata}"`,
    });
  };

  /** @throws HttpError 401 with a challenge, or 429 before anything is looked up */
  return async (request: FastifyRequest): Promise<Caller> => {
    try {
      const caller = await admit(MCP_CALL, request);
      if (caller === null) throw noKey();
      return caller;
    } catch (error) {
      throw challenged(error, request);
    }
  };
}
