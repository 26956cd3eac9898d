import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { startScriptedServer } from '../../../tests/scripted-server.test-setup.ts';

interface Received {
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
}

type Behavior = (response: ServerResponse) => void;

export const answer =
  (status: number, headers: Record<string, string> = {}): Behavior =>
  (response) =>
    response.writeHead(status, headers).end('This is not read.');

/** Sends no response. */
export const silence: Behavior = () => undefined;

/** Sends a response whose body does not end. */
export const endless: Behavior = (response) => {
  response.writeHead(200);
  const more = (): void => {
    while (!response.destroyed && response.write('x'.repeat(65_536)));
    if (!response.destroyed) response.once('drain', more);
  };
  more();
};

/** A server that receives webhooks. It responds with 204 unless its script differs. */
export const startReceiver = () =>
  startScriptedServer<Received, Behavior>({
    first: answer(204),
    async handle(incoming, response, record) {
      const body = await text(incoming);
      record({ path: incoming.url ?? '', headers: incoming.headers, body })(response);
    },
  });

export type Receiver = Awaited<ReturnType<typeof startReceiver>>;
