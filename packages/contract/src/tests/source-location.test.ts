import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type LocatedDocument, locationAt } from '../source-location.ts';

const line = fc.string({ unit: fc.constantFrom('a', 'é', '😀', ' '), maxLength: 12 });

test('the line of a quote is the line on which it begins, with any segments', () => {
  fc.assert(
    fc.property(fc.array(line, { minLength: 1, maxLength: 12 }), fc.nat(), (lines, seed) => {
      const text = lines.join('\n');
      const lineOf = (offset: number): number => text.slice(0, offset).split('\n').length;
      // Segments of a few lines each.
      const size = 1 + (seed % 4);
      const segments: LocatedDocument['segments'] = lines.flatMap((_, i) => {
        if (i % size !== 0) return [];
        const start = lines.slice(0, i).join('\n').length + (i > 0 ? 1 : 0);
        const end = lines.slice(0, i + size).join('\n').length;
        return [{ start, end, location: { path: 'a.txt', line: lineOf(start) } }];
      });
      const start = seed % (text.length + 1);
      const expected = { path: 'a.txt', line: lineOf(start) };
      expect(locationAt({ text, segments }, { start, end: start + 1 })).toEqual(expected);
      const first = segments.findLast((segment) => segment.start <= start)?.start ?? 0;
      const part = { text: text.slice(first), textStart: first, segments };
      expect(locationAt(part, { start, end: start + 1 })).toEqual(expected);
    }),
  );
});

test('a quote of several spoken sentences ends with the last one', () => {
  const segments = [0, 1, 2].map((i) => ({
    start: i * 10,
    end: i * 10 + 9,
    location: { startMs: i * 1000, endMs: i * 1000 + 900 },
  }));
  const text = 'Nine one. Nine two. Nine six. ';
  expect(locationAt({ text, segments }, { start: 10, end: 29 })).toEqual({
    startMs: 1000,
    endMs: 2900,
  });
});

test('a text without segments has the location of the first line', () => {
  expect(locationAt({ text: 'a', segments: [] }, { start: 0, end: 1 })).toEqual({ line: 1 });
});
