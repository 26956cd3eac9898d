import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** A proxy between servers and a service that can make the service unreachable. */
export interface Relay {
  /** The `host:port` that replaces that of the service. */
  host: string;
  /** Breaks all connections and refuses new ones for this time, as a restarting service does. */
  disconnectFor: (milliseconds: number) => Promise<void>;
  close: () => Promise<void>;
}

export interface RelayOptions {
  /** Called with the data from the servers. Each connection has its own listener. */
  listen?: () => (chunk: Buffer) => void;
}

async function openOn(port: number, onSocket: (socket: Socket) => void): Promise<Server> {
  const server = createServer({ noDelay: true }, onSocket).listen(port, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

export async function startRelay(
  service: { hostname: string; port: string },
  { listen }: RelayOptions = {},
): Promise<Relay> {
  const sockets = new Set<Socket>();

  const forward = (client: Socket): void => {
    const upstream = connect({ host: service.hostname, port: Number(service.port), noDelay: true });
    for (const [source, target] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(source);
      source.on('error', () => undefined);
      source.once('close', () => {
        sockets.delete(source);
        target.destroy();
      });
      source.pipe(target);
    }
    if (listen) client.on('data', listen());
  };

  const disconnect = async (): Promise<void> => {
    const closed = once(server, 'close');
    server.close();
    for (const socket of sockets) socket.destroy();
    await closed;
  };

  let server = await openOn(0, forward);
  const { port } = server.address() as AddressInfo;

  return {
    host: `127.0.0.1:${port}`,
    async disconnectFor(milliseconds) {
      await disconnect();
      await sleep(milliseconds);
      server = await openOn(port, forward);
    },
    close: disconnect,
  };
}
