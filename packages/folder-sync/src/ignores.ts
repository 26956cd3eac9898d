import ignore, { type Ignore } from 'ignore';

/** A file that lists what is left out of its folder, in the syntax of .gitignore. */
export const IGNORE_FILE = '.engramignore';

/** Files of systems and programs, which are left out without a message. */
const SILENT = ignore().add([
  '.DS_Store',
  '._*',
  '.localized',
  'Thumbs.db',
  'ehthumbs.db',
  'desktop.ini',
  '~$*',
  '.~lock.*#',
  '*.crdownload',
  '*.part',
  '*.partial',
  '*.download',
  '*.tmp',
  '*.temp',
  '*.swp',
  '.Trash*',
  '.trash',
  '$RECYCLE.BIN',
  'System Volume Information',
  '.Spotlight-V100',
  '.fseventsd',
  '.TemporaryItems',
  '.stfolder',
  '.stversions',
  '.sync',
  '.dropbox.cache',
  IGNORE_FILE,
]);

const PROGRAMS = ignore().add([
  '.git',
  '.hg',
  '.svn',
  'node_modules',
  '__pycache__',
  '.venv',
  '.cache',
]);

/** Why files with a name are always left out, or '' without a message; null if they are not. */
export function leftOutByName(name: string): string | null {
  if (SILENT.ignores(name)) return '';
  return PROGRAMS.ignores(name) ? 'Files of programs are left out.' : null;
}

/** The rules of the folders from the root down to one, the nearest first. */
export interface Rules {
  ignore: Ignore;
  /** The depth of the folder with these rules. */
  depth: number;
  outer: Rules | null;
}

export const addRules = (outer: Rules | null, text: string, depth: number): Rules => ({
  ignore: ignore().add(text.replace(/^\u{FEFF}/u, '')),
  depth,
  outer,
});

/** Whether a file or folder is left out, by the nearest rules that match it. */
export function isLeftOut(
  rules: Rules | null,
  names: readonly string[],
  isFolder: boolean,
): boolean {
  for (let from = rules; from; from = from.outer) {
    const { ignored, unignored } = from.ignore.test(
      names.slice(from.depth).join('/') + (isFolder ? '/' : ''),
    );
    if (ignored) return true;
    if (unignored) return false;
  }
  return false;
}
