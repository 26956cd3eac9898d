import { execFile } from 'node:child_process';
import { createReadStream, createWriteStream } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import { extractFile } from './packages.ts';
import { platforms } from './platforms.ts';
import { hostPlatform } from '../../apps/connector/src/pairing/pairing.ts';

const run = promisify(execFile);

/** Saves memory, since the program runs all day. V8 would use 48 MB for new objects alone. */
export const NODE_FLAGS = [
  '--disable-warning=ExperimentalWarning',
  '--max-semi-space-size=1',
  '--optimize-for-size',
];

/**
 * Builds a single executable from Node and the program, on one machine for all platforms. It has no
 * code cache, which would fit one platform only.
 */
export async function makeSingleExecutable(parts: {
  node: string;
  program: string;
  keyring: string;
  output: string;
}): Promise<void> {
  const config = `${parts.program}.json`;
  const executable = `${parts.program}.executable`;
  const settings = {
    main: parts.program,
    mainFormat: 'module',
    executable: parts.node,
    output: executable,
    assets: { 'keyring.node': parts.keyring },
    useCodeCache: false,
    useSnapshot: false,
    disableExperimentalSEAWarning: true,
    // All arguments belong to the program.
    execArgv: NODE_FLAGS,
    execArgvExtension: 'none',
  };
  await writeFile(config, JSON.stringify(settings));
  if (!hostPlatform) throw new Error('The Connector cannot be built on this platform.');
  // The host's Node builds the programs of all platforms.
  const hostNode = await extractFile(platforms[hostPlatform].node);
  await run(hostNode, ['--build-sea', config], { cwd: path.dirname(config) });
  // Written in chunks, as browsers do. Linux maps files that were written at once in pages of 2 MB,
  // and the program would take 45 MB more memory.
  await pipeline(
    createReadStream(executable, { highWaterMark: 65_536 }),
    createWriteStream(parts.output, { mode: 0o755 }),
  );
  await rm(executable);
}
