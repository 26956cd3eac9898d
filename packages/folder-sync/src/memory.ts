import type { KnownFile } from './files.ts';

/** What is written to the files of a folder, all or nothing. */
export interface FileChange {
  put?: readonly KnownFile[];
  drop?: readonly string[];
  /** An artifact that another one took the place of: only the files that are put hold it still. */
  release?: string | null;
}

/** Another folder's file with some bytes. */
export interface Elsewhere {
  path: string;
  artifact: string;
  sentByUs: boolean;
  placed: boolean;
}

/** What is known of the files of one folder, wherever that is kept. */
export interface FolderMemory {
  files(): KnownFile[];
  file(path: string): KnownFile | null;
  write(change: FileChange): void;
  /** Whether this device sent an artifact, wherever its file is now. */
  wasSent(artifact: string): boolean;
  /** A file of another folder that is there and holds some bytes. */
  elsewhere(sha256: string): Elsewhere | null;
}
