import { availableParallelism } from 'node:os';
import path from 'node:path';
import { defineConfig } from 'vitest/config';

/**
 * Vitest leaves a processor to its own process, which hardly uses one. Much of a suite is waiting for
 * children, browsers and disks: two processors have work for three.
 */
const maxWorkers = Math.max(3, availableParallelism() - 1);

/**
 * Suites that store nothing in modules share one process in sequence: loading the server again for
 * each file took a quarter of the time of all its tests.
 */
const isolate = false;

/** A busy machine must not fail a test that is only slow. */
const SLOW_TEST_MS = 240_000;

/** A condition that is waited for is there at once, or as soon as a busy machine gets to it. */
const patient = { poll: { timeout: 120_000 } };

/** Where compiled modules are kept: each of the many servers that the tests start loads the same. */
const compiled = path.join(import.meta.dirname, 'node_modules/.cache/engram/compiled');

// Times on screen are in the device's zone: tests run in one, set before any worker starts.
process.env['TZ'] = 'UTC';

export default defineConfig({
  test: {
    maxWorkers,
    env: { NODE_COMPILE_CACHE: compiled },
    projects: [
      {
        test: {
          name: 'packages',
          isolate,
          expect: patient,
          include: ['packages/*/src/**/*.test.ts'],
          testTimeout: SLOW_TEST_MS,
          hookTimeout: SLOW_TEST_MS,
        },
      },
      {
        test: {
          name: 'server',
          isolate,
          expect: patient,
          include: ['apps/server/src/**/*.test.ts', 'scripts/**/*.test.ts'],
          testTimeout: SLOW_TEST_MS,
          hookTimeout: SLOW_TEST_MS,
        },
      },
      {
        test: {
          name: 'connector',
          isolate,
          expect: patient,
          include: ['apps/connector/src/**/*.test.ts'],
          testTimeout: SLOW_TEST_MS,
          hookTimeout: SLOW_TEST_MS,
        },
      },
      {
        test: {
          name: 'quality',
          include: ['tests/quality/**/*.test.ts'],
          testTimeout: 900_000,
          hookTimeout: 900_000,
        },
      },
      {
        test: {
          name: 'e2e',
          expect: patient,
          include: ['tests/e2e/**/*.test.ts'],
          testTimeout: SLOW_TEST_MS,
          hookTimeout: SLOW_TEST_MS,
        },
      },
      {
        extends: './apps/web/vite.config.ts',
        test: {
          name: 'web',
          root: './apps/web',
          include: ['src/**/*.test.{ts,tsx}'],
          environment: 'jsdom',
          testTimeout: SLOW_TEST_MS,
          hookTimeout: SLOW_TEST_MS,
          // Not inherited where a project extends another file. A project with one worker would run
          // after all others, one file at a time.
          maxWorkers,
          // No native code here: threads start sooner than processes.
          pool: 'threads',
          setupFiles: ['./src/tests/browser.test-setup.ts'],
        },
      },
    ],
  },
});
