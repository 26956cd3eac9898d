import type { Location } from '@engram/contract';
import { isRendered } from '../../artifacts/file-types.ts';

/** The ways in which a cited file is shown. */
export type View =
  'document' | 'page' | 'picture' | 'video' | 'audio' | 'slides' | 'table' | 'text';

/**
 * How a file is shown at a place. A member of an archive is shown as a document or as its text: its
 * bytes are not served by themselves.
 */
export function viewOf(location: Location, fileType: string): View {
  // Of a member its own name tells what it is.
  const file = 'path' in location ? { fileName: String(location.path) } : { fileType };
  if ('slide' in location) return 'slides';
  if ('row' in location) return 'table';
  if (isRendered(file)) return 'document';
  if ('path' in location) return 'text';
  if (fileType.includes('pdf')) return 'page' in location ? 'page' : 'text';
  // Most browsers do not draw TIFF.
  if (fileType.startsWith('image/')) return fileType === 'image/tiff' ? 'text' : 'picture';
  if (fileType.startsWith('video/')) return 'video';
  if (fileType.startsWith('audio/')) return 'audio';
  return 'text';
}

/** What the ways that are not the text itself are called beside 'Text'. */
export const viewNames: Partial<Record<View, string>> = {
  page: 'Page',
  picture: 'Picture',
  slides: 'Slides',
  table: 'Table',
};
