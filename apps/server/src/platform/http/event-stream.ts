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
  const write = (text: string): void => {
    if (!started) start();
    if (reply.raw.destroyed) return;
    reply.raw.write(text);
    // Otherwise Node would delay the write until the current work ends.
    reply.raw.socket?.uncork();
  };
  return {
    get started(): boolean {
      return started;
    },
    /** Sends an event; null as its name sends one without a name. */
    send(event: string | null, data: unknown): void {
      const name = event === null ? '' : `event: ${event}\n`;
      write(`${name}data: ${JSON.stringify(data)}\n\n`);
    },
    /** Sends text that is not JSON, as events of the protocol. */
    write,
    end(): FastifyReply {
      reply.raw.end();
      return reply;
    },
  };
}

export function keepHeaders(reply: FastifyReply): void {
  for (const [name, value] of Object.entries(reply.getHeaders())) {
    if (value !== undefined) reply.raw.setHeader(name, value);
  }
}
