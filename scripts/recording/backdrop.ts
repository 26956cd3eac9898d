import path from 'node:path';
import type { Browser } from 'playwright-core';
import { constellation } from './constellation.ts';
import type { Encoder } from './encoder.ts';

const PAGE_SCRIPT = path.join(import.meta.dirname, 'page/backdrop.js');
/** How long the clip lasts before it begins again, in milliseconds. */
const DURATION = 10_000;
/** Slow enough that twenty pictures a second are smooth. */
const FRAME_MS = 50;

/** Draws the questionnaire's background picture by picture; answers how long it lasts and its first. */
export async function drawBackdrop(
  browser: Browser,
  encoder: Encoder,
  size: { width: number; height: number },
): Promise<{ duration: number; picture: string }> {
  const page = await browser.newPage();
  await page.addScriptTag({ path: PAGE_SCRIPT });
  await page.evaluate(
    `backdrop.start(${JSON.stringify(size)}, ${JSON.stringify(constellation(size))})`,
  );
  const draw = (part: number): Promise<string> => page.evaluate(`backdrop.draw(${part})`);
  for (let time = 0; time < DURATION; time += FRAME_MS) {
    await encoder.add(await draw(time / DURATION), time, time === 0);
  }
  const picture = await draw(0);
  await page.close();
  return { duration: DURATION, picture };
}
