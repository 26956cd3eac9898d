import { promisify } from 'node:util';
import { constants, gzip } from 'node:zlib';
import type { FastifyInstance } from 'fastify';

const zip = promisify(gzip);

/** Characters below which an answer travels as fast as it is. */
const SMALLEST = 2048;

const COMPRESSIBLE = /^(?:application\/json|text\/plain)\b/u;

/** Signing in answers a token: how well a secret compresses must tell nothing about it. */
const SECRET = /^\/v1\/auth\//iu;

/**
 * Whether a client takes gzip.
 * @param accepted The header Accept-Encoding.
 */
export function acceptsGzip(accepted: string | string[] | undefined): boolean {
  const weights = new Map<string, number>();
  for (const part of String(accepted ?? '').split(',')) {
    const [name = '', ...parameters] = part
      .toLowerCase()
      .split(';')
      .map((each) => each.trim());
    const weight = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2);
    weights.set(name, weight === undefined ? 1 : Number(weight));
  }
  return (weights.get('gzip') ?? weights.get('*') ?? 0) > 0;
}

/**
 * Compresses longer answers of calls for clients that take it. Streams (files and their ranges,
 * events) go as they are. Another site cannot make a browser send a call with a person's token, so
 * that it can learn nothing from the length of an answer that holds its own words beside secrets.
 */
export function compressAnswers(app: FastifyInstance): void {
  app.addHook<unknown>('onSend', async (request, reply, payload) => {
    if (typeof payload !== 'string' || payload.length < SMALLEST) return payload;
    if (!COMPRESSIBLE.test(String(reply.getHeader('content-type')))) return payload;
    if (SECRET.test(request.url) || reply.hasHeader('content-encoding')) return payload;
    void reply.header('vary', 'accept-encoding');
    if (!acceptsGzip(request.headers['accept-encoding'])) return payload;
    void reply.header('content-encoding', 'gzip').removeHeader('content-length');
    return zip(payload, { level: constants.Z_BEST_SPEED });
  });
}
