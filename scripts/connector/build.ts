import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, mkdtempDisposable, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { packMacApp } from './mac-app.ts';
import { extractFile } from './packages.ts';
import { pageFilesPlugin } from './page-files.ts';
import { bundleIntoOneFile } from '../single-file.ts';
import { type PlatformName, platformNames, platforms } from './platforms.ts';
import { makeSingleExecutable } from './single-executable.ts';
import { brandForWindows } from './windows.ts';
import project from '../../package.json' with { type: 'json' };

const root = path.resolve(import.meta.dirname, '../..');

/** The builds that the server offers for download. */
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
  const { node, keyring, fileName } = platforms[platform];
  const parts = {
    node: await extractFile(node),
    program,
    keyring: await extractFile(keyring),
    output: path.join(folder, fileName),
  };
  if (platform.startsWith('macos')) return packMacApp(parts);
  if (platform === 'windows') {
    const branded = path.join(path.dirname(program), 'node.exe');
    await writeFile(branded, await brandForWindows(await readFile(parts.node)));
    parts.node = branded;
  }
  return makeSingleExecutable(parts);
}

/** Builds the Connector for some platforms, and writes a manifest of all builds in the folder. */
export async function buildConnector(options: {
  folder: string;
  platforms?: readonly PlatformName[];
  onBuilt?: (platform: PlatformName) => void;
}): Promise<Manifest> {
  const { folder, onBuilt } = options;
  await using scratch = await mkdtempDisposable(path.join(tmpdir(), 'engram-connector-'));
  await mkdir(folder, { recursive: true });
  const program = await bundleIntoOneFile({
    entry: path.join(root, 'apps/connector/src/bin.ts'),
    outDir: scratch.path,
    fileName: 'connector.mjs',
    target: 'node24',
    plugins: [pageFilesPlugin()],
    alias: { '@napi-rs/keyring': path.join(import.meta.dirname, 'bundled-keyring.ts') },
  });
  for (const platform of options.platforms ?? platformNames) {
    await buildFor(platform, program, folder);
    onBuilt?.(platform);
  }
  const existing = new Set(await readdir(folder));
  const built = platformNames.filter((name) => existing.has(platforms[name].fileName));
  const files = await Promise.all(built.map((platform) => describe(folder, platform)));
  const manifest = { version: project.version, files };
  await writeFile(path.join(folder, 'manifest.json'), `${JSON.stringify(manifest, null, 2)}\n`);
  return manifest;
}
