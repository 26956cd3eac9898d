import type { Location } from '@engram/contract';
import { expect, test } from 'vitest';
import { viewOf } from '../components/source-viewer.tsx';

test.each<[Location, string, string]>([
  [{ page: 2 }, 'application/pdf', 'page'],
  [{ line: 2 }, 'application/pdf', 'text'],
  [{ line: 2 }, 'image/png', 'picture'],
  [{ page: 2 }, 'image/tiff', 'picture'],
  [{ line: 1 }, 'image/heic', 'picture'],
  [{ startMs: 0, endMs: 1 }, 'video/mp4', 'video'],
  [{ line: 1 }, 'audio/mpeg', 'audio'],
  [{ slide: 2 }, 'application/vnd.ms-powerpoint', 'slides'],
  [{ sheet: 'a', row: 2 }, 'text/csv', 'table'],
  [{ path: 'a.xlsx', sheet: 'a', row: 2 }, 'application/zip', 'table'],
  [{ path: 'a.pdf', page: 2 }, 'application/zip', 'text'],
  [{ line: 9 }, 'text/plain', 'text'],
])('%j of %s is shown as %s', (location, fileType, view) =>
  expect(viewOf(location, fileType)).toBe(view),
);
