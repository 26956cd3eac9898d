import { copyFileSync, mkdirSync, mkdtempDisposableSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { packExtension } from '@anthropic-ai/mcpb/cli';
import { tools } from '../apps/server/src/features/mcp/tools.ts';
import { bundleIntoOneFile } from './single-file.ts';
import project from '../package.json' with { type: 'json' };

const root = path.resolve(import.meta.dirname, '..');
const bridge = path.join(root, 'packages/mcp-bridge/src/main.ts');
const icon = path.join(root, 'apps/web/public/icons/icon-512.png');
const { version, license } = project;

/** The manifest of the bundle. */
const manifest = {
  manifest_version: '0.3',
  name: 'engram',
  display_name: 'Engram',
  version,
  description: 'Search and ask your own files in Engram, with a link to the source of each fact.',
  author: { name: 'Engram' },
  license,
  icon: 'icon.png',
  server: {
    type: 'node',
    entry_point: 'server/main.mjs',
    mcp_config: {
      command: 'node',
      args: ['${__dirname}/server/main.mjs'],
      env: {
        ENGRAM_BASE_URL: '${user_config.base_url}',
        ENGRAM_API_KEY: '${user_config.api_key}',
      },
    },
  },
  tools: Object.entries(tools).map(([name, { title }]) => ({ name, description: title })),
  prompts_generated: true,
  compatibility: { platforms: ['darwin', 'win32', 'linux'], runtimes: { node: '>=20' } },
  user_config: {
    base_url: {
      type: 'string',
      title: 'Address of Engram',
      description: 'The address of Engram, as shown in the browser.',
      default: 'http://localhost:3000',
      required: true,
    },
    api_key: {
      type: 'string',
      title: 'API key',
      description:
        'Create one in Engram under Api. A read-only key is enough for everything except adding texts.',
      sensitive: true,
      required: true,
    },
  },
};

/** Builds the bundle that desktop apps install. Returns its path. */
export async function buildMcpBundle(
  output = path.join(root, 'dist/engram.mcpb'),
): Promise<string> {
  using scratch = mkdtempDisposableSync(path.join(tmpdir(), 'engram-mcpb-'));
  const folder = scratch.path;
  await bundleIntoOneFile({
    entry: bridge,
    outDir: path.join(folder, 'server'),
    fileName: 'main.mjs',
    target: 'node20',
  });
  copyFileSync(icon, path.join(folder, 'icon.png'));
  writeFileSync(path.join(folder, 'manifest.json'), JSON.stringify(manifest, null, 2));
  mkdirSync(path.dirname(output), { recursive: true });
  // Also validates the manifest.
  const packed = await packExtension({ extensionPath: folder, outputPath: output, silent: true });
  if (!packed) throw new Error('The manifest of the bundle does not match its schema.');
  return output;
}
