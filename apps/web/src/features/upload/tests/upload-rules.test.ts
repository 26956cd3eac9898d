import { countWords } from '@engram/contract';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BATCH_BYTES, BATCH_FILES, nextBatch, shareProgress } from '../upload-batch.ts';
import { newItem, type UploadItem } from '../upload-item.ts';
import { refusalOf } from '../file-rules.ts';
import { limitWords } from '../components/upload-panel.tsx';

const limits = { mediaLimitMb: 2, uploadLimitMb: 512 };
const MB = 1_048_576;

/** A file with a given size, whose bytes do not matter. */
const fileOf = (name: string, type: string, size: number): File =>
  Object.defineProperty(new File([], name, { type }), 'size', { value: size });

describe('refusalOf', () => {
  it.each([
    ['lease.pdf', 'application/pdf', MB],
    ['LEASE.PDF', '', MB],
    ['notes', 'text/plain', 5],
    ['rows.csv', 'application/vnd.ms-excel', 5],
    ['voice.wav', 'audio/x-wav', 5],
    ['film.mkv', '', 400 * MB],
    ['old.ppt', 'application/vnd.ms-powerpoint', MB],
    ['photo.jpg', 'image/jpeg', 2 * MB],
    ['shrinkable.png', 'image/png', 9 * MB],
    ['scan.bmp', 'image/bmp', 3 * MB],
    ['scan.TIF', '', 30 * MB],
    ['photo.webp', 'image/webp', 3 * MB],
    ['mail', 'message/rfc822', 5],
    ['build.log', 'text/plain', 5],
    ['message.msg', 'application/vnd.ms-outlook', 5],
    ['main.ts', 'video/mp2t', 5],
    ['memo.m4a', 'audio/x-m4a', 9 * MB],
    ['call.webm', 'video/webm', 9 * MB],
    ['Offer.eml', '', 5],
    ['Trip.ics', 'application/octet-stream', 5],
    ['song.mp3', 'audio/mpeg', 9 * MB],
  ])('accepts %s (%s)', (name, type, size) => {
    expect(refusalOf(fileOf(name, type, size), limits)).toBeNull();
  });

  it.each([
    ['setup.exe', 'application/x-msdownload', 5, 'File type not supported: setup.exe'],
    ['logo.svg', 'image/svg+xml', 5, 'File type not supported: logo.svg'],
    ['data.xml', 'text/plain', 5, 'File type not supported: data.xml'],
    ['letter.wpd', 'application/vnd.wordperfect', 5, 'File type not supported: letter.wpd'],
    ['dance.gif', 'image/gif', 2 * MB + 1, 'File too large: dance.gif exceeds 2MB.'],
    ['clip.mp4', 'video/mp4', 3 * MB, 'File too large: clip.mp4 exceeds 2MB.'],
    ['film.mkv', '', 513 * MB, 'File too large: film.mkv exceeds 512MB.'],
    ['empty.txt', 'text/plain', 0, 'empty.txt is empty.'],
  ])('refuses %s with a message', (name, type, size, message) => {
    expect(refusalOf(fileOf(name, type, size), limits)?.message).toBe(message);
  });

  it('names the server’s own limit', () => {
    const refusal = refusalOf(fileOf('a.gif', 'image/gif', 6 * MB), { ...limits, mediaLimitMb: 5 });
    expect(refusal?.message).toBe('File too large: a.gif exceeds 5MB.');
  });
});

describe('limitWords', () => {
  it('refuses a word beyond the limit at any position', () => {
    expect(limitWords('one two three', 'one two three f', 3)).toBe('one two three');
    expect(limitWords('one two three', 'one x two three', 3)).not.toContain('x');
  });

  it('cuts pasted text', () => {
    expect(limitWords('', 'a b c d e', 3)).toBe('a b c');
    expect(limitWords('start  end', 'start a b c d end', 4)).toBe('start a b end');
  });

  it('always allows deleting', () => {
    expect(limitWords('a b c d e', 'a b c d', 3)).toBe('a b c');
    expect(limitWords('a b c', 'a b', 3)).toBe('a b');
  });

  const text = fc.string({ unit: fc.constantFrom('a', 'b', ' ', '\n', '語') });
  it('never exceeds the limit, and never changes text within it', () => {
    fc.assert(
      fc.property(text, text, fc.integer({ min: 1, max: 6 }), (before, after, limit) => {
        const limited = limitWords(limitWords('', before, limit), after, limit);
        expect(countWords(limited)).toBeLessThanOrEqual(limit);
        expect(limited === after || countWords(after) > limit).toBe(true);
      }),
    );
  });
});

/** The calls that send files of these names and sizes. */
function batchesOf(files: readonly { name: string; size: number }[]): UploadItem[][] {
  let waiting = files.map((file) => newItem(new File([], file.name), file));
  const batches: UploadItem[][] = [];
  while (waiting.length > 0) {
    const batch = nextBatch(waiting);
    batches.push(batch);
    waiting = waiting.filter((item) => !batch.includes(item));
  }
  return batches;
}

describe('nextBatch', () => {
  const item = fc.record({
    name: fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f'),
    size: fc.integer({ min: 0, max: 2 * BATCH_BYTES }),
  });
  const small = fc.record({ name: fc.uuid(), size: fc.integer({ min: 0, max: 1000 }) });

  it('keeps every file in order, within the limits of a call', () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(item, small), { maxLength: 90 }), (items) => {
        const batches = batchesOf(items);
        expect(batches.flat().map(({ name, size }) => ({ name, size }))).toEqual(items);
        for (const batch of batches) {
          expect(batch.length).toBeGreaterThan(0);
          expect(batch.length).toBeLessThanOrEqual(BATCH_FILES);
          expect(new Set(batch.map(({ name }) => name)).size).toBe(batch.length);
          const bytes = batch.reduce((sum, { size }) => sum + size, 0);
          expect(batch.length === 1 || bytes <= BATCH_BYTES).toBe(true);
        }
      }),
    );
  });

  it('sends 500 notes in 25 calls', () => {
    const notes = Array.from({ length: 500 }, (_, n) => ({ name: `${n}.txt`, size: 900 }));
    expect(batchesOf(notes)).toHaveLength(25);
  });
});

describe('shareProgress', () => {
  it('attributes progress to one file after the other', () => {
    const items = [
      { name: 'a', size: 100 },
      { name: 'b', size: 300 },
    ];
    expect(shareProgress(items, 0.125)).toEqual([0.5, 0]);
    expect(shareProgress(items, 0.625)).toEqual([1, 0.5]);
    expect(shareProgress(items, 1)).toEqual([1, 1]);
  });
});
