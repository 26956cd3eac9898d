import ignore, { type Ignore } from 'ignore';

/** A file that lists excluded files, in the syntax of .gitignore. */
export const IGNORE_FILE = '.engramignore';

/** Files that operating systems and programs create, which are left out without a message. */
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

/** Version control, dependencies, caches and build output, by unambiguous names. */
const PROGRAMS = ignore().add([
  '.git',
  '.hg',
  '.svn',
  'node_modules',
  'bower_components',
  '__pycache__',
  'site-packages',
  '*.egg-info',
  '.venv',
  '.tox',
  '.mypy_cache',
  '.pytest_cache',
  '.cache',
  '.gradle',
  '.idea',
  '.vs',
  '.vscode',
  '.next',
  '.nuxt',
  '.svelte-kit',
  '.turbo',
  '.terraform',
  '.dart_tool',
  '*.min.js',
  '*.min.css',
]);

/** The same, by names that users might also give to their own folders. */
const BUILDS = ignore().add([
  'build',
  'coverage',
  'DerivedData',
  'dist',
  'obj',
  'out',
  'Pods',
  'target',
  'vendor',
  'venv',
]);

/** Files that identify a folder with source code. */
const PROJECT = ignore().add([
  '.git',
  '*.csproj',
  '*.sln',
  '*.xcodeproj',
  'build.gradle',
  'build.gradle.kts',
  'Cargo.toml',
  'CMakeLists.txt',
  'composer.json',
  'Gemfile',
  'go.mod',
  'Makefile',
  'mix.exs',
  'package.json',
  'Package.swift',
  'Podfile',
  'pom.xml',
  'pubspec.yaml',
  'pyproject.toml',
  'requirements.txt',
  'setup.py',
]);

/** Whether a folder with these entries contains source code. */
export const isProject = (names: readonly string[]): boolean =>
  names.some((name) => PROJECT.ignores(name));

/**
 * Why a file or folder is left out by its name, or '' for no message. Null if it is not left out.
 * @param isInProject whether it is a folder beside the source code of a program
 */
export function leftOutByName(name: string, isInProject = false): string | null {
  if (SILENT.ignores(name)) return '';
  const isOfProgram = PROGRAMS.ignores(name) || (isInProject && BUILDS.ignores(name));
  return isOfProgram ? 'Files of programs are left out.' : null;
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
  for (let current = rules; current; current = current.outer) {
    const { ignored, unignored } = current.ignore.test(
      names.slice(current.depth).join('/') + (isFolder ? '/' : ''),
    );
    if (ignored) return true;
    if (unignored) return false;
  }
  return false;
}
