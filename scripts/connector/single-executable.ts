import { execFile } from 'node:child_process';
import { createReadStream, createWriteStream } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import { extractFileOf } from './packages.ts';
import { type PlatformName, platforms } from './platforms.ts';

const run = promisify(execFile);

const hosts: Record<string, PlatformName> = {
  'linux-x64': 'linux',
  'win32-x64': 'windows',
  'darwin-arm64': 'macos-arm64',
  'darwin-x64': 'macos-x64',
};

/** What has to be run here for a program to be built for another system. */
export function hostPlatform(): PlatformName {
  const host = hosts[`${process.platform}-${process.arch}`];
  if (host) return host;
  throw new Error(`The Connector cannot be built on ${process.platform} ${process.arch}.`);
}

/**
 * How Node runs the program: it is small and there all day. V8 would keep 48 MB for the newest objects
 * alone, for a speed that nobody waits for.
 */
export const NODE_FLAGS = [
  '--disable-warning=ExperimentalWarning',
  '--max-semi-space-size=1',
  '--optimize-for-size',
];

/**
 * Puts the program into a Node, which then runs nothing else. Code that was compiled ahead fits one
 * machine only, so there is none: that is what lets one machine build for all.
 */
export async function makeSingleExecutable(parts: {
  node: string;
  program: string;
  keyring: string;
  output: string;
}): Promise<void> {
  const config = `${parts.program}.json`;
  const whole = `${parts.program}.whole`;
  const settings = {
    main: parts.program,
    mainFormat: 'module',
    executable: parts.node,
    output: whole,
    assets: { 'keyring.node': parts.keyring },
    useCodeCache: false,
    useSnapshot: false,
    disableExperimentalSEAWarning: true,
    // What is given on the command line is for the program, and nothing of it for Node.
    execArgv: NODE_FLAGS,
    execArgvExtension: 'none',
  };
  await writeFile(config, JSON.stringify(settings));
  const { node, nodeFile } = platforms[hostPlatform()];
  await run(await extractFileOf(node, nodeFile), ['--build-sea', config], {
    cwd: path.dirname(config),
  });
  // Written as a browser writes it: of a file that came in one piece, Linux maps 2 MB wherever a byte
  // is read, and a program that was just built takes 45 MB more than the same one downloaded.
  await pipeline(
    createReadStream(whole, { highWaterMark: 65_536 }),
    createWriteStream(parts.output, { mode: 0o755 }),
  );
  await rm(whole);
}
