import { analyzeQuestion } from './question.ts';
import type { Question } from './question.ts';
import { findNames } from '../scope/names.ts';
import type { NameIndex } from '../scope/names.ts';
import { readScope } from '../scope/scope.ts';
import type { ScopeOptions } from '../scope/scope.ts';
import { readFolderList } from '../scope/uploads.ts';

export interface ReadOptions extends ScopeOptions {
  /** The names of the asker's files and folders; null where the question cannot name any. */
  names: NameIndex | null;
}

/** Analyses a question with what it says of files: their names, dates, times of upload. */
export function readQuestion(question: string, options: ReadOptions): Question {
  const { text, uploaded, kinds, list, dates, asides } = readScope(question, options);
  const { named, spans, folders } =
    options.names && list === null
      ? findNames(options.names, text)
      : { named: [], spans: [], folders: [] };
  const inFolders = list === null ? readFolderList(text, folders) : null;
  return analyzeQuestion(text, options.languages, {
    // 'In tax/2025' says where files stand, and not what they are of.
    dates: dates.filter(
      (date) => !folders.some(({ start, end }) => date.start < end && start < date.end),
    ),
    asides: [...asides, ...folders],
    names: spans,
    files: inFolders
      ? { uploaded, kinds: inFolders, list: { newest: false }, named }
      : { uploaded, kinds, list, named },
  });
}
