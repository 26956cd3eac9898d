import { expect, test } from 'vitest';
import { describeLocation } from '../location.ts';

test.each([
  ['a.pdf', { page: 7 }, 'Page 7', 'page 7'],
  ['a.pptx', { slide: 3 }, 'Slide 3', 'slide 3'],
  ['a.xlsx', { sheet: 'Rent', row: 18 }, 'Rent, row 18', 'Rent, row 18'],
  ['Rent 2026.csv', { sheet: 'Rent 2026', row: 18 }, 'Row 18', 'row 18'],
  [
    'a.zip',
    { path: 'x/rent.csv', sheet: 'rent', row: 2 },
    'x/rent.csv · row 2',
    'x/rent.csv, row 2',
  ],
  ['a.txt', { line: 12 }, 'Line 12', 'line 12'],
  ['a.py', { line: 12 }, 'Line 12', 'line 12'],
  ['a.docx', { line: 12 }, '', ''],
  ['a.zip', { path: 'docs/a.html', line: 2 }, 'docs/a.html', 'docs/a.html'],
  ['a.PNG', { line: 12 }, 'Picture', 'picture'],
  ['a.mp3', { startMs: 83_400, endMs: 85_000 }, '1:23', 'at 1:23'],
  ['a.zip', { path: 'docs/a.pdf', page: 2 }, 'docs/a.pdf · page 2', 'docs/a.pdf, page 2'],
  [
    'a.zip',
    { path: 'docs/scan.jpg', line: 2 },
    'docs/scan.jpg · picture',
    'docs/scan.jpg, picture',
  ],
  ['a.zip', { path: 'papers/lease.txt' }, 'papers/lease.txt', 'papers/lease.txt'],
])('a location in %s such as %j is shown as "%s"', (fileName, location, short, spoken) => {
  expect(describeLocation(location, { fileName })).toEqual({ short, spoken });
});

test('a picture without a file extension is detected by its media type', () => {
  const file = { fileName: 'scan', fileType: 'image/png' };
  expect(describeLocation({ line: 7 }, file).short).toBe('Picture');
});
