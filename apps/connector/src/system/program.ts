import path from 'node:path';
import { isSea } from 'node:sea';

/**
 * How the system starts this program again, without what it was given this time: by itself where it
 * is one file, by the launcher of the app for macOS, and by Node and the script while it is worked on.
 */
export function ownCommand(): [program: string, ...args: string[]] {
  if (isSea()) return [process.execPath];
  const launcher = process.env['ENGRAM_CONNECTOR_LAUNCHER'];
  if (launcher) return [launcher];
  return [process.execPath, ...process.execArgv, path.resolve(process.argv[1] ?? '')];
}
