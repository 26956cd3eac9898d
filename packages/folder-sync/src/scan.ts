import type { Dirent, Stats } from 'node:fs';
import { lstat, readdir, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { fileTypeEntry, PATH_LIMIT, typeOfName } from '@engram/contract';
import type { SeenFile } from './files.ts';
import {
  addRules,
  IGNORE_FILE,
  isLeftOut,
  isProject,
  leftOutByName,
  type Rules,
} from './ignores.ts';

/** A file and its path on the disk, which may have another Unicode form. */
export interface ScannedFile extends SeenFile {
  disk: string;
}

export interface LeftOut {
  path: string;
  reason: string;
}

/** The server's size limits in bytes. */
export interface SizeLimits {
  media: number;
  other: number;
}

export interface Scan {
  found: boolean;
  /** Whether every folder and every file in it could be read. */
  complete: boolean;
  files: ScannedFile[];
  /** The paths of the scanned folders on the disk. */
  folders: string[];
  /** The first hundred files that were left out, and the number of all. */
  leftOut: LeftOut[];
  leftOutCount: number;
  /** Whether a path is left out or cannot be read, so that it is not missing. */
  isHidden(path: string): boolean;
}

interface ScanOptions {
  root: string;
  name: string;
  limits?: SizeLimits | null;
  platform?: NodeJS.Platform;
  signal?: AbortSignal;
}

const MAX_LISTED = 100;
/** Files that are read in parallel, because network disks have a high latency. */
const PARALLEL_READS = 64;
const MAX_RULES_BYTES = 1_048_576;

const REASONS = {
  link: 'It is a link to another place.',
  empty: 'It is empty.',
  cloud: 'Its contents are in the cloud and not on this computer.',
  unreadable: 'It cannot be read.',
  type: 'Engram does not support files of this type.',
  name: 'Its name has a backslash or an invalid character.',
  duplicate: 'Another file here has the same name in another Unicode form.',
  long: 'Its path is too long.',
  rules: `Your ${IGNORE_FILE} leaves it out.`,
} as const;

const codeOf = (error: unknown): unknown => (error as NodeJS.ErrnoException).code;
const isGone = (error: unknown): boolean => ['ENOENT', 'ENOTDIR'].includes(String(codeOf(error)));
/** Whether a name cannot be sent. Names with invalid bytes contain U+FFFD. */
const hasInvalidCharacters = (name: string): boolean => /[\p{Cc}\\\u{FFFD}]/u.test(name);

interface Place {
  disk: string;
  /** The names below the root. */
  names: string[];
  rules: Rules | null;
}

class Walk {
  readonly files = new Map<string, ScannedFile>();
  readonly hidden = new Set<string>();
  readonly leftOut: LeftOut[] = [];
  leftOutCount = 0;
  complete = true;
  readonly #options: ScanOptions;

  constructor(options: ScanOptions) {
    this.#options = options;
  }

  #pathOf(names: readonly string[]): string {
    return [this.#options.name, ...names].join('/').normalize('NFC');
  }

  /** Leaves out a file or a folder. With '' as the reason nothing is reported. */
  #leave(names: readonly string[], reason: string): void {
    const filePath = this.#pathOf(names);
    this.hidden.add(filePath);
    if (reason === '') return;
    this.leftOutCount += 1;
    if (this.leftOut.length < MAX_LISTED) this.leftOut.push({ path: filePath, reason });
  }

  #fail(names: readonly string[]): void {
    this.complete = false;
    this.#leave(names, REASONS.unreadable);
  }

  async #rulesIn({ disk, names, rules }: Place, entries: Dirent[]): Promise<Rules | null> {
    if (!entries.some(({ name }) => name === IGNORE_FILE)) return rules;
    const file = path.join(disk, IGNORE_FILE);
    if ((await stat(file)).size > MAX_RULES_BYTES) throw new Error('These are too many rules.');
    return addRules(rules, await readFile(file, 'utf8'), names.length);
  }

  /** Reads one folder and returns those below it. */
  async folder(place: Place): Promise<Place[]> {
    this.#options.signal?.throwIfAborted();
    let entries: Dirent[];
    let rules: Rules | null;
    try {
      entries = await readdir(place.disk, { withFileTypes: true });
      rules = await this.#rulesIn(place, entries);
    } catch (error) {
      // A folder that was just deleted is missing. A folder with unreadable rules is left out.
      if (!isGone(error) || place.names.length === 0) this.#fail(place.names);
      return [];
    }
    const below: Place[] = [];
    const inProject = isProject(entries.map(({ name }) => name));
    const files: { entry: Dirent; names: string[] }[] = [];
    for (const entry of entries) {
      const names = [...place.names, entry.name];
      const reason = this.#reasonByName(entry, names, { rules, inProject });
      if (reason !== null) this.#leave(names, reason);
      else if (entry.isDirectory()) {
        below.push({ disk: path.join(place.disk, entry.name), names, rules });
      } else files.push({ entry, names });
    }
    for (let from = 0; from < files.length; from += PARALLEL_READS) {
      const batch = files.slice(from, from + PARALLEL_READS);
      await Promise.all(batch.map(({ entry, names }) => this.#file(place.disk, entry, names)));
    }
    return below;
  }

  #reasonByName(
    entry: Dirent,
    names: readonly string[],
    { rules, inProject }: { rules: Rules | null; inProject: boolean },
  ): string | null {
    const { name } = entry;
    if (hasInvalidCharacters(name) || !name.isWellFormed()) return REASONS.name;
    const byName = leftOutByName(name, inProject && entry.isDirectory());
    if (byName !== null) return byName;
    if (entry.isSymbolicLink()) return REASONS.link;
    const isFolder = entry.isDirectory();
    if (isLeftOut(rules, names, isFolder)) return REASONS.rules;
    if (isFolder) return null;
    if (!entry.isFile() && !hasUnknownType(entry)) return '';
    if (name.startsWith('.') && name.endsWith('.icloud')) return REASONS.cloud;
    return typeOfName(name) === null ? REASONS.type : null;
  }

  async #file(folder: string, entry: Dirent, names: readonly string[]): Promise<void> {
    const disk = path.join(folder, entry.name);
    let stats: Stats;
    try {
      stats = await lstat(disk);
    } catch (error) {
      if (!isGone(error)) this.#fail(names);
      return;
    }
    const filePath = this.#pathOf(names);
    const reason = this.#reasonByStats(entry.name, filePath, stats);
    if (reason !== null) this.#leave(names, reason);
    else {
      const { size, mtimeMs: mtime, ino: inode } = stats;
      this.files.set(filePath, { path: filePath, disk, size, mtime, inode });
    }
  }

  #reasonByStats(name: string, filePath: string, stats: Stats): string | null {
    const { platform = process.platform, limits } = this.#options;
    if (!stats.isFile()) return '';
    if (stats.size === 0) return REASONS.empty;
    // Other systems store small files without blocks.
    const hasPlaceholders = platform === 'darwin' || platform === 'win32';
    if (hasPlaceholders && stats.blocks === 0) return REASONS.cloud;
    if (filePath.length > PATH_LIMIT) return REASONS.long;
    if (this.files.has(filePath)) return REASONS.duplicate;
    const type = typeOfName(name);
    if (!limits || !type) return null;
    const isMedia = fileTypeEntry(type).size === 'media';
    const limit = isMedia ? limits.media : limits.other;
    return stats.size > limit ? `It is larger than ${Math.floor(limit / 1_048_576)} MB.` : null;
  }
}

/** Some file systems do not return the type of an entry. */
const hasUnknownType = (entry: Dirent): boolean =>
  !entry.isFile() &&
  !entry.isDirectory() &&
  !entry.isSymbolicLink() &&
  !entry.isFIFO() &&
  !entry.isSocket() &&
  !entry.isBlockDevice() &&
  !entry.isCharacterDevice();

function isBelowHidden(hidden: ReadonlySet<string>, filePath: string): boolean {
  for (let end = filePath.length; end > 0; end = filePath.lastIndexOf('/', end - 1)) {
    if (hidden.has(filePath.slice(0, end))) return true;
  }
  return false;
}

/** Whether the root is an existing folder, or a link to one. */
const isFolder = async (root: string): Promise<boolean> =>
  stat(root).then(
    (stats) => stats.isDirectory(),
    () => false,
  );

export async function scanFolder(options: ScanOptions): Promise<Scan> {
  const walk = new Walk(options);
  let exists = await isFolder(options.root);
  const places: Place[] = exists ? [{ disk: options.root, names: [], rules: null }] : [];
  const folders: string[] = [];
  for (let place = places.pop(); place; place = places.pop()) {
    folders.push(place.disk);
    places.push(...(await walk.folder(place)).reverse());
  }
  // The disk may have been removed during the scan.
  exists &&= await isFolder(options.root);
  return {
    found: exists,
    complete: exists && walk.complete,
    files: [...walk.files.values()],
    folders,
    leftOut: walk.leftOut,
    leftOutCount: walk.leftOutCount,
    isHidden: (filePath) => isBelowHidden(walk.hidden, filePath),
  };
}

/** The name of a folder in Engram, with a number if it is taken. */
export function folderName(root: string, usedNames: ReadonlySet<string>): string {
  const plain = path
    .basename(root)
    .normalize('NFC')
    .replaceAll(/[\\\p{Cc}]/gu, ' ');
  const base = plain.trim() === '' ? 'Folder' : plain;
  let name = base;
  for (let number = 2; usedNames.has(name); number += 1) name = `${base} (${number})`;
  return name;
}

/** Whether a folder is or contains another one. */
export const containsPath = (outer: string, inner: string): boolean =>
  `${inner}${path.sep}`.startsWith(outer.endsWith(path.sep) ? outer : `${outer}${path.sep}`);
