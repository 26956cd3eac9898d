import path from 'node:path';
import type { Browser, Page } from 'playwright-core';
import type { EncodedFrame } from './webm.ts';

const PAGE_SCRIPT = path.join(import.meta.dirname, 'page/encoder.js');

interface EncoderOptions {
  width: number;
  height: number;
  /** From 0 (as it was) to 63 (hardly to be recognised). */
  quantizer: number;
}

export interface Encoder {
  /** Takes a PNG in base64 that is shown from a time on, in milliseconds. */
  add: (png: string, time: number, key: boolean) => Promise<void>;
  /** All frames, once they are encoded. */
  finish: () => Promise<EncodedFrame[]>;
  /** A PNG in base64 as WebP; quality from 0 to 1. */
  toWebp: (png: string, quality: number) => Promise<Buffer>;
  close: () => Promise<void>;
}

async function openEncoderPage(browser: Browser): Promise<Page> {
  const page = await browser.newPage();
  // A browser lends its encoder to pages of a secure origin alone.
  const address = 'http://localhost/encoder';
  await page.route(address, (route) => route.fulfill({ contentType: 'text/html', body: '' }));
  await page.goto(address);
  await page.addScriptTag({ path: PAGE_SCRIPT });
  return page;
}

/** Encodes pictures as VP9 in a page of a browser. */
export async function createEncoder(browser: Browser, options: EncoderOptions): Promise<Encoder> {
  const page = await openEncoderPage(browser);
  const run = <T>(method: string, ...args: unknown[]): Promise<T> =>
    page.evaluate(`pictures.${method}(${args.map((arg) => JSON.stringify(arg)).join(', ')})`);
  await run('start', options);
  return {
    add: (png, time, key) => run('add', png, { time, key, quantizer: options.quantizer }),
    finish: async () => {
      const frames = await run<(Omit<EncodedFrame, 'data'> & { data: string })[]>('finish');
      return frames.map((frame) => ({ ...frame, data: Buffer.from(frame.data, 'base64') }));
    },
    toWebp: async (png, quality) =>
      Buffer.from(await run<string>('toWebp', png, quality), 'base64'),
    close: () => page.close(),
  };
}
