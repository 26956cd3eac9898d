import { createServer, type Socket } from 'node:net';
import type { AddressInfo } from 'node:net';

/** The exact bytes of each request. */
export interface RecordedRequest {
  line: string;
  headers: Record<string, string>;
  body: string;
}

/** The exact bytes of a response, or an action on the connection. */
export type Reply = string | ((socket: Socket) => void);

/** A response in bytes, after which the connection ends. */
export function http(status: string, body = '', more: Record<string, string> = {}): string {
  const headers = {
    'content-length': String(Buffer.byteLength(body)),
    connection: 'close',
    ...more,
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${status}\r\n${lines.join('')}\r\n${body}`;
}

function readRequest(bytes: Buffer): RecordedRequest | null {
  const text = bytes.toString('latin1');
  const end = text.indexOf('\r\n\r\n');
  if (end === -1) return null;
  const [line = '', ...rest] = text.slice(0, end).split('\r\n');
  const headers = Object.fromEntries(
    rest.map((header) => {
      const [name = '', ...value] = header.split(': ');
      return [name.toLowerCase(), value.join(': ')];
    }),
  );
  const body = text.slice(end + 4);
  const isComplete =
    headers['transfer-encoding'] === 'chunked'
      ? body.endsWith('0\r\n\r\n')
      : body.length >= Number(headers['content-length'] ?? 0);
  return isComplete ? { line, headers, body } : null;
}

/** A server that answers each request with the next reply. */
export async function startOddServer() {
  const replies: Reply[] = [];
  const requests: RecordedRequest[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => undefined);
    let read = Buffer.alloc(0);
    socket.on('data', (bytes) => {
      read = Buffer.concat([read, bytes]);
      const request = readRequest(read);
      if (!request) return;
      read = Buffer.alloc(0);
      requests.push(request);
      const reply = replies.shift();
      if (typeof reply === 'string') socket.end(reply, 'latin1');
      else reply?.(socket);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    replies,
    requests,
    close: async (): Promise<void> => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
