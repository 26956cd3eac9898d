/** The program of the index's threads: keeps the files open that were last asked for. */
import { LRUCache } from 'lru-cache';
import { serveTasks } from '../../threads/serve-tasks.ts';
import { calls, type Task } from './calls.ts';
import { isCurrent, openUserFile, removeUserFile, type UserFile } from './user-file.ts';

/** Files that stay open: each keeps some megabytes of pages. */
const MOST_OPEN = 32;

const files = new LRUCache<string, UserFile>({
  max: MOST_OPEN,
  dispose: ({ db }) => {
    if (db.isOpen) db.close();
  },
});

/** The file of a person; null where there is none and none is to be made. */
function fileAt(path: string, options: { create: boolean }): UserFile | null {
  const known = files.get(path);
  if (known && isCurrent(known, path)) return known;
  files.delete(path);
  const opened = openUserFile(path, options);
  if (opened) files.set(path, opened);
  return opened;
}

type AnyCall = (file: UserFile, ...given: unknown[]) => unknown;

serveTasks((task: Task): unknown => {
  if (task.call === 'close') return files.clear();
  if (task.call === 'removeUser') {
    files.delete(task.path);
    return removeUserFile(task.path);
  }
  const { path, call, given } = task;
  const create = call === 'replace' && given[0].some(({ rows }) => rows.length > 0);
  const file = fileAt(path, { create });
  const work = calls[call] as AnyCall;
  return file ? work(file, ...given) : undefined;
});
