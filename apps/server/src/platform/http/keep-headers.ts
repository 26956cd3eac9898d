import type { FastifyReply } from 'fastify';

/** Puts the headers that the server's hooks have set on an answer which passes them by. */
export function keepHeaders(reply: FastifyReply): void {
  for (const [name, value] of Object.entries(reply.getHeaders())) {
    if (value !== undefined) reply.raw.setHeader(name, value);
  }
}
