import { toNodeHandler } from '@modelcontextprotocol/node';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Admission } from '../../platform/http/admission.ts';
import { drainRequest } from '../../platform/http/arrival.ts';
import type { BackgroundYield } from '../../platform/http/background-yield.ts';
import { HttpError } from '../../platform/http/errors.ts';
import { copyHeaders } from '../../platform/http/event-stream.ts';
import { BODY_LIMIT, MAX_DRAINED_BYTES } from '../../platform/http/mount.ts';
import { createOriginOf, isOwnAddress, MCP_PATH } from '../../platform/http/hosts.ts';
import { describeError, logRefusal } from '../../platform/http/server.ts';
import { admitAssistant, asAuthInfo } from './mcp.admission.ts';
import type { McpEndpoint } from './mcp.service.ts';

/** JSON-RPC codes of calls that are refused before a message is read. */
const PARSE_ERROR = -32_700;
const INVALID_REQUEST = -32_600;
const REFUSED = -32_000;

const codeOf = ({ status, code }: HttpError): number => {
  if (code === 'no_batches') return INVALID_REQUEST;
  return status === 400 && code === 'invalid_request' ? PARSE_ERROR : REFUSED;
};

function refuse(error: FastifyError | HttpError, request: FastifyRequest, reply: FastifyReply) {
  logRefusal(error, request);
  const described = describeError(error);
  const { status, headers, code, message } = described;
  return reply
    .status(status)
    .headers(headers)
    .send({
      jsonrpc: '2.0',
      error: { code: codeOf(described), message, data: { code } },
      id: null,
    });
}

/** Mounts the endpoint for assistants. Calls are authorized and counted before a message is read. */
export async function mountMcp(
  app: FastifyInstance,
  endpoint: McpEndpoint,
  admission: Admission,
  backgroundYield: BackgroundYield,
  publicUrl: string | undefined,
): Promise<void> {
  const originOf = createOriginOf(publicUrl);
  const handle = toNodeHandler(endpoint, { onerror: endpoint.report });

  const assertSameSite = (request: FastifyRequest): void => {
    const { origin } = request.headers;
    if (origin !== undefined && !isOwnAddress(origin, request, publicUrl)) {
      const message = 'Pages of other sites cannot call this address.';
      throw new HttpError(403, 'foreign_origin', message);
    }
  };

  const authorize = async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    reply.raw.once('close', backgroundYield.begin());
    void reply.header('cache-control', 'no-store');
    try {
      assertSameSite(request);
      request.caller = await admitAssistant(admission, request);
    } catch (error) {
      drainRequest(request.raw, MAX_DRAINED_BYTES);
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
      onRequest: authorize,
      async handler(request, reply) {
        const { caller, ip, raw, body } = request;
        if (caller === null) throw new Error('The caller is missing.');
        // Each message is counted as one call.
        if (Array.isArray(body)) {
          const message = 'Send one message per request. Batches are not supported.';
          throw new HttpError(400, 'no_batches', message);
        }
        const auth = asAuthInfo({ caller, ip, origin: originOf(request) });
        reply.hijack();
        copyHeaders(reply);
        await handle(Object.assign(raw, { auth }), reply.raw, body);
      },
    });
    // Streams and sessions exist only on servers with client state.
    scope.route({
      method: ['GET', 'DELETE'],
      url: MCP_PATH,
      async handler(request) {
        assertSameSite(request);
        const message = 'This address supports only POST, because it has no sessions.';
        throw new HttpError(405, 'method_not_allowed', message, { allow: 'POST' });
      },
    });
  });
  app.addHook('preClose', () => endpoint.close());
}
