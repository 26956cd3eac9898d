import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import * as contract from '@engram/contract';
import { format, resolveConfig } from 'prettier';
import { z } from 'zod';
import { settings } from '../apps/server/src/config.ts';
import { type OpenApi, sdkOf } from './sdk/calls.ts';
import { pythonSdk } from './sdk/python.ts';
import { synchronous } from './sdk/sync-python.ts';
import { typescriptSdk } from './sdk/typescript.ts';
import project from '../package.json' with { type: 'json' };

const root = path.resolve(import.meta.dirname, '..');

const pythonSources = path.join(root, 'sdks/python/src/engram_kb');

const LINT_RULES = '.oxlintrc.json';
const WEB_MANIFEST = 'apps/web/public/manifest.webmanifest';

const defaultOf = (schema: z.ZodType): string => {
  const value: unknown = schema.safeParse(undefined).data;
  const isEmpty = typeof value === 'object' && Object.keys(value ?? {}).length === 0;
  if (value === undefined || isEmpty) return '';
  return `\`${String(value)}\``;
};

function configurationPage(): string {
  const rows = Object.values(settings).map(
    ({ env, doc, schema }) =>
      `| \`${env}\` | ${defaultOf(schema)} | ${doc.replaceAll('|', '\\|')} |`,
  );
  return [
    '# Configuration',
    '',
    'Set these as environment variables or in a `.env` file in the folder from which you start Engram. All are optional. An invalid value stops the start with an error that names the variable.',
    '',
    '| Variable | Default | What it does |',
    '| --- | --- | --- |',
    ...rows,
    '',
    'The bridge `engram mcp` reads `ENGRAM_BASE_URL` and `ENGRAM_API_KEY` on the machine where it runs: see [how to connect an assistant](how-to/connect-an-assistant.md).',
    '',
  ].join('\n');
}

/** The lint rules with the names of all features, which must not import each other. */
function lintRules(): string {
  const featuresOf = (app: string): string =>
    readdirSync(path.join(root, 'apps', app, 'src/features'), { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => name)
      .toSorted()
      .join('|');
  return readFileSync(path.join(root, LINT_RULES), 'utf8')
    .replace(/(?<="regex": "\^\\\\\.\\\\\.\/\(\?:)admin[a-z|-]+/u, featuresOf('server'))
    .replace(/(?<="regex": "\^\(\?:\\\\\.\\\\\.\/\)\+\(\?:)admin[a-z|-]+/u, featuresOf('web'));
}

/** The manifest of the web app. Its share target accepts the types of the upload panel. */
async function webManifest(options: object): Promise<string> {
  const manifest = JSON.parse(readFileSync(path.join(root, WEB_MANIFEST), 'utf8')) as {
    share_target: { params: { files: { accept: string[] }[] } };
  };
  const entries = contract.fileTypes.map(contract.fileTypeEntry);
  const mediaTypes = entries.flatMap((entry) => entry.mediaTypes);
  const endings = entries.flatMap((entry) => entry.endings.map((ending) => `.${ending}`));
  for (const files of manifest.share_target.params.files)
    files.accept = [...mediaTypes, ...endings];
  return format(JSON.stringify(manifest, null, 2), { ...options, parser: 'json' });
}

/** The generated files with their contents. */
export async function generatedFiles(): Promise<{ file: string; content: string }[]> {
  const options = (await resolveConfig(path.join(root, 'package.json'))) ?? {};
  const page = await format(configurationPage(), { ...options, parser: 'markdown' });
  const openApi = contract.buildOpenApi(contract.routes, project.version);
  const sdk = sdkOf(openApi as unknown as OpenApi);
  return [
    {
      file: path.join(root, 'packages/contract/openapi.json'),
      content: `${JSON.stringify(openApi, null, 2)}\n`,
    },
    {
      file: path.join(root, 'packages/client/src/sdk/api.ts'),
      content: (await format(typescriptSdk(sdk), { ...options, parser: 'typescript' })).replaceAll(
        '// prettier-ignore\n',
        '',
      ),
    },
    {
      file: path.join(pythonSources, '_api.py'),
      content: pythonSdk(sdk),
    },
    ...['client', 'resources', 'run'].map((name) => ({
      file: path.join(pythonSources, `_${name}.py`),
      content: synchronous(readFileSync(path.join(pythonSources, `_async_${name}.py`), 'utf8')),
    })),
    { file: path.join(root, 'docs/configuration.md'), content: page },
    { file: path.join(root, LINT_RULES), content: lintRules() },
    { file: path.join(root, WEB_MANIFEST), content: await webManifest(options) },
  ];
}
