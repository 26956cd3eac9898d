import { existsSync, realpathSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import { KEYWORD_LIMIT, KEYWORD_PATTERN } from '@engram/contract';
import { folderName, containsPath, scanFolder, type SizeLimits } from '@engram/folder-sync';
import type { FolderSettings, Preview } from '../connector.ts';
import type { Folder } from './state.ts';

/** Settings of a new folder. */
export const DEFAULT_SETTINGS: FolderSettings = {
  keywords: [],
  topFolderKeyword: false,
  intervalMs: 300_000,
  archive: false,
};

/** @throws Error for invalid settings */
export function checkSettings({ keywords = [] }: Partial<FolderSettings>): void {
  for (const word of keywords) {
    if (!KEYWORD_PATTERN.test(word) || [...word].length > KEYWORD_LIMIT) {
      throw new Error(`A keyword has up to ${KEYWORD_LIMIT} letters and digits: '${word}'.`);
    }
  }
}

const realPathOf = (root: string): string => (existsSync(root) ? realpathSync(root) : root);

/** Describes a folder that is a whole disk or contains the home folder. Null for any other. */
export function describeBroadFolder(root: string): string | null {
  if (!existsSync(root)) return null;
  const [real, home] = [realpathSync(root), realPathOf(homedir())];
  if (real === home) return 'your home folder';
  const parent = path.dirname(real);
  const isDisk = parent === real || statSync(parent).dev !== statSync(real).dev;
  if (isDisk) return 'a whole disk';
  return containsPath(real, home) ? 'a folder that contains your home folder' : null;
}

/** The path and name of a new folder. Folders must not contain each other. */
export function newFolder(root: string, folders: readonly Folder[]): Pick<Folder, 'root' | 'name'> {
  const folderPath = path.resolve(root);
  if (!existsSync(folderPath) || !statSync(folderPath).isDirectory()) {
    throw new Error(`There is no folder '${folderPath}'.`);
  }
  const real = realPathOf(folderPath);
  for (const { root: other } of folders) {
    const otherReal = realPathOf(other);
    if (containsPath(otherReal, real) || containsPath(real, otherReal)) {
      throw new Error(`'${other}' is already synced, and one of the two contains the other.`);
    }
  }
  const names = new Set(folders.map(({ name }) => name));
  return { root: folderPath, name: folderName(folderPath, names) };
}

/** What syncing a folder would send. */
export async function previewFolder(root: string, limits: SizeLimits | null): Promise<Preview> {
  const folderPath = path.resolve(root);
  const scan = await scanFolder({ root: folderPath, name: path.basename(folderPath), limits });
  const { files, found, leftOut, leftOutCount } = scan;
  if (!found) throw new Error(`There is no folder '${folderPath}'.`);
  const bytes = files.reduce((sum, { size }) => sum + size, 0);
  return { files: files.length, bytes, leftOut, leftOutCount };
}
