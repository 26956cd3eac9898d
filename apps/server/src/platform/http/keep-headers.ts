import type { FastifyReply } from 'fastify';

/** Copies the headers that hooks have set to a response that bypasses Fastify. */
export function keepHeaders(reply: FastifyReply): void {
  for (const [name, value] of Object.entries(reply.getHeaders())) {
    if (value !== undefined) reply.raw.setHeader(name, value);
  }
}
