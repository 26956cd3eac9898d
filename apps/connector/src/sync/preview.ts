import path from 'node:path';
import type { Preview } from '../connector.ts';
import { scanFolder, type SizeLimits } from '@engram/folder-sync';

/** What would be sent of a folder, before anything is. */
export async function previewFolder(root: string, limits: SizeLimits | null): Promise<Preview> {
  const where = path.resolve(root);
  const scan = await scanFolder({ root: where, name: path.basename(where), limits });
  const { files, found, leftOut, leftOutCount } = scan;
  if (!found) throw new Error(`There is no folder '${where}'.`);
  const bytes = files.reduce((sum, { size }) => sum + size, 0);
  return { files: files.length, bytes, leftOut, leftOutCount };
}
