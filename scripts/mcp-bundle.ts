import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { packExtension } from '@anthropic-ai/mcpb/cli';
import { build } from 'vite';
import { descriptions } from '../apps/server/src/features/mcp/tool-descriptions.ts';

const root = path.resolve(import.meta.dirname, '..');
const bridge = path.join(root, 'packages/mcp-bridge/src/main.ts');
const icon = path.join(root, 'apps/web/public/icons/icon-512.png');
const { version, license } = JSON.parse(
  readFileSync(path.join(root, 'package.json'), 'utf8'),
) as Record<'version' | 'license', string>;

/** What a host shows of the bundle, asks for, and starts. */
const manifest = {
  manifest_version: '0.3',
  name: 'engram',
  display_name: 'Engram',
  version,
  description: 'Search and ask your own files in Engram, with a link to the place of each fact.',
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
  tools: Object.entries(descriptions).map(([name, { title }]) => ({ name, description: title })),
  prompts_generated: true,
  compatibility: { platforms: ['darwin', 'win32', 'linux'], runtimes: { node: '>=20' } },
  user_config: {
    base_url: {
      type: 'string',
      title: 'Address of Engram',
      description: 'Where Engram runs, as it stands in the browser.',
      default: 'http://localhost:3000',
      required: true,
    },
    api_key: {
      type: 'string',
      title: 'API key',
      description:
        'Made in Engram under Api. A key that only reads is enough for all but adding texts.',
      sensitive: true,
      required: true,
    },
  },
};

/** The bridge with all that it imports, as one file for the Node that the host brings. */
async function bundleBridge(outDir: string): Promise<void> {
  await build({
    configFile: false,
    logLevel: 'warn',
    root,
    ssr: { noExternal: true, target: 'node' },
    build: {
      ssr: bridge,
      outDir,
      emptyOutDir: false,
      target: 'node20',
      minify: true,
      rolldownOptions: { output: { entryFileNames: 'main.mjs', codeSplitting: false } },
    },
  });
}

/** Builds the bundle that desktop programs install with one click, and answers where it is. */
export async function buildMcpBundle(
  output = path.join(root, 'dist/engram.mcpb'),
): Promise<string> {
  const folder = mkdtempSync(path.join(tmpdir(), 'engram-mcpb-'));
  try {
    await bundleBridge(path.join(folder, 'server'));
    copyFileSync(icon, path.join(folder, 'icon.png'));
    writeFileSync(path.join(folder, 'manifest.json'), JSON.stringify(manifest, null, 2));
    mkdirSync(path.dirname(output), { recursive: true });
    // It is checked against the published schema before it is packed.
    const packed = await packExtension({ extensionPath: folder, outputPath: output, silent: true });
    if (!packed) throw new Error('The bundle does not agree with its schema.');
    return output;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
