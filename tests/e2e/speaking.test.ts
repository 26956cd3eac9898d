import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { recordTones } from '../../apps/server/src/tests/tones.test-setup.ts';
import {
  startTranscriptionServer,
  type TranscriptionServer,
} from '../../apps/server/src/tests/transcription-server.test-setup.ts';
import { useJourney } from './journey.test-setup.ts';
import { LOOP_SOUNDS, startUser } from './user.test-setup.ts';

// The answer has two sentences, so that the position can be changed.
const QUESTION = 'How much notice does the lease ask for and how much is the deposit?';

/** Runs in the page: whether the canvas of the waveform has content. */
const IS_DRAWN = `(() => {
  const hosts = [...document.querySelectorAll('article *')].filter((each) => each.shadowRoot);
  const canvas = hosts[0]?.shadowRoot.querySelector('canvas');
  const pixels = canvas?.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data;
  return pixels?.some((value) => value > 0) ?? false;
})()`;

/** A browser without speech recognition, whose microphone can be inspected. */
const WITHOUT_RECOGNITION = `
  delete window.SpeechRecognition;
  delete window.webkitSpeechRecognition;
  const open = navigator.mediaDevices.getUserMedia.bind(navigator.mediaDevices);
  navigator.mediaDevices.getUserMedia = async (wanted) => (window.microphone = await open(wanted));
`;

/** The loaded chunks of the app for speech, by their names. */
const fetched = (page: Page, name: RegExp): Promise<string[]> =>
  page
    .evaluate(() => performance.getEntriesByType('resource').map((entry) => entry.name))
    .then((names) => names.filter((each) => name.test(each)));

describe.skipIf(!process.env['CHROMIUM_PATH'])('asking by voice, and hearing the answer', () => {
  let folder: string;
  let recordingFile: string;
  let provider: TranscriptionServer;
  let page: Page;
  const problems: string[] = [];

  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'engram-speaking-'));
    recordingFile = path.join(folder, 'microphone.wav');
    await writeFile(recordingFile, recordTones([{ hertz: 450, seconds: 5 }]));
    provider = await startTranscriptionServer();
  });
  afterAll(async () => {
    await provider?.close();
    await rm(folder, { recursive: true, force: true });
  });
  const journey = useJourney({
    env: () => ({ ENGRAM_TRANSCRIPTION: 'openai:whisper-1', OPENAI_BASE_URL: provider.url }),
    browserArgs: () => [
      '--use-fake-ui-for-media-stream',
      '--use-fake-device-for-media-stream',
      `--use-file-for-fake-audio-capture=${recordingFile}`,
    ],
  });

  beforeAll(async () => {
    const lease = await readFile(path.join(import.meta.dirname, 'files/lease.pdf'));
    const files = [{ name: 'lease.pdf', content: new Blob([new Uint8Array(lease)]) }];
    const ann = await startUser(journey.engram, 'ann@example.org', files);
    page = await ann.openPage(journey.browser, problems, {
      viewport: { width: 1440, height: 900 },
      permissions: ['microphone'],
    });
    await page.context().addInitScript(WITHOUT_RECOGNITION + LOOP_SOUNDS);
  });

  const microphones = () =>
    page.evaluate('window.microphone.getTracks().map(({ readyState }) => readyState)');

  test('the code for audio is not loaded before it is used', async () => {
    await page.goto(`${journey.engram.url}/search`);
    await page.getByRole('button', { name: 'Ask by voice' }).waitFor();
    await page.waitForLoadState('networkidle');
    expect(await fetched(page, /dictation|recording|waveform/u)).toEqual([]);
  });

  test('Escape closes the microphone and sends nothing', async () => {
    await page.getByRole('button', { name: 'Ask by voice' }).click();
    await page.getByText('Listening…').waitFor();
    expect(await microphones()).toEqual(['live']);
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Ask by voice' }).waitFor();
    expect(await microphones()).toEqual(['ended']);
    expect(provider.requests).toEqual([]);
  });

  test('a spoken question is recorded, transcribed and asked', async () => {
    provider.behave({ kind: 'text', text: QUESTION });
    await page.getByRole('button', { name: 'Ask by voice' }).click();
    // From the first second on.
    await page.getByText(/^0:(?!00)\d\d /u).waitFor();
    await page.getByRole('button', { name: 'Stop listening' }).click();
    await page.getByRole('article', { name: 'Answer' }).getByText('three months').first().waitFor();
    await page.getByRole('heading', { name: QUESTION }).waitFor();
    expect(await microphones()).toEqual(['ended']);
    expect(provider.requests).toHaveLength(1);
    expect(provider.requests[0]?.file.type).toBe('audio/wav');
    expect(provider.requests[0]?.tones.map(({ hertz }) => hertz)).toContain(450);
  });

  test('the answer is played, and its waveform is drawn below without a layout shift', async () => {
    await page
      .getByRole('button', { name: /^Open .+, (?:page|line|row) /u })
      .first()
      .waitFor();
    const copy = page.getByRole('button', { name: 'Copy' });
    const play = page.getByRole('button', { name: 'Play answer', exact: true });
    await play.hover();
    const boxBefore = await copy.boundingBox();
    expect(await fetched(page, /waveform/u)).toEqual([]);
    await play.click();
    await page.getByRole('button', { name: 'Pause answer' }).waitFor();
    await expect.poll(() => page.evaluate(IS_DRAWN)).toBe(true);
    expect(await copy.boundingBox()).toEqual(boxBefore);
    const slider = page.getByRole('slider', { name: 'Position in the spoken answer' });
    expect(await slider.boundingBox()).toMatchObject({ width: 222, height: 35 });
    await expect
      .poll(() => slider.getAttribute('aria-valuetext'))
      .toMatch(/^0:0[1-9] of \d:\d\d$/u);
  });

  test('the position can be changed by a click and by keys', async () => {
    await page.getByRole('button', { name: 'Pause answer' }).click();
    const slider = page.getByRole('slider', { name: 'Position in the spoken answer' });
    const duration = Number(await slider.getAttribute('max'));
    await slider.click({ position: { x: 111, y: 17 } });
    await expect.poll(async () => Number(await slider.inputValue()) / duration).toBeCloseTo(0.5, 1);
    await page.keyboard.press('Home');
    await expect.poll(() => slider.inputValue()).toBe('0');
    await page.keyboard.press('ArrowRight');
    await expect.poll(() => slider.getAttribute('aria-valuetext')).toMatch(/^0:05 of/u);
  });

  test('on a small screen the waveform is narrower', async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    const slider = page.getByRole('slider', { name: 'Position in the spoken answer' });
    await expect.poll(async () => (await slider.boundingBox())?.width).toBe(188);
    expect(await page.evaluate('document.documentElement.scrollWidth > innerWidth')).toBe(false);
  });

  test('the browser reported no errors', () => {
    expect(problems).toEqual([]);
  });
});
