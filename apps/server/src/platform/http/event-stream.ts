import type { FastifyReply, FastifyRequest } from 'fastify';

export interface EventStream {
  /** Whether anything was sent, so that the status is settled. */
  readonly started: boolean;
  send(event: string, data: unknown): void;
  end(): FastifyReply;
}

/** Whether a caller asks for events instead of one answer. */
export const wantsEvents = ({ headers }: FastifyRequest): boolean =>
  headers.accept?.includes('text/event-stream') === true;

/** Aborted when the client has left or has its whole answer. */
export function clientGone({ raw }: FastifyReply): AbortSignal {
  const gone = new AbortController();
  raw.once('close', () => gone.abort());
  return gone.signal;
}

/** Server-sent events as a reply; the headers go out with the first event. */
export function openEventStream(reply: FastifyReply): EventStream {
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
    get started() {
      return started;
    },
    send(event, data) {
      if (!started) start();
      if (reply.raw.destroyed) return;
      reply.raw.write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
      // Node holds writes back until the work that goes on has let go: somebody waits for this one.
      reply.raw.socket?.uncork();
    },
    end() {
      reply.raw.end();
      return reply;
    },
  };
}
