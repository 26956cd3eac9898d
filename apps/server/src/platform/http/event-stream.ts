import type { FastifyReply, FastifyRequest } from 'fastify';

export const wantsEvents = ({ headers }: FastifyRequest): boolean =>
  headers.accept?.includes('text/event-stream') === true;

/** Aborted when the client has disconnected or received the whole response. */
export function disconnectSignal({ raw }: FastifyReply): AbortSignal {
  const disconnected = new AbortController();
  raw.once('close', () => disconnected.abort());
  return disconnected.signal;
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
      // Tells proxies not to buffer events.
      'x-accel-buffering': 'no',
    });
  };
  const write = (text: string): void => {
    if (!started) start();
    if (reply.raw.destroyed) return;
    reply.raw.write(text);
    // Otherwise Node delays the write until the current work ends.
    reply.raw.socket?.uncork();
  };
  return {
    get started(): boolean {
      return started;
    },
    /** Sends an event, without a name if `event` is null. */
    send(event: string | null, data: unknown): void {
      const name = event === null ? '' : `event: ${event}\n`;
      write(`${name}data: ${JSON.stringify(data)}\n\n`);
    },
    /** Writes raw text in the format of events. */
    write,
    end(): FastifyReply {
      reply.raw.end();
      return reply;
    },
  };
}

export function copyHeaders(reply: FastifyReply): void {
  for (const [name, value] of Object.entries(reply.getHeaders())) {
    if (value !== undefined) reply.raw.setHeader(name, value);
  }
}
