import { expect, test } from 'vitest';
import { categoryOf, previewOf } from '../related-categories.tsx';

const DOCX = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';
const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

test.each([
  ['image/png', 'Images'],
  ['IMAGE/JPEG', 'Images'],
  ['video/quicktime', 'Videos'],
  ['audio/mpeg', 'Audios'],
  ['application/PDF', 'Pdf'],
  [DOCX, 'Document'],
  [XLSX, 'Spreadsheet'],
  ['application/vnd.oasis.opendocument.spreadsheet', 'Spreadsheet'],
  ['application/vnd.ms-excel', 'Spreadsheet'],
  ['application/msword', 'Document'],
  ['application/epub+zip', 'Document'],
  ['message/rfc822', 'Others'],
  ['text/plain', 'Others'],
  ['text/html', 'Others'],
  ['text/csv', 'Others'],
  ['other', 'Others'],
  ['', 'Others'],
  [null, 'Others'],
  [undefined, 'Others'],
])('%s belongs to %s', (fileType, category) => {
  expect(categoryOf(fileType)).toBe(category);
});

test.each([
  ['image/png', 'icon', 'picture'],
  ['video/mp4', 'player', 'player'],
  ['audio/wav', 'player', 'player'],
  ['application/pdf', 'page', 'page'],
  [DOCX, 'page', 'page'],
  [XLSX, 'page', 'page'],
  ['text/html', 'icon', 'button'],
  ['text/plain', 'icon', 'button'],
  ['other', 'name', 'button'],
  [null, 'name', 'button'],
])('%s is shown as %s among all files and as %s in its category', (type, all, own) => {
  expect(previewOf(type, false)).toBe(all);
  expect(previewOf(type, true)).toBe(own);
});
