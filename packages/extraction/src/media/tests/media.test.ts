import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { extract } from '../../extract.ts';
import type { FileType, Supplements } from '../../types.ts';

async function read(path: string, transcripts?: Supplements['transcripts']) {
  const bytes = readFileSync(join(import.meta.dirname, '..', '..', '..', 'fixtures', path));
  const type = path.split('.').at(-1) as FileType;
  const supplements = transcripts === undefined ? {} : { transcripts };
  const read = await extract({ bytes, fileName: path, type, supplements });
  const { text, segments } = read;
  const sections = segments.map(({ start, end, location, headings }) => {
    return { text: text.slice(start, end), location, headings };
  });
  return { ...read, sections };
}

const BELL = '120-wav-tone/bell.wav';
const COAST = '122-mp3-tags-and-chapters/coast.mp3';

test('each sentence of a transcript has its own times, and tags precede the transcript', async () => {
  const parts = [
    { startMs: 100, endMs: 400, text: ' The bell rings. ' },
    { startMs: 400, endMs: 900, text: 'A ship comes in.' },
  ];
  const { sections, text, requests, notes } = await read(BELL, [{ parts }]);
  expect(text).toMatch(/The bell rings. A ship comes in.$/u);
  expect(sections.slice(-2)).toEqual([
    { text: 'The bell rings.', location: { startMs: 100, endMs: 400 }, headings: [] },
    { text: 'A ship comes in.', location: { startMs: 400, endMs: 900 }, headings: [] },
  ]);
  expect(requests).toEqual([]);
  expect(notes).toEqual([]);
});

test('chapter titles are headings of their part of the transcript', async () => {
  const parts = [
    { startMs: 0, endMs: 500, text: 'Mud as far as one can see.' },
    { startMs: 700, endMs: 1100, text: 'Waves at the wall.' },
  ];
  const { sections } = await read(COAST, [{ parts }]);
  expect(sections.slice(-4).map(({ text, headings }) => [text, headings])).toEqual([
    ['Low tide', []],
    ['Mud as far as one can see.', ['Low tide']],
    ['High tide', []],
    ['Waves at the wall.', ['High tide']],
  ]);
});

test('phrases that models invent for silence are removed', async () => {
  for (const text of ['Thank you.', '[BLANK_AUDIO]', 'Thanks for watching!']) {
    const { text: transcript, requests } = await read('121-wav-silent/silence.wav', [
      { parts: [{ startMs: 0, endMs: 500, text }] },
    ]);
    expect(transcript).toBe('');
    expect(requests).toEqual([]);
  }
});

test('a missing transcript is noted, and tags are extracted', async () => {
  const missing = 'No speech is transcribed.';
  const { notes, requests, text } = await read(BELL, [{ missing }]);
  expect(notes).toEqual([missing]);
  expect(requests).toEqual([]);
  expect(text).toContain('Harbour bell');
});

test('a transcript of another member is ignored', async () => {
  const parts = [{ startMs: 0, endMs: 500, text: 'From elsewhere.' }];
  const { text, requests } = await read(BELL, [{ path: 'talk.wav', parts }]);
  expect(text).not.toContain('elsewhere');
  expect(requests).toEqual([{ kind: 'transcript' }]);
});
