import type { FastifyReply, FastifyRequest } from 'fastify';

export const wantsEvents = ({ headers }: FastifyRequest): boolean =>
  headers.accept?.includes('text/event-stream') === true;

/** Aborted when the client has left or has the whole response. */
export function clientGone({ raw }: FastifyReply): AbortSignal {
  const gone = new AbortController();
  raw.once('close', () => gone.abort());
  return gone.signal;
}

export function openEventStream(reply: FastifyReply) {
  let started = false;
  const start = (): void => {
    started = true;
    reply.hijack();
    reply.raw.writeHead(200, {
      ...(reply.getHeaders() as Record<string, string>),
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store',
      // Proxies must pass on each event as it comes.
      'x-accel-buffering': 'no',
    });
  };
  return {
    get started(): boolean {
      return started;
    },
    send(event: string, data: unknown): void {
      if (!started) start();
      if (reply.raw.destroyed) return;
      reply.raw.write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
      // Otherwise Node would delay the write until the current work ends.
      reply.raw.socket?.uncork();
    },
    end(): FastifyReply {
      reply.raw.end();
      return reply;
    },
  };
}
