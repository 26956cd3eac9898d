/** The worker threads of the index, which keep recently used files open. */
import { LRUCache } from 'lru-cache';
import { serveTasks } from '../../threads/serve-tasks.ts';
import type { IndexRow } from '../search-index.ts';
import { artifactIds, rowsAt, search, size, termsBeginningLike } from './search.ts';
import { isCurrent, openUserFile, removeUserFile, type UserFile } from './user-file.ts';
import { addVectors, completeModel, models, nearest, unembedded } from './vectors.ts';
import { purgeStep, replace } from './write.ts';

/** The calls on a user's file. `replace` creates it. Without a file, the others return undefined. */
const calls = {
  addVectors,
  artifactIds,
  completeModel,
  models,
  nearest,
  purgeStep,
  replace,
  rowsAt,
  search,
  size,
  termsBeginningLike,
  unembedded,
};

export type Calls = typeof calls;

type Args<Call> = Call extends (file: UserFile, ...args: infer Args) => unknown ? Args : never;

export type Task =
  | {
      [Name in keyof Calls]: { path: string; call: Name; args: Args<Calls[Name]> };
    }[keyof Calls]
  /** Some rows of the next `replace`. */
  | { call: 'stage'; rows: readonly IndexRow[]; first: boolean }
  /** Closes a file, because some systems cannot delete an open one. */
  | { path: string; call: 'release' }
  | { path: string; call: 'removeUser' }
  | { call: 'close' };

export type ArgsOf<Name extends keyof Calls> = Args<Calls[Name]>;

/** The maximum number of open files. Each uses a few megabytes. */
const MAX_OPEN = 32;

const files = new LRUCache<string, UserFile>({
  max: MAX_OPEN,
  dispose: ({ db }) => {
    if (db.isOpen) db.close();
  },
});

function fileAt(path: string, options: { create: boolean }): UserFile | null {
  const known = files.get(path);
  if (known && isCurrent(known, path)) return known;
  files.delete(path);
  const opened = openUserFile(path, options);
  if (opened) files.set(path, opened);
  return opened;
}

/** Rows that arrived before their `replace` call. */
let staged: IndexRow[] = [];

type AnyCall = (file: UserFile, ...args: unknown[]) => unknown;

function replaceIn(path: string, artifactIds: readonly string[], args: readonly IndexRow[]) {
  const rows = [...staged, ...args];
  staged = [];
  const file = fileAt(path, { create: rows.length > 0 });
  return file ? replace(file, artifactIds, rows) : false;
}

serveTasks((task: Task): unknown => {
  if (task.call === 'close') return files.clear();
  if (task.call === 'release' || task.call === 'removeUser') {
    files.delete(task.path);
    return task.call === 'removeUser' ? removeUserFile(task.path) : undefined;
  }
  if (task.call === 'stage') {
    if (task.first) staged = [];
    staged.push(...task.rows);
    return undefined;
  }
  if (task.call === 'replace') return replaceIn(task.path, ...task.args);
  const { path, call, args } = task;
  const file = fileAt(path, { create: false });
  const runCall = calls[call] as AnyCall;
  return file ? runCall(file, ...args) : undefined;
});
