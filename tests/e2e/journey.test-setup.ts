import type { Browser } from 'playwright-core';
import { afterAll, beforeAll } from 'vitest';
import { type Engram, openBrowser, startEngram } from './engram.ts';

export interface JourneyOptions {
  /** Returns the settings of the server at its start. */
  env?: () => Record<string, string>;
  /** Returns additional arguments of the browser at its start. */
  browserArgs?: () => readonly string[];
}

export interface Journey {
  readonly engram: Engram;
  readonly browser: Browser;
}

/**
 * The real server and a browser for all tests of a suite: started before the first one and closed
 * after the last. Earlier hooks must start what they depend on.
 */
export function useJourney({ env, browserArgs }: JourneyOptions = {}): Journey {
  let engram: Engram | undefined;
  let browser: Browser | undefined;
  beforeAll(async () => {
    engram = await startEngram({ ENGRAM_LLM: 'none', ...env?.() });
    browser = await openBrowser(browserArgs?.());
  });
  afterAll(async () => {
    await browser?.close();
    await engram?.close();
  });
  const started = <T>(value: T | undefined): T => {
    if (value === undefined) throw new Error('It is there from the first hook of the suite on.');
    return value;
  };
  return {
    get engram() {
      return started(engram);
    },
    get browser() {
      return started(browser);
    },
  };
}
