import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { beforeAll, expect, test, vi } from 'vitest';
import { build, type Rolldown } from 'vite';

/** Gzipped JavaScript that a page may load before it is there, in kB of 1000 bytes. */
const BUDGET_KB = 180;

let chunks: Map<string, Rolldown.OutputChunk>;

beforeAll(async () => {
  // As a build is made; otherwise React's development half would be weighed.
  vi.stubEnv('NODE_ENV', 'production');
  const built = await build({
    root: path.resolve(import.meta.dirname, '..'),
    logLevel: 'silent',
    build: { write: false },
  });
  const output = (built as Rolldown.RolldownOutput).output;
  chunks = new Map(
    output.filter((part) => part.type === 'chunk').map((chunk) => [chunk.fileName, chunk]),
  );
}, 60_000);

/** The chunks of the entry and of some modules of the app, with all they import. */
function loaded(...modules: string[]): Set<Rolldown.OutputChunk> {
  const found = new Set<Rolldown.OutputChunk>();
  const add = (chunk: Rolldown.OutputChunk | undefined): void => {
    if (!chunk || found.has(chunk)) return;
    found.add(chunk);
    for (const file of chunk.imports) add(chunks.get(file));
  };
  for (const chunk of chunks.values()) {
    const facade = chunk.facadeModuleId ?? '';
    if (chunk.isEntry || modules.some((module) => facade.endsWith(`/src/${module}`))) add(chunk);
  }
  return found;
}

const pages = {
  '/': ['app/login-page.tsx'],
  '/search': ['app/signed-in-layout.tsx', 'app/search-page.tsx', 'app/toasts.tsx'],
  '/history': ['app/signed-in-layout.tsx', 'app/history-page.tsx', 'app/toasts.tsx'],
  '/allfiles': ['app/signed-in-layout.tsx', 'app/files-page.tsx', 'app/toasts.tsx'],
};

test.each(Object.entries(pages))('%s loads within its budget', (_, modules) => {
  const bytes = [...loaded(...modules)].map(({ code }) => gzipSync(code).length);
  expect(bytes.length).toBeGreaterThan(modules.length);
  expect(bytes.reduce((sum, size) => sum + size, 0) / 1000).toBeLessThan(BUDGET_KB);
});

test('the validation library stays on the server', () => {
  const modules = [...chunks.values()].flatMap((chunk) => Object.keys(chunk.modules));
  expect(modules.some((module) => module.includes('/node_modules/react/'))).toBe(true);
  expect(modules.filter((module) => module.includes('/node_modules/zod/'))).toEqual([]);
});
