import { createMcpHandler, type McpServerFactory } from '@modelcontextprotocol/server';
import type { FastifyBaseLogger } from 'fastify';

/** Streams that wait for changes, of which there are none to tell: few clients open one. */
const MOST_SUBSCRIPTIONS = 64;

/**
 * Answers calls by servers that `create` makes, one for each call, to both generations of clients.
 * Nothing is kept of a client between two calls.
 */
export function createMcpEndpoint(create: McpServerFactory, log: Pick<FastifyBaseLogger, 'debug'>) {
  const report = (error: Error): void => log.debug({ err: error }, 'an MCP call was refused');
  const { fetch, close } = createMcpHandler(create, {
    legacy: 'stateless',
    maxSubscriptions: MOST_SUBSCRIPTIONS,
    onerror: report,
  });
  return { fetch, close, report };
}

export type McpEndpoint = ReturnType<typeof createMcpEndpoint>;
