import fc from 'fast-check';
import { expect, test } from 'vitest';
import { cleanFileName, nameOfText } from '../file-name.ts';

test.each([
  ['../../etc/passwd', 'passwd'],
  [String.raw`..\..\boot.ini`, 'boot.ini'],
  ['/absolute/report.pdf', 'report.pdf'],
  ['..', 'file'],
  ['', 'file'],
  [undefined, 'file'],
  ['a\0b\nc.txt', 'abc.txt'],
  ['photo\u202Egpj.exe', 'photogpj.exe'],
  ['Straße 東京.pdf', 'Straße 東京.pdf'],
])('%j is stored as %j', (input, expected) => {
  expect(cleanFileName(input)).toBe(expected);
});

test('a very long name keeps its extension', () => {
  const name = cleanFileName(`${'a'.repeat(400)}.pdf`);
  expect(name).toHaveLength(255);
  expect(name.endsWith('.pdf')).toBe(true);
});

test('no name is empty, too long, or has a path or control character', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (input) => {
      const name = cleanFileName(input);
      expect(name).not.toBe('');
      expect(name.length).toBeLessThanOrEqual(255);
      expect(name).not.toMatch(/[/\\\p{Cc}]/u);
      expect(name).not.toMatch(/^\.+$/u);
    }),
  );
});

test('typed text is named from its first words', () => {
  expect(nameOfText('  The boiler was serviced in May 2026. Next year again.')).toBe(
    'The boiler was serviced in May 2026 Next.txt',
  );
  expect(nameOfText('../..')).toBe('Note.txt');
});
