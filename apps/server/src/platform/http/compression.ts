import { promisify } from 'node:util';
import { constants, gzip } from 'node:zlib';
import type { FastifyInstance } from 'fastify';

const zip = promisify(gzip);

const SMALLEST = 2048;

const COMPRESSIBLE = /^(?:application\/json|text\/plain)\b/u;

/** Responses of sign-in contain a token, about which the compressed length must reveal nothing. */
const SECRET = /^\/v1\/auth\//iu;

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

/** Compresses long JSON and text. No other site can send a user's token to observe the length. */
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
