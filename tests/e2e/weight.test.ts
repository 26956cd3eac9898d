import { gzipSync } from 'node:zlib';
import type { Request } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { paths } from '../../apps/web/src/app/paths.ts';
import { type Scene, scenes } from './scenes.test-setup.ts';
import { type Stage, startStage } from './stage.test-setup.ts';

/** The maximum compressed kilobytes of scripts that a page loads without user input. */
const MAX_SCRIPT_KB = 200;
/** Pages with forms and tables. The fields alone are 25 kB. */
const MAX_FORM_KB = 214;
const forms: readonly string[] = [paths.profile, paths.api];
/** Pages with a table, a virtual list or the upload panel. */
const MAX_LIST_KB = 242;
const lists = new Set<string>([paths.history, paths.files, paths.keywords, paths.share]);
/** The documentation page includes its text. */
const MAX_DOCUMENTATION_KB = 206;
/** The page that opens a file immediately includes the viewer and its renderer. */
const MAX_VIEWER_KB = 362;

function maxKilobytes({ address }: Scene): number {
  if (address === paths.source) return MAX_VIEWER_KB;
  if (address === paths.documentation) return MAX_DOCUMENTATION_KB;
  if (forms.some((form) => address.startsWith(form))) return MAX_FORM_KB;
  return lists.has(address) ? MAX_LIST_KB : MAX_SCRIPT_KB;
}

/** A loaded script with its transferred size. `encoding` is null if it was not compressed. */
const measure = async (script: Request) => ({
  url: script.url(),
  bytes: (await script.sizes()).responseBodySize,
  encoding: (await (await script.response())?.headerValue('content-encoding')) ?? null,
});

const loaded = scenes.filter(({ open }) => !open);

describe.skipIf(!process.env['CHROMIUM_PATH'])('the first load', () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await startStage();
  });
  afterAll(() => stage?.close());

  /** The requests of a page until it was idle, and the errors of its browser. */
  async function load(scene: Scene) {
    const page = await stage.newPage(scene.as, {
      viewport: { width: 1440, height: 900 },
      serviceWorkers: 'allow',
    });
    const scripts: Request[] = [];
    const problems: string[] = [];
    const otherUrls: string[] = [];
    page.on('request', (request) => {
      const url = request.url();
      if (!/^(?:blob|data):/u.test(url) && !url.startsWith(`${stage.engram.url}/`))
        otherUrls.push(url);
    });
    page.on('pageerror', (error) => problems.push(error.message));
    page.on('console', (message) => {
      if (['error', 'warning'].includes(message.type())) problems.push(message.text());
    });
    page.on('requestfinished', (request) => {
      // The worker is loaded later, and counts with everything that is.
      const isWorker = request.url().endsWith('/service-worker.js');
      if (request.resourceType() === 'script' && !isWorker) scripts.push(request);
    });
    await page.goto(stage.urlOf(scene), { waitUntil: 'networkidle' });
    // A page is idle shortly before it loads the renderer for PDFs.
    if (scene.address === paths.source) await page.locator('canvas').first().waitFor();
    const measured = await Promise.all(scripts.map(measure));
    await page.context().close();
    return { scripts: measured, problems, otherUrls };
  }

  /** The gzipped kilobytes of each requested script, including the service worker. */
  async function everyScript(scene: Scene): Promise<[file: string, kilobytes: number][]> {
    const page = await stage.newPage(scene.as, { serviceWorkers: 'allow' });
    const requests: string[] = [];
    page.context().on('request', (request) => requests.push(request.url()));
    await page.goto(stage.urlOf(scene), { waitUntil: 'networkidle' });
    // The worker caches nothing more on the first visit.
    await page.evaluate('navigator.serviceWorker.ready.then(() => true)');
    await page.context().close();
    const worker = `${stage.engram.url}/service-worker.js`;
    const scripts = new Set([...requests, worker].filter((url) => url.endsWith('.js')));
    const measured = Array.from(scripts, async (url): Promise<[string, number]> => {
      const script = await (await fetch(url)).arrayBuffer();
      return [new URL(url).pathname, gzipSync(script).length / 1000];
    });
    return Promise.all(measured);
  }

  const allScenes: Scene[] = [
    { name: paths.search, address: paths.search, as: 'user' },
    { name: paths.home, address: paths.home, as: 'visitor' },
    { name: paths.login, address: paths.login, as: 'visitor' },
  ];
  test.each(allScenes)(
    '$name stays within its budget, including everything that is loaded later without an action',
    async (scene) => {
      const scripts = await everyScript(scene);
      expect(scripts.length).toBeGreaterThan(10);
      expect(scripts.reduce((sum, [, kilobytes]) => sum + kilobytes, 0)).toBeLessThan(
        MAX_SCRIPT_KB,
      );
      const files = scripts.map(([file]) => file).join(' ');
      expect(files).not.toMatch(/modal|floating-ui|upload-panel|toasts|share-page/iu);
    },
  );

  // Each page has its own context, and most of the time is waiting.
  test.concurrent.each(loaded)(
    '$name ($as) stays within its budget, is compressed, uses no other server, and logs no error',
    async (scene) => {
      const { scripts, problems, otherUrls } = await load(scene);
      const kilobytes = scripts.reduce((sum, { bytes }) => sum + bytes, 0) / 1000;
      expect(scripts.length).toBeGreaterThan(1);
      expect(kilobytes).toBeLessThan(maxKilobytes(scene));
      const large = scripts.filter(({ bytes }) => bytes > 1500);
      expect(large.filter(({ encoding }) => encoding === null)).toEqual([]);
      expect(scripts.filter(({ url }) => /stripe/iu.test(url))).toEqual([]);
      expect(otherUrls).toEqual([]);
      expect(problems).toEqual([]);
    },
  );
});
