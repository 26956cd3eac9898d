import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { execFile } from 'node:child_process';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { buildClientPackage } from '../../scripts/client-package.ts';
import { signIn } from './engram.ts';
import { useJourney } from './journey.test-setup.ts';

/** The code that runs in the page with the library. */
const PROGRAM = `
const { Engram, ArgumentError } = await import('/engram-kb.js');
const engram = new Engram({ baseUrl: location.origin, token });
const note = new File(['The boathouse is painted green.'], 'boathouse.txt');
const file = await engram.files.upload(note, { keywords: ['Boats'], wait: true });
const stream = engram.askStream('What colour is the boathouse painted?');
const events = [];
for await (const event of stream) events.push(event.type);
const refusals = [];
for (const wrong of [
  () => engram.files.upload('boathouse.txt'),
  () => engram.files.download(file),
  () => engram.files.upload(note.stream(), { name: 'stream.txt' }),
]) {
  await wrong().catch((error) => refusals.push(error instanceof ArgumentError));
}
return {
  status: file.status,
  keywords: file.keywords,
  text: (await stream.answer).text,
  events: [events[0], events.at(-1)],
  bytes: await (await fetch((await engram.files.link(file)).url)).text(),
  refusals,
};
`;

describe.skipIf(!process.env['CHROMIUM_PATH'])('the library in a browser', () => {
  const journey = useJourney();
  let folder: string;
  let code: string;

  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'engram-browser-'));
    const built = await buildClientPackage(folder);
    await promisify(execFile)('tar', ['-xzf', built, '-C', folder]);
    code = await readFile(path.join(folder, 'package/index.js'), 'utf8');
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  test('uploads, asks and streams, and reports calls that need Node', async () => {
    const token = await signIn(journey.engram, 'ann@example.org');
    const page = await journey.browser.newPage();
    const problems: string[] = [];
    page.on('pageerror', (error) => problems.push(error.message));
    await page.route('**/engram-kb.js', (route) =>
      route.fulfill({ contentType: 'text/javascript', body: code }),
    );
    await page.goto(`${journey.engram.url}/v1/health`);
    const done = await page.evaluate(
      `(async () => { const token = ${JSON.stringify(token)}; ${PROGRAM} })()`,
    );
    expect(done).toEqual({
      status: 'SUCCESS',
      keywords: ['Boats'],
      text: expect.stringContaining('The boathouse is painted green.') as unknown,
      events: ['sources', 'done'],
      bytes: 'The boathouse is painted green.',
      refusals: [true, true, true],
    });
    expect(problems).toEqual([]);
    await page.close();
  });
});
