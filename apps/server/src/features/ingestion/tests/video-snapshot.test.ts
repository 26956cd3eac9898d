import { extract } from '@engram/extraction';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { playerData, watchPage } from '../../web-pages/tests/youtube.test-setup.ts';
import { readVideo, type SavedVideo, videoSnapshot } from '../video-snapshot.ts';

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);
const tracks = [{ languageCode: 'en', baseUrl: 'https://www.youtube.com/api/timedtext?v=x' }];
const WHOLE = playerData('dQw4w9WgXcQ', { tracks });

/** Replaces one value somewhere in JSON. */
function damaged(value: unknown, path: readonly number[], replacement: unknown): unknown {
  if (path.length === 0 || typeof value !== 'object' || value === null) return replacement;
  const keys = Object.keys(value);
  const key = keys[(path[0] ?? 0) % Math.max(1, keys.length)];
  if (key === undefined) return replacement;
  const inner = damaged((value as Record<string, unknown>)[key], path.slice(1), replacement);
  return Array.isArray(value) ? [inner] : { ...value, [key]: inner };
}

function outcomeOf(page: string): string {
  try {
    return typeof readVideo(bytesOf(page)).title;
  } catch (error) {
    return (error as Error).name;
  }
}

test('data of any shape is read or refused by an ExtractionError', () => {
  const path = fc.array(fc.nat(20), { maxLength: 8 });
  const page = watchPage(WHOLE);
  const pages = fc.oneof(
    fc.tuple(path, fc.jsonValue()).map(([steps, value]) => watchPage(damaged(WHOLE, steps, value))),
    fc.nat(page.length).map((end) => page.slice(0, end)),
    fc.string().map((text) => `ytInitialPlayerResponse = {${text}`),
  );
  fc.assert(
    fc.property(pages, (page) => {
      expect(outcomeOf(page)).toMatch(/^(?:string|ExtractionError)$/u);
    }),
    { numRuns: 300 },
  );
});

const SAVED: SavedVideo = {
  title: 'Quay & "Hull" <b>',
  channel: null,
  description: '<script>steal()</script>',
  published: null,
  language: 'en',
  address: 'https://www.youtube.com/watch?v=dQw4w9WgXcQ',
  captions: 'manual',
};

test('captions of any shape become a page whose sentences are at their offsets', async () => {
  const ms = fc.oneof(fc.nat(400_000_000), fc.double(), fc.constant('soon'));
  const event = fc.record(
    { tStartMs: ms, dDurationMs: ms, segs: fc.array(fc.record({ utf8: fc.string() })) },
    { requiredKeys: [] },
  );
  const captions = fc.oneof(fc.jsonValue(), fc.record({ events: fc.array(event) }));
  await fc.assert(
    fc.asyncProperty(captions, async (value) => {
      const { html } = videoSnapshot(bytesOf(JSON.stringify(value)), SAVED);
      expect(html).not.toContain('<script');
      const read = await extract({ bytes: bytesOf(html), fileName: 'video.html', type: 'html' });
      for (const { start, end } of read.segments) {
        const sentence = read.text.slice(start, end);
        expect(sentence).toBe(sentence.trim());
      }
    }),
  );
});

test('a sentence is cited by its own second, and lines of one sentence are joined', async () => {
  const events = [
    { tStartMs: 61_000, dDurationMs: 9000, segs: [{ utf8: 'The crane' }, { utf8: ' lifts' }] },
    { tStartMs: 64_000, dDurationMs: 9000, segs: [{ utf8: 'the engine.\u200b' }] },
    { tStartMs: 3_700_000, dDurationMs: 2000, segs: [{ utf8: '船が出る。港は静か。' }] },
  ];
  const { html } = videoSnapshot(bytesOf(JSON.stringify({ events })), SAVED);
  expect(html).toContain('&amp;t=61s">1:01</a>');
  expect(html).toContain('&amp;t=3700s">1:01:40</a>');
  const { text, segments } = await extract({
    bytes: bytesOf(html),
    fileName: 'video.html',
    type: 'html',
  });
  const timed = segments.filter(({ location }) => 'startMs' in location);
  expect(timed.map(({ start, end, location }) => [text.slice(start, end), location])).toEqual([
    ['The crane lifts the engine.', { startMs: 61_000, endMs: 73_000 }],
    ['船が出る。', { startMs: 3_700_000, endMs: 3_701_000 }],
    ['港は静か。', { startMs: 3_701_000, endMs: 3_702_000 }],
  ]);
});

test('elements of other pages with the attribute of a transcript keep their text', async () => {
  const page = `<body><p>The quay is open.</p><div data-captions="manual">Dogs stay outside.</div>
    <section data-captions="off"><p>The crane rests on Sunday.</p></section></body>`;
  const { text, notes } = await extract({
    bytes: bytesOf(page),
    fileName: 'page.html',
    type: 'html',
  });
  expect(text).toContain('Dogs stay outside.');
  expect(text).toContain('The crane rests on Sunday.');
  expect(notes).toEqual([]);
});
