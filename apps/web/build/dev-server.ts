import path from 'node:path';
import { createServer } from 'vite';

/** The app as developers have it, with the pages that no build holds, before a server. */
export async function startDevServer(
  api: string,
): Promise<{ url: string; close(): Promise<void> }> {
  const server = await createServer({
    root: path.resolve(import.meta.dirname, '..'),
    configFile: path.resolve(import.meta.dirname, '../vite.config.ts'),
    logLevel: 'error',
    server: { host: '127.0.0.1', port: 0, hmr: false, proxy: { '/v1': api } },
  });
  await server.listen();
  const address = server.httpServer?.address();
  if (!address || typeof address === 'string') throw new Error('The app was not served.');
  return { url: `http://127.0.0.1:${address.port}`, close: () => server.close() };
}
