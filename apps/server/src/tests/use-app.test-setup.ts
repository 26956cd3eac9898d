import { afterAll, beforeAll } from 'vitest';
import { buildTestApp, type TestApp, type TestAppOptions } from './app.test-setup.ts';

/**
 * The app for all tests of a suite: started before the first one and closed after the last. The
 * returned proxy can be passed on before the app is started.
 */
export function useTestApp(options: TestAppOptions = {}): TestApp {
  let built: TestApp | undefined;
  beforeAll(async () => {
    built = await buildTestApp(options);
  });
  afterAll(() => built?.close());
  return new Proxy({} as TestApp, {
    get(_, name) {
      if (!built) throw new Error('The app exists from the first hook of the suite on.');
      return Reflect.get(built, name);
    },
  });
}
