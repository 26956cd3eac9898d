import path from 'node:path';
import type { Browser, Page } from 'playwright-core';

const MEDIABUNNY = path.resolve(
  import.meta.dirname,
  '../node_modules/mediabunny/dist/bundles/mediabunny.min.cjs',
);
/** About 1 MB for 20 seconds. */
const BITS_PER_SECOND = 400_000;
/** Seconds for which the last frame is shown. */
const LAST_FRAME_SECONDS = 1;

/** Runs in a page: encodes pictures as a WebM with the codecs of the browser. */
const ENCODER = `
  const { BufferTarget, CanvasSource, Output, WebMOutputFormat } = Mediabunny;
  const decode = async (jpeg) =>
    createImageBitmap(await (await fetch('data:image/jpeg;base64,' + jpeg)).blob());
  const canvas = new OffscreenCanvas(1, 1);
  const source = new CanvasSource(canvas, { codec: 'vp9', bitrate: ${BITS_PER_SECOND} });
  const output = new Output({ format: new WebMOutputFormat(), target: new BufferTarget() });
  output.addVideoTrack(source);
  globalThis.encoder = {
    async start(width, height) {
      Object.assign(canvas, { width, height });
      await output.start();
    },
    async add(jpeg, time, duration) {
      canvas.getContext('2d').drawImage(await decode(jpeg), 0, 0, canvas.width, canvas.height);
      await source.add(time, duration);
    },
    async finish() {
      await output.finalize();
      return new Uint8Array(output.target.buffer).toBase64();
    },
  };
`;

interface Frame {
  /** JPEG. */
  data: Buffer;
  /** Milliseconds. */
  timestamp: number;
}

interface Size {
  width: number;
  height: number;
}

async function encode(browser: Browser, frames: readonly Frame[], size: Size): Promise<Buffer> {
  const page = await browser.newPage();
  // Codecs need a secure origin.
  const address = 'http://localhost/encoder';
  await page.route(address, (route) => route.fulfill({ contentType: 'text/html', body: '' }));
  await page.goto(address);
  await page.addScriptTag({ path: MEDIABUNNY });
  await page.addScriptTag({ content: ENCODER });
  await page.evaluate(`encoder.start(${size.width}, ${size.height})`);
  const ordered = frames.toSorted((a, b) => a.timestamp - b.timestamp);
  const start = ordered[0]?.timestamp ?? 0;
  for (const [index, { data, timestamp }] of ordered.entries()) {
    const next = ordered[index + 1]?.timestamp ?? timestamp + 1000 * LAST_FRAME_SECONDS;
    const times = [timestamp - start, next - timestamp].map((ms) => ms / 1000);
    await page.evaluate(`encoder.add('${data.toString('base64')}', ${times.join(', ')})`);
  }
  const clip = await page.evaluate<string>('encoder.finish()');
  await page.close();
  return Buffer.from(clip, 'base64');
}

/** Records a page with a pointer. The returned function stops recording and returns a WebM. */
export async function recordClip(page: Page, size: Size): Promise<() => Promise<Buffer>> {
  const frames: Frame[] = [];
  await page.screencast.showActions({ cursor: 'pointer', style: { title: 'display: none' } });
  await page.screencast.start({ size, quality: 95, onFrame: (frame) => frames.push(frame) });
  return async () => {
    await page.screencast.stop();
    const browser = page.context().browser();
    if (!browser) throw new Error('The browser was closed.');
    return encode(browser, frames, size);
  };
}
