import type { Browser, Page } from 'playwright-core';
import { type Engram, openBrowser, startEngram } from './engram.ts';
import { collectProblems } from './person.test-setup.ts';

/** Somebody who is signed out, at a wide screen, on a server of their own. */
export interface Visit {
  engram: Engram;
  browser: Browser;
  page: Page;
}

/** Starts a server and a browser; what goes wrong in its page is collected. */
export async function startVisit(problems: string[]): Promise<Visit> {
  const engram = await startEngram({ ENGRAM_LLM: 'none' });
  const browser = await openBrowser();
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  const page = await context.newPage();
  // A call of an ended session is answered with 401, which the browser logs automatically.
  collectProblems(page, problems, (message) => !message.text().includes('401'));
  return { engram, browser, page };
}
