import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { findFullChromium } from '../scripts/chromium.ts';
import { ensureWebBuild } from '../scripts/web-build.ts';
import { startClipper } from '../tests/e2e/clipper.test-setup.ts';
import { createLibraryText } from './library-text.ts';
import { percentile, signIn, startServer, type Table, timeOf } from './setup.ts';

const PAGES = 20;
/** Paragraphs of about a kilobyte, each with a link. */
const PARAGRAPHS = 500;

/** Times the browser extension, from the click on 'Save page' until it shows 'Saved'. */
export async function run(): Promise<Table[]> {
  const chromium = findFullChromium();
  if (!chromium) throw new Error('This bench needs a Chromium that loads extensions.');
  await ensureWebBuild();
  const text = createLibraryText(1);
  const site = createServer((_, response) => {
    const paragraphs = Array.from(
      { length: PARAGRAPHS },
      (_, i) => `<p>${text.file(1)} <a href="/${i}">More</a></p>`,
    );
    response.setHeader('content-type', 'text/html; charset=utf-8');
    response.end(`<title>A long page</title><main>${paragraphs.join('')}</main>`);
  });
  site.listen(0, '127.0.0.1');
  await once(site, 'listening');
  await using engram = await startServer();
  const clipper = await startClipper(chromium);
  try {
    const { token } = await signIn(engram);
    const page = await clipper.context.newPage();
    await clipper.pair(page, engram.url, token);
    const times: number[] = [];
    for (let n = 0; n < PAGES; n += 1) {
      await page.goto(`http://127.0.0.1:${(site.address() as AddressInfo).port}/${n}`);
      const popup = await clipper.openPopup(page);
      await popup.getByText('Not saved yet').waitFor();
      times.push(
        await timeOf(async () => {
          await popup.getByRole('button', { name: 'Save page' }).click();
          await popup.getByText(/^Saved: /u).waitFor();
        }),
      );
      await popup.close();
    }
    const [first = 0, ...others] = times;
    const rows = [
      { click: 'the first page', ms: Math.round(first) },
      { click: 'median of the others', ms: Math.round(percentile(others, 0.5)) },
      { click: 'the slowest of the others', ms: Math.round(Math.max(...others)) },
    ];
    return [{ title: `From the click to 'Saved': ${PAGES} pages of 500 KB`, rows }];
  } finally {
    await clipper.close();
    site.closeAllConnections();
    site.close();
  }
}
