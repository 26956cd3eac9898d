import { expect, test } from 'vitest';
import { uploadArtifacts } from '@engram/contract';
import { loadConfig } from '../config.ts';
import { assertMayStart } from '../settings/start-rules.ts';
import { useTestApp } from './use-app.test-setup.ts';

const worker = useTestApp({ env: { ENGRAM_ROLE: 'worker' } });
const web = useTestApp({ env: { ENGRAM_ROLE: 'web' } });

test('a worker reports its health, and answers no other calls', async () => {
  const status = async (path: string) => (await fetch(worker.origin + path)).status;
  expect(await status('/v1/live')).toBe(200);
  expect(await status('/v1/ready')).toBe(200);
  expect(await status('/v1/status')).toBe(404);
  expect(await status('/')).toBe(404);
});

test('a web server leaves extraction to workers', async () => {
  const ann = await web.signIn('ann@example.org');
  await ann.client.upload(
    uploadArtifacts,
    [{ name: 'lease.txt', content: new Blob(['The rent is 900 euros.']) }],
    {},
  );
  const { rows } = await web.deps.database.pool.query('select state from jobs');
  expect(rows).toEqual([{ state: 'waiting' }]);
});

test('a server that leaves work to others must share its storage with them', () => {
  const config = loadConfig({ ENGRAM_ROLE: 'web', ENGRAM_SECRET: 'x'.repeat(32) });
  expect(() => assertMayStart(config)).toThrow(
    'ENGRAM_ROLE is web, which requires shared storage. Missing: DATABASE_URL and ENGRAM_FILES (a bucket) and ENGRAM_SEARCH.',
  );
});
