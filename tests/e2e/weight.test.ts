import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { paths } from '../../apps/web/src/app/paths.ts';
import { type Scene, scenes, type Stage, startStage } from './scenes.test-setup.ts';

/** Kilobytes of scripts, as they travel, that a page may load before anybody does anything. */
const MOST_SCRIPT_KB = 200;
/** Pages that bring a table, an endless list or the upload panel with them. */
const MOST_LIST_KB = 230;
const lists = new Set<string>([paths.history, paths.files, paths.keywords, paths.share]);

const loaded = scenes.filter(({ open }) => !open);

describe.skipIf(!process.env['CHROMIUM_PATH'])('the first load', () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await startStage();
  });
  afterAll(() => stage?.close());

  /** What a page asked for until it was idle, and what its browser complained about. */
  async function load(scene: Scene) {
    const page = await stage.newPage(scene.as, {
      viewport: { width: 1440, height: 900 },
      serviceWorkers: 'allow',
    });
    const scripts: Promise<{ url: string; bytes: number; encoding: string | null }>[] = [];
    const problems: string[] = [];
    page.on('pageerror', (error) => problems.push(error.message));
    page.on('console', (message) => {
      if (['error', 'warning'].includes(message.type())) problems.push(message.text());
    });
    page.on('requestfinished', (request) => {
      if (request.resourceType() !== 'script') return;
      const measure = async () => ({
        url: request.url(),
        bytes: (await request.sizes()).responseBodySize,
        encoding: (await (await request.response())?.headerValue('content-encoding')) ?? null,
      });
      scripts.push(measure());
    });
    await page.goto(stage.urlOf(scene), { waitUntil: 'networkidle' });
    const found = await Promise.all(scripts);
    await page.context().close();
    return { scripts: found, problems };
  }

  test.each(loaded)('$name ($as) is light, travels compressed, and is no error', async (scene) => {
    const { scripts, problems } = await load(scene);
    const kilobytes = scripts.reduce((sum, { bytes }) => sum + bytes, 0) / 1000;
    expect(scripts.length).toBeGreaterThan(3);
    expect(kilobytes).toBeLessThan(lists.has(scene.address) ? MOST_LIST_KB : MOST_SCRIPT_KB);
    const large = scripts.filter(({ bytes }) => bytes > 1500);
    expect(large.filter(({ encoding }) => encoding === null)).toEqual([]);
    expect(problems).toEqual([]);
  });
});
