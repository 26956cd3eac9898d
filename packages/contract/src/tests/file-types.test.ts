import { expect, test } from 'vitest';
import {
  FILE_TYPES,
  fileTypeIcon,
  fileTypes,
  hasForeignEnding,
  listTypes,
  mediaTypeOf,
  mediaTypesText,
  typeOfMedia,
  typeOfName,
} from '../index.ts';

test('each media type and each file extension belongs to one type', () => {
  for (const key of ['mediaTypes', 'endings'] as const) {
    const values = Object.values(FILE_TYPES).flatMap((entry): readonly string[] => entry[key]);
    expect(values).toEqual([...new Set(values)]);
    for (const text of values) expect(text).toBe(text.toLowerCase());
  }
});

test('icons have up to four letters', () => {
  for (const type of fileTypes) expect(fileTypeIcon(type)).toMatch(/^[A-Z\d]{2,4}$/u);
});

test.each([
  ['Lease.PDF', 'pdf'],
  ['a.b.markdown', 'md'],
  ['scan.TIFF ', 'tiff'],
  ['rows.tsv', 'csv'],
  ['constructor', null],
  ['x.constructor', null],
  ['.eml', 'eml'],
  ['page.xml', null],
  ['Makefile.TS', 'code'],
  ['server.log', 'log'],
])('by its name, %s is of the type %s', (name, type) => {
  expect(typeOfName(name)).toBe(type);
});

test('media types are recognized with parameters, and by the names that browsers use', () => {
  expect(typeOfMedia('Text/HTML; charset=utf-8')).toBe('html');
  expect(typeOfMedia('audio/x-wav')).toBe('wav');
  expect(typeOfMedia('image/svg+xml')).toBeNull();
  expect(mediaTypeOf('wav')).toBe('audio/wav');
});

test('only an extension of another type conflicts with the type', () => {
  for (const name of ['notes', 'Meeting 12.3', 'Version 2.0', 'a.txt', '...', 'Call Dr. Weber']) {
    expect(hasForeignEnding(name)).toBe(false);
  }
  for (const name of ['a.svg', 'a.pdf.exe', 'main.asm', 'data.XML']) {
    expect(hasForeignEnding(name)).toBe(true);
  }
});

test('lists have every type once, with its extension if the name does not include it', () => {
  expect(listTypes(['pdf', 'docx', 'doc', 'jpeg', 'txt', 'webp'])).toBe(
    'PDF, Word (docx, doc), JPEG, text (txt), WebP',
  );
  expect(listTypes(['txt', 'code', 'log'])).toBe(
    'text (txt), source code (js and others), logs (log)',
  );
  expect(mediaTypesText).toBe('JPEG, PNG, GIF and MP4');
});
