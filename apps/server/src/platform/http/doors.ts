import type { Socket } from 'node:net';
import type { FastifyBaseLogger, FastifyInstance, FastifyRequest } from 'fastify';
import type { Limit } from '../limits/limit.ts';
import { type ArrivalBounds, boundArrival, passOver } from './arrival.ts';
import { tooManyRequests } from './errors.ts';
import { connectionsAs, countFor, isUntrustedForward, networkOf, networksOf } from './networks.ts';
import { createHostCheck, foreignHost } from './own-hosts.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The route counts its calls itself. */
    admits?: boolean;
  }
}

export interface DoorOptions {
  log: Pick<FastifyBaseLogger, 'warn'>;
  /** Address the server listens on; see HOST. */
  host: string;
  /** Address under which people reach the server, where it is set. */
  publicUrl: string | undefined;
  /** What one network may ask for beside calls: pages, and the files they are made of. */
  pages: Limit;
  arrival: ArrivalBounds;
  /** Connections that one network may have open. */
  connections: number;
}

/** Bytes of a refused request that are passed over, so that whoever sends little hears why. */
const HEARD_OUT = 16_384;

/** Closes connections of a network that has too many open. */
function boundConnections(app: FastifyInstance, most: number): void {
  const open = new Map<string, number>();
  app.server.on('connection', (socket: Socket) => {
    const { remoteAddress = '' } = socket;
    const network = networkOf(remoteAddress);
    const count = (open.get(network) ?? 0) + 1;
    if (count > most * connectionsAs(remoteAddress)) return void socket.destroy();
    open.set(network, count);
    socket.once('close', () => {
      const left = (open.get(network) ?? 1) - 1;
      if (left > 0) open.set(network, left);
      else open.delete(network);
    });
  });
}

/** Says once that somebody names visitors whose word does not count, and what to set. */
function createForwardWarning(log: DoorOptions['log']): (request: FastifyRequest) => void {
  let said = false;
  return (request) => {
    if (said || !isUntrustedForward(request)) return;
    said = true;
    const { ip } = request;
    log.warn(
      `A call from ${ip} carries X-Forwarded-For, which is not believed. If your proxy sends it, set ENGRAM_TRUST_PROXY=${ip}: until then its visitors share limits (docs/how-to/stand-behind-a-proxy.md).`,
    );
  };
}

/** What every request passes before anything of it is worked on. */
export function guardDoors(app: FastifyInstance, options: DoorOptions): void {
  const isOwnHost = createHostCheck(options);
  const warn = createForwardWarning(options.log);
  boundConnections(app, options.connections);

  const refusalOf = async (request: FastifyRequest): Promise<Error | null> => {
    if (isOwnHost && !isOwnHost(request.headers.host)) return foreignHost();
    if (request.routeOptions.config?.admits) return null;
    const wait = await countFor(options.pages, networksOf(request));
    return wait > 0 ? tooManyRequests('Too many requests. Please wait a moment.', wait) : null;
  };

  app.addHook('onRequest', async (request, reply) => {
    warn(request);
    boundArrival(request, () => reply.sent, options.arrival);
    const refusal = await refusalOf(request);
    if (!refusal) return;
    passOver(request.raw, HEARD_OUT);
    throw refusal;
  });
}
