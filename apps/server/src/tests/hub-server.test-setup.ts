import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { CatalogueModel } from '../platform/ai/local/catalogue.ts';

/** A hub that serves one file, whole or from a byte on, under whatever name it is asked for. */
export interface HubServer {
  url: string;
  /** The ranges that were asked for, '' for the whole. */
  asked: string[];
  /** Sends so many bytes and then nothing more until it is set to Infinity again. */
  holdAfter: number;
  close(): Promise<void>;
}

export async function startHub(file: string): Promise<HubServer> {
  const server = createServer(async (request, response) => {
    const range = request.headers.range ?? '';
    hub.asked.push(range);
    const start = Number(/^bytes=(\d+)-$/u.exec(range)?.[1] ?? 0);
    const { size } = await stat(file);
    response.writeHead(range === '' ? 200 : 206, { 'content-length': size - start });
    const end = Math.min(size, start + hub.holdAfter) - 1;
    const stream = createReadStream(file, { start, end });
    stream.pipe(response, { end: end === size - 1 });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const hub: HubServer = {
    url: `http://127.0.0.1:${port}`,
    asked: [],
    holdAfter: Infinity,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return hub;
}

/** A file as a model of a catalogue. */
export async function asCatalogueModel(name: string, file: string): Promise<CatalogueModel> {
  const content = await readFile(file);
  const digest = createHash('sha256').update(content).digest('hex');
  return {
    name,
    title: name,
    licence: 'Apache-2.0',
    licenceUrl: 'https://www.apache.org/licenses/LICENSE-2.0',
    repository: `someone/${name}`,
    pin: {
      revision: '0123456789abcdef0123456789abcdef01234567',
      files: [{ name: `${name}.gguf`, size: content.length, digest, kind: 'sha256' }],
    },
    memoryBytes: 1024 ** 3,
  };
}
