import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A server for tests that follows a script in a third-party protocol. */
export interface ScriptedServer<Request, Behavior> {
  /** http://127.0.0.1:PORT */
  url: string;
  /** All requests recorded so far. */
  requests: Request[];
  /** The responses to the next requests, in order. The last one is repeated. */
  behave: (...behaviors: Behavior[]) => void;
  /** Resolves when this number of requests has been recorded in total. */
  received: (count: number) => Promise<void>;
  close: () => Promise<void>;
}

export interface ScriptedServerOptions<Request, Behavior> {
  /** The response until the script sets another one. */
  first: Behavior;
  /** Implements the protocol. `record` stores a request and returns its response. */
  handle: (
    incoming: IncomingMessage,
    response: ServerResponse,
    record: (request: Request) => Behavior,
  ) => Promise<void> | void;
}

/** Starts a scripted server on a free port of this machine. */
export async function startScriptedServer<Request, Behavior>({
  first,
  handle,
}: ScriptedServerOptions<Request, Behavior>): Promise<ScriptedServer<Request, Behavior>> {
  let script: Behavior[] = [];
  let current = first;
  const requests: Request[] = [];
  const waiting = new Set<() => void>();
  const record = (request: Request): Behavior => {
    requests.push(request);
    for (const check of waiting) check();
    current = script.shift() ?? current;
    return current;
  };
  // Idle connections stay open, so that no request fails on a slow machine.
  const server = createServer(
    { keepAliveTimeout: 0 },
    (incoming, response) => void handle(incoming, response, record),
  );
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    behave: (...behaviors) => {
      script = behaviors;
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
