import { toNodeHandler } from '@modelcontextprotocol/node';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Admission } from '../../platform/http/admission.ts';
import { drainRequest } from '../../platform/http/arrival.ts';
import type { BackgroundYield } from '../../platform/http/background-yield.ts';
import { HttpError } from '../../platform/http/errors.ts';
import { keepHeaders } from '../../platform/http/keep-headers.ts';
import { BODY_LIMIT, PASSED_OVER } from '../../platform/http/mount.ts';
import { MCP_PATH, type OriginOf } from '../../platform/http/origin.ts';
import { isOwnAddress } from '../../platform/http/host-check.ts';
import { describeError, logRefusal } from '../../platform/http/server.ts';
import { admitAssistant } from './mcp.admission.ts';
import * as errors from './mcp.errors.ts';
import type { McpEndpoint } from './mcp.endpoint.ts';
import { asAuthInfo } from './visit.ts';

export interface McpRouteOptions {
  admission: Admission;
  originOf: OriginOf;
  /** Address under which people reach the server, where it is set. */
  publicUrl: string | undefined;
  /** Where calls are counted that a person waits for. */
  backgroundYield: BackgroundYield;
}

/** JSON-RPC's codes for what was refused before a message was read. */
const PARSE_ERROR = -32_700;
const INVALID_REQUEST = -32_600;
const REFUSED = -32_000;

const codeOf = ({ status, code }: HttpError): number => {
  if (code === 'no_batches') return INVALID_REQUEST;
  return status === 400 && code === 'invalid_request' ? PARSE_ERROR : REFUSED;
};

/** Says to an MCP client why nothing was done, in the form that it reads. */
function refuse(error: FastifyError | HttpError, request: FastifyRequest, reply: FastifyReply) {
  logRefusal(error, request);
  const told = describeError(error);
  const { status, headers, code, message } = told;
  return reply
    .status(status)
    .headers(headers)
    .send({ jsonrpc: '2.0', error: { code: codeOf(told), message, data: { code } }, id: null });
}

/**
 * Binds the address that assistants call. Who calls is asked, and counted, before a message is read;
 * the protocol's own library answers then.
 */
export async function mountMcp(
  app: FastifyInstance,
  endpoint: McpEndpoint,
  { admission, originOf, backgroundYield, publicUrl }: McpRouteOptions,
): Promise<void> {
  const answer = toNodeHandler(endpoint, { onerror: endpoint.report });

  const assertOwnSite = (request: FastifyRequest): void => {
    const { origin } = request.headers;
    if (origin !== undefined && !isOwnAddress(origin, request, publicUrl)) {
      throw errors.foreignOrigin();
    }
  };

  const admitFirst = async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    reply.raw.once('close', backgroundYield.begin());
    void reply.header('cache-control', 'no-store');
    try {
      assertOwnSite(request);
      request.caller = await admitAssistant(admission, request);
    } catch (error) {
      drainRequest(request.raw, PASSED_OVER);
      throw error;
    }
  };

  await app.register(async (scope) => {
    scope.setErrorHandler(refuse);
    scope.route({
      method: 'POST',
      url: MCP_PATH,
      config: { admits: true },
      bodyLimit: BODY_LIMIT,
      onRequest: admitFirst,
      async handler(request, reply) {
        const { caller, ip, raw, body } = request;
        if (caller === null) throw new Error('Nobody was admitted.');
        // One call is counted, so that one message may come.
        if (Array.isArray(body)) throw errors.noBatches();
        const visit = { caller, ip, origin: originOf(request) };
        reply.hijack();
        keepHeaders(reply);
        await answer(Object.assign(raw, { auth: asAuthInfo(visit) }), reply.raw, body);
      },
    });
    // The streams and sessions of a server that remembers its clients.
    scope.route({
      method: ['GET', 'DELETE'],
      url: MCP_PATH,
      async handler(request) {
        assertOwnSite(request);
        throw errors.onlyPost();
      },
    });
  });
  app.addHook('preClose', () => endpoint.close());
}
