import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A server of somebody else's protocol for tests, which does what its script says. */
export interface ScriptedServer<Request, Behaviour> {
  /** http://127.0.0.1:PORT */
  url: string;
  /** All requests that were recorded so far. */
  requests: Request[];
  /** What the next requests get, in order; the last one stays. */
  behave: (...behaviours: Behaviour[]) => void;
  /** Settles when this number of requests has been recorded in all. */
  received: (count: number) => Promise<void>;
  close: () => Promise<void>;
}

export interface ScriptedServerOptions<Request, Behaviour> {
  /** What requests get until the script says otherwise. */
  first: Behaviour;
  /** Speaks the protocol; `record` keeps a request and answers what it gets. */
  handle: (
    incoming: IncomingMessage,
    response: ServerResponse,
    record: (request: Request) => Behaviour,
  ) => Promise<void> | void;
}

/** Starts such a server on a free port of this machine. */
export async function startScriptedServer<Request, Behaviour>({
  first,
  handle,
}: ScriptedServerOptions<Request, Behaviour>): Promise<ScriptedServer<Request, Behaviour>> {
  let script: Behaviour[] = [];
  let current = first;
  const requests: Request[] = [];
  const waiting = new Set<() => void>();
  const record = (request: Request): Behaviour => {
    requests.push(request);
    for (const check of waiting) check();
    current = script.shift() ?? current;
    return current;
  };
  // An idle connection stays open, so that no request meets its end on a slow machine.
  const server = createServer(
    { keepAliveTimeout: 0 },
    (incoming, response) => void handle(incoming, response, record),
  );
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    behave: (...behaviours) => {
      script = behaviours;
    },
    received: (count) =>
      new Promise((resolve) => {
        const check = (): void => {
          if (requests.length < count) return;
          waiting.delete(check);
          resolve();
        };
        waiting.add(check);
        check();
      }),
    close: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

/** Answers with JSON. */
export function sendJson(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(JSON.stringify(body));
}
