import { API_KEY_HEADER } from '@engram/contract';
import type { FastifyRequest } from 'fastify';
import type { Admission, Caller } from '../../platform/http/admission.ts';
import { HttpError } from '../../platform/http/errors.ts';
import { MCP_PATH } from '../../platform/http/origin.ts';

const noSession = (): HttpError =>
  new HttpError(
    401,
    'unauthorized',
    `Connect the assistant, or send an API key: in the header ${API_KEY_HEADER}, or as a bearer token in the header Authorization.`,
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
  const caller = await admission.admitTo(MCP_PATH, request);
  if (caller.sessionId !== null) throw admission.challenge(noSession(), request, MCP_PATH);
  return caller;
}
