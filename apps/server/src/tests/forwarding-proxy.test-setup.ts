import { once } from 'node:events';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface ForwardingProxy {
  /** http://127.0.0.1:PORT */
  url: string;
  close: () => Promise<void>;
}

/**
 * A proxy on this machine for a client with the given address. It appends that address to the
 * client's header as nginx does with $proxy_add_x_forwarded_for.
 */
export async function startForwardingProxy(
  target: string,
  visitor: string,
): Promise<ForwardingProxy> {
  const server = createServer((incoming, answer) => {
    const { 'x-forwarded-for': claimed, ...headers } = incoming.headers;
    const outgoing = request(new URL(incoming.url ?? '/', target), {
      method: incoming.method ?? 'GET',
      headers: {
        ...headers,
        host: new URL(target).host,
        'x-forwarded-for': [claimed, visitor].filter(Boolean).join(', '),
      },
    });
    outgoing.on('response', (reply) => {
      answer.writeHead(reply.statusCode ?? 502, reply.headers);
      reply.pipe(answer);
    });
    outgoing.on('error', () => answer.destroy());
    incoming.pipe(outgoing);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
