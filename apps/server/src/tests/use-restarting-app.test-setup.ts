import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach } from 'vitest';
import { buildTestApp, type SignedInUser, type TestApp } from './app.test-setup.ts';

type Settings = Record<string, string>;

/** The app with a user that no other test of the suite uses. */
interface RunningApp {
  app: TestApp;
  ann: SignedInUser;
}

/** One data folder for all tests of a suite, and the app on it with the settings of each test. */
export function useRestartingApp() {
  let dataDir = '';
  let app: TestApp | null = null;
  let currentSettings = '';
  let userCount = 0;

  beforeAll(async () => {
    dataDir = await mkdtemp(path.join(tmpdir(), 'engram-restarting-'));
  });
  beforeEach(() => void (userCount += 1));
  afterAll(async () => {
    await app?.close();
    await rm(dataDir, { recursive: true, force: true });
  });

  const signIn = async (running: TestApp): Promise<RunningApp> => ({
    app: running,
    ann: await running.signIn(`ann${userCount}@example.org`),
  });

  /** Starts or restarts the app. */
  const start = async (env: Settings = {}): Promise<RunningApp> => {
    await app?.close();
    app = null;
    app = await buildTestApp({ dataDir, env });
    currentSettings = JSON.stringify(env);
    return signIn(app);
  };

  return {
    dataDir: () => dataDir,
    start,
    /** The app with these settings. Restarts it if they differ. */
    running: (env: Settings = {}): Promise<RunningApp> =>
      app && currentSettings === JSON.stringify(env) ? signIn(app) : start(env),
  };
}
