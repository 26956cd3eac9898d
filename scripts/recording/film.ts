import path from 'node:path';
import type { CDPSession, Locator, Page } from 'playwright-core';
import type { Encoder } from './encoder.ts';

export const FRAMES_PER_SECOND = 25;
const FRAME_MS = 1000 / FRAMES_PER_SECOND;
/** A player can jump to these, and only to these. */
const KEY_FRAME_EVERY_MS = 5000;
/** A picture that stays is repeated, so that a player that jumps into it finds it. */
const LONGEST_GAP_MS = 400;
/** How long something may be waited for, in milliseconds. */
const PATIENCE_MS = 60_000;

/** What a page that is to be filmed has to run before its own scripts. */
export const STAGE_SCRIPT = path.join(import.meta.dirname, 'page/stage.js');

const seconds = (count: number): number => Math.max(1, Math.round(count * FRAMES_PER_SECOND));

export interface Film {
  /** Lets time go by. */
  hold: (duration: number) => Promise<void>;
  /** Goes on when something is there; the wait itself is not filmed. */
  until: (there: () => Promise<boolean>) => Promise<void>;
  /** Moves the pointer to a place in the target's width, 0 being its left edge and 1 its right. */
  moveTo: (target: Locator, place?: number) => Promise<void>;
  click: (target: Locator, place?: number) => Promise<void>;
  type: (text: string) => Promise<void>;
  press: (key: string) => Promise<void>;
  /** The last picture, as a PNG in base64. */
  picture: () => string;
  /** Milliseconds filmed so far. */
  duration: () => number;
}

interface FilmOptions {
  page: Page;
  encoder: Encoder;
  /** Pixels of a picture for one of the page. */
  scale: number;
  /** Whether a finger is shown in place of an arrow. */
  touch: boolean;
}

/**
 * Films a page picture by picture. The page's clock stands still between two pictures, so that
 * everything moves smoothly however long a picture takes.
 */
export async function startFilm({ page, encoder, scale, touch }: FilmOptions): Promise<Film> {
  const cdp: CDPSession = await page.context().newCDPSession(page);
  await page.evaluate(`stage.drawPointer(${touch})`);
  const { width, height } = page.viewportSize() ?? { width: 0, height: 0 };
  // The session that takes the pictures knows nothing of the page's density otherwise.
  await cdp.send('Emulation.setDeviceMetricsOverride', {
    width,
    height,
    deviceScaleFactor: scale,
    mobile: false,
  });
  const at = { x: width * 0.62, y: height * 0.86 };
  let time = 0;
  let lastKey = -Infinity;
  let lastAdded = -Infinity;
  let last = '';

  const tick = async (): Promise<void> => {
    await page.clock.runFor(FRAME_MS);
    await page.evaluate(`stage.step(${FRAME_MS})`);
  };

  const shoot = async (): Promise<void> => {
    await tick();
    const { data } = await cdp.send('Page.captureScreenshot', {
      format: 'png',
      optimizeForSpeed: true,
    });
    if (data !== last || time - lastAdded >= LONGEST_GAP_MS) {
      const key = time - lastKey >= KEY_FRAME_EVERY_MS;
      if (key) lastKey = time;
      await encoder.add(data, time, key);
      last = data;
      lastAdded = time;
    }
    time += FRAME_MS;
  };

  const draw = (size: number): Promise<void> =>
    page.evaluate(`stage.placePointer(${at.x}, ${at.y}, ${size})`);

  const hold = async (duration: number): Promise<void> => {
    for (let frame = seconds(duration); frame > 0; frame -= 1) await shoot();
  };

  const moveTo = async (target: Locator, place = 0.5): Promise<void> => {
    const box = await target.boundingBox();
    if (!box) throw new Error('What the pointer should go to is not on the page.');
    const from = { ...at };
    const to = { x: box.x + box.width * place, y: box.y + box.height * 0.55 };
    const distance = Math.hypot(to.x - from.x, to.y - from.y);
    const frames = seconds(0.28 + Math.min(distance / 1600, 0.5));
    for (let frame = 1; frame <= frames; frame += 1) {
      const eased = (1 - Math.cos((Math.PI * frame) / frames)) / 2;
      at.x = from.x + (to.x - from.x) * eased;
      at.y = from.y + (to.y - from.y) * eased;
      await page.mouse.move(at.x, at.y);
      await draw(1);
      await shoot();
    }
  };

  await draw(1);
  return {
    hold,
    moveTo,
    until: async (there) => {
      const end = Date.now() + PATIENCE_MS;
      while (!(await there())) {
        if (Date.now() > end) throw new Error('The film waited for something that did not come.');
        await tick();
      }
    },
    click: async (target, place) => {
      await moveTo(target, place);
      await hold(0.12);
      await draw(0.82);
      await page.mouse.down();
      await hold(0.08);
      await draw(1);
      await page.mouse.up();
      await hold(0.08);
    },
    type: async (text) => {
      for (const [index, letter] of [...text].entries()) {
        await page.keyboard.type(letter);
        // Nobody types evenly.
        await hold(index % 3 === 1 || letter === ' ' ? 0.08 : 0.04);
      }
    },
    press: async (key) => {
      await page.keyboard.press(key);
      await hold(0.04);
    },
    picture: () => last,
    duration: () => time,
  };
}
