import type { FileKind } from '@engram/contract/browser';
import type { Sort } from './files-view.ts';

export interface Column {
  name: string;
  /** The orders that the column's heading leads to, the first one first; none where it leads to none. */
  sorts?: readonly [Sort, Sort];
}

export const columns = [
  { name: 'File Name', sorts: ['name', '-name'] },
  { name: 'Size', sorts: ['-size', 'size'] },
  { name: 'Source' },
  { name: 'Uploaded On', sorts: ['-created', 'created'] },
  { name: 'Search Ready' },
  { name: 'Keywords' },
] as const satisfies readonly Column[];

/** What an order is called. */
export const sortNames: Record<Sort, string> = {
  '-created': 'Newest first',
  created: 'Oldest first',
  name: 'Name, A to Z',
  '-name': 'Name, Z to A',
  '-size': 'Largest first',
  size: 'Smallest first',
};

/** What the files of a kind are called. */
export const kindNames: Record<FileKind, string> = {
  pdf: 'PDF',
  document: 'Documents',
  spreadsheet: 'Spreadsheets',
  slides: 'Slides',
  book: 'Books',
  mail: 'Mail',
  calendar: 'Calendars',
  contact: 'Contacts',
  image: 'Pictures',
  audio: 'Recordings',
  video: 'Videos',
  archive: 'Archives',
  web: 'Web pages',
  text: 'Texts',
};
