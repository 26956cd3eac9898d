import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { homedir } from 'node:os';
import { setTimeout as wait } from 'node:timers/promises';
import { z } from 'zod';
import { callByName, type CallName, folderRoot, isCall, parseInput } from '../calls.ts';
import type { Connector } from '../connector.ts';
import { readAsset } from './assets.ts';
import { listDirectory } from './directories.ts';
import { createGuard, type Guard, harden } from './guard.ts';

interface PageOptions {
  home?: string;
  /** Ends the program. Called after the response was sent. */
  onQuit: () => unknown;
}

export interface Page {
  port: number;
  /** The address of the page, with a token that signs in one browser once. */
  newUrl(): string;
  close(): Promise<void>;
}

interface Context {
  connector: Connector;
  guard: Guard;
  /** The folder whose subfolders can be chosen. */
  home: string;
  quit: PageOptions['onQuit'];
  stopped: AbortSignal;
}

const MAX_BODY_BYTES = 65_536;
/** How long the page waits in case the sync is refused. */
const REFUSAL_WAIT_MS = 500;
/** Interval of comments in the event stream, so that neither side closes it. */
const HEARTBEAT_MS = 20_000;

function answer(response: ServerResponse, status: number, type: string, body: string | Buffer) {
  response.writeHead(status, { 'Content-Type': type, 'Content-Length': Buffer.byteLength(body) });
  response.end(body);
}

const answerJson = (response: ServerResponse, status: number, body: unknown): void =>
  answer(response, status, 'application/json; charset=utf-8', JSON.stringify(body));

/** A page with one sentence, for requests that are not signed in. */
const answerText = (response: ServerResponse, status: number, sentence: string): void =>
  answer(
    response,
    status,
    'text/html; charset=utf-8',
    `<!doctype html><html lang="en"><meta charset="utf-8"><title>Engram Connector</title><p>${sentence}</p></html>`,
  );

async function readBody(request: IncomingMessage): Promise<unknown> {
  const parts: Buffer[] = [];
  let length = 0;
  for await (const part of request as AsyncIterable<Buffer>) {
    length += part.length;
    if (length > MAX_BODY_BYTES) throw new Error('The request is too long.');
    parts.push(part);
  }
  try {
    return JSON.parse(Buffer.concat(parts).toString('utf8')) as unknown;
  } catch {
    throw new Error('The request is not valid JSON.');
  }
}

/** Sends each change of the status to a browser, until either side closes. */
function streamStatus({ connector, stopped }: Context, response: ServerResponse): void {
  response.writeHead(200, { 'Content-Type': 'text/event-stream; charset=utf-8' });
  const send = (): void => {
    response.write(`data: ${JSON.stringify(connector.status())}\n\n`);
  };
  const stop = connector.onChange(send);
  const heartbeat = setInterval(() => response.write(': still here\n\n'), HEARTBEAT_MS);
  const end = (): void => {
    stop();
    clearInterval(heartbeat);
    stopped.removeEventListener('abort', end);
    response.end();
  };
  stopped.addEventListener('abort', end);
  response.on('close', end);
  send();
}

/**
 * Exchanges the token for the cookie. The response is a page that loads the next one: after a redirect,
 * a browser that followed a link of another page would not send a strict cookie.
 */
function signIn({ guard }: Context, token: string, response: ServerResponse): void {
  const cookie = guard.exchange(token);
  if (cookie === null) {
    const sentence =
      'This link was already used. Open the page from the Connector again: <code>engram-connector open</code>.';
    answerText(response, 401, sentence);
    return;
  }
  response.setHeader('Set-Cookie', cookie);
  const { home } = guard;
  const page = `<!doctype html><html lang="en"><meta charset="utf-8"><meta http-equiv="refresh" content="0;url=${home}"><link rel="icon" href="${home}icon.svg"><title>Engram Connector</title></html>`;
  answer(response, 200, 'text/html; charset=utf-8', page);
}

const quitSoon = ({ quit }: Context): void => void setImmediate(quit);

/** Calls that only the page makes, or that work differently for it. */
const pageCalls: Record<string, (context: Context, args: unknown) => unknown> = {
  directory: ({ home }, args) => {
    const [path] = parseInput(z.tuple([folderRoot.nullable()]), args);
    return listDirectory(home, path);
  },
  // It may take hours. The page gets a refusal, and learns everything else from the status.
  syncOnce: ({ connector }) => Promise.race([connector.syncOnce(), wait(REFUSAL_WAIT_MS)]),
  uninstall: async (context) => {
    await context.connector.uninstall();
    quitSoon(context);
  },
  quit: (context) => quitSoon(context),
};

async function write(
  context: Context,
  name: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const pageCall = Object.hasOwn(pageCalls, name) ? pageCalls[name] : undefined;
  if (!pageCall && !isCall(name)) return answerJson(response, 404, { message: 'Unknown call.' });
  if (request.headers['content-type'] !== 'application/json') {
    return answerJson(response, 415, { message: 'This call requires JSON.' });
  }
  try {
    const args = await readBody(request);
    const result = pageCall
      ? await pageCall(context, args)
      : await callByName(context.connector, name as CallName, args);
    answerJson(response, 200, result ?? null);
  } catch (error) {
    answerJson(response, 400, { message: error instanceof Error ? error.message : String(error) });
  }
}

async function respond(
  context: Context,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { guard } = context;
  harden(response);
  if (!guard.isForHere(request)) {
    return answerText(response, 421, 'The Connector can only be reached from this computer.');
  }
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://127.0.0.1');
  const isRead = request.method === 'GET';
  const token = searchParams.get('token');
  if (isRead && pathname === '/' && token !== null) return signIn(context, token, response);
  if (!pathname.startsWith(guard.home) || !guard.isSignedIn(request)) {
    const sentence = 'Open this page from the Connector: <code>engram-connector open</code>.';
    return answerText(response, 401, sentence);
  }
  const address = pathname.slice(guard.home.length - 1);
  if (request.method === 'POST' && address.startsWith('/api/')) {
    if (guard.isFromPage(request)) {
      return write(context, address.slice('/api/'.length), request, response);
    }
    return answerJson(response, 403, { message: 'Only the page itself may make this call.' });
  }
  if (!isRead) return answerJson(response, 405, { message: 'Method not allowed.' });
  if (address === '/api/events') return streamStatus(context, response);
  const asset = readAsset(address);
  if (!asset) return answerText(response, 404, 'Page not found.');
  answer(response, 200, asset.type, asset.body);
}

/** Serves the Connector's page to browsers of this machine that have a token. */
export async function startPage(
  connector: Connector,
  { home = homedir(), onQuit: quit }: PageOptions,
): Promise<Page> {
  const stop = new AbortController();
  const server = createServer();
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  const guard = createGuard(port);
  const newUrl = (): string => `http://127.0.0.1:${port}/?token=${guard.newToken()}`;
  const close = async (): Promise<void> => {
    stop.abort();
    const { promise, resolve } = Promise.withResolvers<void>();
    server.close(() => resolve());
    server.closeIdleConnections();
    // Open requests get a second to finish.
    const forceClose = setTimeout(() => server.closeAllConnections(), 1000);
    await promise;
    clearTimeout(forceClose);
  };
  const context: Context = { connector, guard, home, quit, stopped: stop.signal };
  server.on('request', (request, response) => {
    respond(context, request, response).catch(() => response.destroy());
  });
  return { port, newUrl, close };
}
