import { cp, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pino from 'pino';
import { expect, test } from 'vitest';
import { loadConfig } from '../../config.ts';
import {
  createServerDatabase,
  testServerUrl,
} from '../../platform/database/tests/database-suite.test-setup.ts';
import { noMetrics } from '../../platform/observability/metrics.ts';
import { createObserver } from '../../platform/observability/observer.ts';
import type { Observability } from '../../platform/observability/open-observability.ts';
import { noTracing } from '../../platform/observability/tracing.ts';
import { buildTestApp } from '../../tests/app.test-setup.ts';
import { openStorage } from '../storage.ts';

const observability: Observability = {
  metrics: noMetrics,
  metricsUrl: null,
  tracing: noTracing,
  observer: createObserver(),
  close: async () => undefined,
};

test.skipIf(!testServerUrl)(
  'a database accepts one server at a time, and only with its own data folder',
  async () => {
    const { url, drop } = await createServerDatabase(testServerUrl ?? '');
    const scratch = await mkdtemp(path.join(tmpdir(), 'engram-storage-'));
    const folder = (name: string): string => path.join(scratch, name);
    const env = { DATABASE_URL: url };
    const open = (dataDir: string) =>
      openStorage(loadConfig({ ...env, ENGRAM_DATA_DIR: dataDir }), {
        log: pino({ level: 'silent' }),
        now: () => new Date(),
        meaningMs: 0,
        observability,
      });

    const first = await buildTestApp({ env, dataDir: folder('first') });
    await first.signIn('ann@example.org');
    await cp(folder('first'), folder('copy'), { recursive: true });
    const inUse = 'The database that DATABASE_URL names is in use by another running Engram.';
    await expect(open(folder('copy'))).rejects.toThrow(inUse);
    await expect(open(folder('new'))).rejects.toThrow(inUse);
    await first.close();

    await expect(open(folder('new'))).rejects.toThrow(
      'The database belongs to another data folder than',
    );
    // The folder of another installation must stay unchanged.
    expect((await readdir(folder('new'))).toSorted()).toEqual(['lock', 'secret']);
    const moved = await buildTestApp({ env, dataDir: folder('copy') });
    await expect(moved.signIn('ann@example.org')).resolves.toMatchObject({
      email: 'ann@example.org',
    });
    await moved.close();
    await drop();
    await rm(scratch, { recursive: true, force: true });
  },
);
