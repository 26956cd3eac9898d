import type { IndexRow } from '../search-index.ts';
import { artifactIds, rowsAt, size } from './read.ts';
import { search, termsBeginningLike } from './search.ts';
import type { UserFile } from './user-file.ts';
import { addVectors, completeModel, models, nearest, unembedded } from './vectors.ts';
import { purgeStep, replace } from './write.ts';

/** The calls of a user's file. `replace` creates it; without a file the others return nothing. */
export const calls = {
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

type Given<Call> = Call extends (file: UserFile, ...given: infer Given) => unknown ? Given : never;

/** A call of a user's file, or a task of the thread. */
export type Task =
  | {
      [Name in keyof Calls]: { path: string; call: Name; given: Given<Calls[Name]> };
    }[keyof Calls]
  /** Rows of the next `replace`, which are sent in several messages. */
  | { call: 'stage'; rows: readonly IndexRow[]; first: boolean }
  /** Closes a file, because some systems cannot delete an open one. */
  | { path: string; call: 'release' }
  | { path: string; call: 'removeUser' }
  | { call: 'close' };

export type GivenTo<Name extends keyof Calls> = Given<Calls[Name]>;
