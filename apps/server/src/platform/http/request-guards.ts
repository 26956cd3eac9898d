import type { Socket } from 'node:net';
import type { FastifyBaseLogger, FastifyInstance, FastifyRequest } from 'fastify';
import type { Limit } from '../limits/limit.ts';
import { type ArrivalBounds, boundArrival, drainRequest } from './arrival.ts';
import { tooManyRequests } from './errors.ts';
import { connectionsAs, countFor, isUntrustedForward, networkOf, networksOf } from './networks.ts';
import { createHostCheck, foreignHost } from './hosts.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    admits?: boolean;
  }
}

export interface RequestGuardOptions {
  log: Pick<FastifyBaseLogger, 'warn'>;
  /** The address on which the server listens. On loopback only local host names are accepted. */
  host: string;
  publicUrl: string | undefined;
  pages: Limit;
  arrival: ArrivalBounds;
  connections: number;
}

const DRAIN_LIMIT_BYTES = 16_384;

function boundConnections(app: FastifyInstance, maxPerNetwork: number): void {
  const open = new Map<string, number>();
  app.server.on('connection', (socket: Socket) => {
    const { remoteAddress = '' } = socket;
    const network = networkOf(remoteAddress);
    const count = (open.get(network) ?? 0) + 1;
    if (count > maxPerNetwork * connectionsAs(remoteAddress)) return void socket.destroy();
    open.set(network, count);
    socket.once('close', () => {
      const remaining = (open.get(network) ?? 1) - 1;
      if (remaining > 0) open.set(network, remaining);
      else open.delete(network);
    });
  });
}

export function addRequestGuards(app: FastifyInstance, options: RequestGuardOptions): void {
  const isOwnHost = createHostCheck(options);
  let warned = false;
  boundConnections(app, options.connections);

  const refusalOf = async (request: FastifyRequest): Promise<Error | null> => {
    if (isOwnHost && !isOwnHost(request.headers.host)) return foreignHost();
    if (request.routeOptions.config?.admits) return null;
    const wait = await countFor(options.pages, networksOf(request));
    return wait > 0 ? tooManyRequests('Too many requests. Please wait a moment.', wait) : null;
  };

  app.addHook('onRequest', async (request, reply) => {
    if (!warned && isUntrustedForward(request)) {
      warned = true;
      const { ip } = request;
      options.log.warn(
        `Ignoring X-Forwarded-For of a call from ${ip}. If your proxy sends it, set ENGRAM_TRUST_PROXY=${ip}. Until then all its users share rate limits (docs/how-to/run-behind-a-proxy.md).`,
      );
    }
    boundArrival(request, () => reply.sent, options.arrival);
    const refusal = await refusalOf(request);
    if (!refusal) return;
    drainRequest(request.raw, DRAIN_LIMIT_BYTES);
    throw refusal;
  });
}
