import { API_KEY_HEADER } from '@engram/contract';
import type { FastifyRequest } from 'fastify';
import type { Admission, Caller } from '../../platform/http/admission.ts';
import { HttpError } from '../../platform/http/errors.ts';
import { MCP_PATH } from '../../platform/http/origin.ts';

const noProgram = (): HttpError =>
  new HttpError(
    401,
    'unauthorized',
    `Send an API key, or connect the assistant by its sign-in. A key goes into the header ${API_KEY_HEADER}, or into Authorization as a bearer token.`,
  );

/**
 * Who calls over MCP, and whether they may: a connected program with a token for this very address,
 * or an API key. A session opens nothing here: it is a person's own, and no program's.
 * @throws HttpError 401 with a challenge (RFC 9728), or 429 before anything is looked up
 */
export async function admitAssistant(
  admission: Pick<Admission, 'admitTo' | 'challenge'>,
  request: FastifyRequest,
): Promise<Caller> {
  const refuse = () => admission.challenge(noProgram(), request, MCP_PATH);
  const { authorization, [API_KEY_HEADER.toLowerCase()]: key } = request.headers;
  const caller = await admission.admitTo(MCP_PATH, request).catch((error: unknown) => {
    const showsNothing = authorization === undefined && key === undefined;
    throw showsNothing && error instanceof HttpError && error.status === 401 ? refuse() : error;
  });
  if (caller.sessionId !== null) throw refuse();
  return caller;
}
