import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { MAX_CHARACTERS, readableName } from '../suggestions.service.ts';

describe('readableName', () => {
  test.each([
    ['lease_agreement-2024.txt', 'lease agreement 2024'],
    ['Meeting 2024-05-01.docx', 'Meeting 2024-05-01'],
    ['Müllers Rechnung.pdf', 'Müllers Rechnung'],
    ['議事録.txt', '議事録'],
    ['IMG_2034.jpg', ''],
    ['Scan 001.pdf', ''],
    ['4f3a9c21d0.pdf', ''],
    ['12345.csv', ''],
    ['a\u0000b\u202etxt.exe.pdf', 'a b txt.exe'],
  ])('%s becomes %j', (name, readable) => {
    expect(readableName(name)).toBe(readable);
  });

  test('the result is short and on one line, whatever the name', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (name) => {
        const readable = readableName(name);
        expect([...readable].length).toBeLessThanOrEqual(MAX_CHARACTERS);
        expect(readable).not.toMatch(/[\p{Cc}\p{Cf}\n]/u);
      }),
    );
  });
});
