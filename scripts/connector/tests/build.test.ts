import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { buffer } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { NtExecutable, NtExecutableResource, Resource } from 'resedit';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openPromise } from 'yauzl';
import { buildConnector, type Manifest } from '../build.ts';
import { extractFile, isCached } from '../packages.ts';
import project from '../../../package.json' with { type: 'json' };
import { type PlatformName, platformNames, platforms } from '../platforms.ts';
import { language, GUI_SUBSYSTEM } from '../windows.ts';

const { version } = project;

const run = promisify(execFile);
const isComplete = platformNames.every(
  (name) => isCached(platforms[name].node) && isCached(platforms[name].keyring),
);

if (!isComplete) {
  console.log(
    "The Connector's programs are not tested: 'npm run connector' fetches what they need.",
  );
}

describe.skipIf(!isComplete)('the programs of the Connector', () => {
  let folder: string;
  let manifest: Manifest;
  const fileOf = (platform: PlatformName): string =>
    path.join(folder, platforms[platform].fileName);

  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'engram-connector-'));
    manifest = await buildConnector({ folder });
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  test('the manifest lists the built files', async () => {
    const written: unknown = JSON.parse(await readFile(path.join(folder, 'manifest.json'), 'utf8'));
    expect(written).toEqual(manifest);
    expect(manifest).toMatchObject({ version });
    expect(manifest.files.map(({ platform }) => platform)).toEqual(platformNames);
    for (const { platform, size, sha256 } of manifest.files) {
      expect((await stat(fileOf(platform))).size).toBe(size);
      expect(sha256).toMatch(/^[\da-f]{64}$/u);
    }
  });

  test.runIf(process.platform === 'linux' && process.arch === 'x64')(
    'Linux: there is one program, whose arguments are not passed to Node',
    async () => {
      const { stdout, stderr } = await run(fileOf('linux'), ['--help'], { env: { HOME: folder } });
      expect(stdout).toContain('engram-connector');
      expect(stdout).not.toContain('--build-sea');
      expect(stderr).toBe('');
    },
  );

  test('Windows: the program has no console, and its own name, version and icon', async () => {
    const file = await readFile(fileOf('windows'));
    const program = NtExecutable.from(file);
    expect(program.newHeader.optionalHeader.subsystem).toBe(GUI_SUBSYSTEM);
    const { entries } = NtExecutableResource.from(program);
    const versions = Resource.VersionInfo.fromEntries(entries);
    expect(versions).toHaveLength(1);
    expect(versions[0]?.getStringValues(language)).toMatchObject({
      ProductName: 'Engram Connector',
      FileVersion: version,
      OriginalFilename: 'engram-connector.exe',
    });
    const groups = Resource.IconGroupEntry.fromEntries(entries);
    expect(groups).toHaveLength(1);
    const icons = groups[0]?.getIconItemsFromEntries(entries) ?? [];
    // The width is one byte, in which 0 means 256.
    expect(icons.map(({ width }) => width)).toEqual([16, 24, 32, 48, 64, 0]);
    expect(entries.some(({ id }) => id === 'NODE_SEA_BLOB')).toBe(true);
    // This fuse makes Node run the embedded program.
    expect(file.includes('NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2:1')).toBe(true);
  });

  test.each(['macos-arm64', 'macos-x64'] as const)(
    '%s: the app contains Node with its original signature',
    async (platform) => {
      const zip = await openPromise(fileOf(platform));
      const files: Record<string, { mode: number; content: Buffer }> = {};
      for await (const entry of zip.eachEntry()) {
        const content = await buffer(await zip.openReadStreamPromise(entry));
        files[entry.fileName] = { mode: entry.externalFileAttributes >>> 16, content };
      }
      const inside = (name: string) => files[`Engram Connector.app/Contents/${name}`];
      expect(Object.keys(files)).toHaveLength(6);
      const { node, keyring } = platforms[platform];
      expect(inside('MacOS/node')?.content.equals(await readFile(await extractFile(node)))).toBe(
        true,
      );
      for (const name of ['MacOS/node', 'MacOS/engram-connector']) {
        expect(inside(name)?.mode).toBe(0o10_0755);
      }
      const plist = String(inside('Info.plist')?.content);
      expect(plist).toContain('<key>LSUIElement</key>\n  <true/>');
      expect(plist).toContain('<key>CFBundleExecutable</key>\n  <string>engram-connector</string>');
      expect(plist).toContain(`<key>CFBundleShortVersionString</key>\n  <string>${version}<`);
      expect(String(inside('MacOS/engram-connector')?.content)).toMatch(/^#!\/bin\/sh\n/u);
      expect(inside('Resources/icon.icns')?.content.toString('latin1', 0, 4)).toBe('icns');
      const native = await readFile(await extractFile(keyring));
      expect(inside('Resources/keyring.node')?.content.equals(native)).toBe(true);
      expect(inside('Resources/connector.mjs')?.content.length).toBeGreaterThan(100_000);
    },
  );
});
