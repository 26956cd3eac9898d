import type { IndexRow } from '../search-index.ts';
import { artifactIds, rowsAt, size } from './read.ts';
import { search, termsBeginningLike } from './search.ts';
import type { UserFile } from './user-file.ts';
import { addVectors, completeModel, models, nearest, unembedded } from './vectors.ts';
import { purgeStep, replace } from './write.ts';

/** What a thread does with a person's file. The first rows make it; without one a call does nothing. */
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

/** One call of a person's file, or the end of it. */
export type Task =
  | {
      [Name in keyof Calls]: { path: string; call: Name; given: Given<Calls[Name]> };
    }[keyof Calls]
  /** Rows of the next `replace`, ahead of it: the first ones, or further ones. */
  | { call: 'stage'; rows: readonly IndexRow[]; first: boolean }
  /** Closes a file: some systems remove none that is open. */
  | { path: string; call: 'release' }
  | { path: string; call: 'removeUser' }
  | { call: 'close' };

export type GivenTo<Name extends keyof Calls> = Given<Calls[Name]>;
