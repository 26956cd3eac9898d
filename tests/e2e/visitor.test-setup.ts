import type { Browser, Page } from 'playwright-core';
import { type Engram, openBrowser, startEngram } from './engram.ts';
import { collectProblems } from './user.test-setup.ts';

/** A signed-out visitor with a wide screen and their own server. */
export interface Visit {
  engram: Engram;
  browser: Browser;
  page: Page;
}

/** Starts a server and a browser, and collects the errors of its page. */
export async function startVisit(problems: string[]): Promise<Visit> {
  const engram = await startEngram({ ENGRAM_LLM: 'none' });
  const browser = await openBrowser();
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  const page = await context.newPage();
  // A call with an ended session gets the status 401, which the browser logs.
  collectProblems(page, problems, (message) => !message.text().includes('401'));
  return { engram, browser, page };
}
