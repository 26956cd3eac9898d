import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { bundle } from './bundle.ts';
import { packMacApp } from './mac-app.ts';
import { extractFileOf, readFileOf } from './packages.ts';
import { version } from './page-files.ts';
import { type PlatformName, platformNames, platforms } from './platforms.ts';
import { makeSingleExecutable } from './single-executable.ts';
import { dressForWindows } from './windows.ts';

/** What can be downloaded, as the server tells people. */
export interface Manifest {
  version: string;
  files: { platform: PlatformName; fileName: string; size: number; sha256: string }[];
}

async function describe(folder: string, platform: PlatformName): Promise<Manifest['files'][0]> {
  const { fileName } = platforms[platform];
  const file = path.join(folder, fileName);
  const hash = createHash('sha256');
  await pipeline(createReadStream(file), hash);
  return { platform, fileName, size: (await stat(file)).size, sha256: hash.digest('hex') };
}

async function buildFor(platform: PlatformName, program: string, folder: string): Promise<void> {
  const { node, nodeFile, fileName, ...rest } = platforms[platform];
  const output = path.join(folder, fileName);
  const keyring = await extractFileOf(rest.keyring, rest.keyringFile);
  if (platform === 'macos-arm64' || platform === 'macos-x64') {
    return packMacApp({ node: await readFileOf(node, nodeFile), program, keyring, output });
  }
  if (platform === 'linux') {
    const from = await extractFileOf(node, nodeFile);
    return makeSingleExecutable({ node: from, program, keyring, output });
  }
  const dressed = path.join(path.dirname(program), 'node.exe');
  await writeFile(dressed, await dressForWindows(await readFileOf(node, nodeFile)));
  return makeSingleExecutable({ node: dressed, program, keyring, output });
}

/** Builds the Connector for some platforms, and says in a manifest all that is there. */
export async function buildConnector(options: {
  folder: string;
  platforms?: readonly PlatformName[];
  onBuilt?: (platform: PlatformName) => void;
}): Promise<Manifest> {
  const { folder, onBuilt } = options;
  const scratch = await mkdtemp(path.join(tmpdir(), 'engram-connector-'));
  try {
    await mkdir(folder, { recursive: true });
    const program = await bundle(scratch);
    for (const platform of options.platforms ?? platformNames) {
      await buildFor(platform, program, folder);
      onBuilt?.(platform);
    }
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
  const there = new Set(await readdir(folder));
  const built = platformNames.filter((name) => there.has(platforms[name].fileName));
  const files = await Promise.all(built.map((platform) => describe(folder, platform)));
  const manifest = { version, files };
  await writeFile(path.join(folder, 'manifest.json'), `${JSON.stringify(manifest, null, 2)}\n`);
  return manifest;
}

/** The manifest of a folder, as it was written. */
export const readManifest = async (folder: string): Promise<Manifest> =>
  JSON.parse(await readFile(path.join(folder, 'manifest.json'), 'utf8')) as Manifest;
