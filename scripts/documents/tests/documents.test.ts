import { execFileSync } from 'node:child_process';
import { existsSync, globSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { parseAllDocuments } from 'yaml';
import contract from '../../../packages/contract/openapi.json' with { type: 'json' };
import { settings } from '../../../apps/server/src/config.ts';
import { useTestApp } from '../../../apps/server/src/tests/use-app.test-setup.ts';
import { codeBlocks, documents, read, shownCode } from '../documents.ts';

const root = path.resolve(import.meta.dirname, '../../..');
const usage = createRequire(import.meta.url)('../../usage.cjs') as Record<string, string>;
const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
const engram = useTestApp();

const shown = ['typescript', 'python'] as const;
/** Each document, and the SDK examples on the page /documentation. */
const texts = [
  ...documents.map((name) => [name, read(name)] as const),
  ...shown.map(
    (sdk) => [`/documentation, ${sdk}`, Object.values(shownCode(sdk)).join('\n')] as const,
  ),
];
const blocks = documents.flatMap(codeBlocks);
const of = (...languages: string[]) =>
  blocks
    .filter(({ language }) => languages.includes(language))
    .map(({ place, code }) => [place, code] as const);

/** The first group of each match of a pattern. */
const found = (text: string, pattern: RegExp): string[] =>
  [...text.matchAll(pattern)].map(([match, group]) => group ?? match);

describe.each(texts)('%s', (document, text) => {
  test('names npm scripts and flags that exist', () => {
    const wrong: string[] = [];
    for (const [command, run, short, rest = ''] of text.matchAll(
      /\bnpm (?:run ([a-z][\w-]*)|(start|test)\b)(?: -- ([^`\n#]*))?/gu,
    )) {
      const name = run ?? short ?? '';
      if (!scripts[name]) wrong.push(command);
      const known = usage[name] ?? '';
      const flags = found(rest, /(?<!\S)(--[a-z][a-z-]*)/gu);
      // Flags after the command of with-services belong to that command.
      const allowedFlags = name === 'with-services' ? flags.slice(0, 0) : flags;
      wrong.push(
        ...allowedFlags
          .filter((flag) => !known.includes(flag))
          .map((flag) => `${command}: ${flag}`),
      );
    }
    expect(wrong).toEqual([]);
  });

  test('names commands of engram that exist', () => {
    const commands = found(text, /\b(?:npx engram|engram\.cjs) ([a-z]+)/gu);
    expect(commands.filter((command) => !usage[command])).toEqual([]);
  });

  test('names settings that exist, with valid values', () => {
    const wrong = found(text, /\b(ENGRAM_[A-Z\d_]*[A-Z\d])\b(?!_?\*)/gu).filter(
      (name) => !namesInCode.has(name),
    );
    for (const [, name = '', value = ''] of text.matchAll(
      /\b([A-Z][A-Z\d]*_[A-Z\d_]+|HOST|PORT)=([^\s`'",;)]+)/gu,
    )) {
      const setting = byName.get(name);
      const trimmed = value.replace(/\.$/u, '');
      const isPlaceholder = trimmed === '…';
      if (setting && !isPlaceholder && !setting.schema.safeParse(trimmed).success) {
        wrong.push(`${name}=${value}`);
      }
      if (!setting && !namesInCode.has(name) && !EXTERNAL_VARIABLES.test(name)) wrong.push(name);
    }
    expect([...new Set(wrong)]).toEqual([]);
  });

  test('names files and headings that exist', () => {
    const named = found(
      text,
      /(?<![\w/.@<-])((?:apps|bench|deploy|docs|packages|scripts|sdks|tests)\/[\w./-]*\w)/gu,
    );
    const wrong = named.filter(
      (file) => !existsSync(path.join(root, file)) && !existsSync(path.join(root, `${file}.ts`)),
    );
    wrong.push(
      ...found(text, /(?<![\w/])(compose[\w.]*\.yaml)\b/gu).filter(
        (file) => !existsSync(path.join(root, file)),
      ),
    );
    for (const [, to = ''] of text.matchAll(/\]\(([^)\s]+)\)/gu)) {
      if (/^[a-z]+:/u.test(to)) continue;
      const [file = '', heading] = to.split('#');
      const target = file === '' ? document : path.join(path.dirname(document), file);
      if (!existsSync(path.join(root, target))) wrong.push(to);
      else if (heading && !headings(read(target)).includes(heading)) wrong.push(to);
    }
    expect([...new Set(wrong)]).toEqual([]);
  });

  test('names tests that exist, by the end of their path', () => {
    const named = found(text, /(?<![\w./*-])([\w-]+(?:\/[\w.-]+)*\.test\.tsx?)\b/gu);
    expect(named.filter((name) => !tests.some((file) => `/${file}`.endsWith(`/${name}`)))).toEqual(
      [],
    );
  });

  test('names calls that the server has', async () => {
    const calls = [
      ...text.matchAll(/\b(GET|POST|PUT|PATCH|DELETE) (\/[^\s`'"|,;)]*)/gu),
      ...text.matchAll(/https?:\/\/localhost:3000()(\/[^\s`'"|,;)]+)/gu),
      ...text.matchAll(
        /(?:(?<![\w./:…>])|\$ENGRAM)()(\/(?:v1|oauth|\.well-known)\/[^\s`'"|,;)]+)/gu,
      ),
    ].map(([, method = '', address = '']) => ({
      method,
      address: address.replace(/\?.*$|[.:]$/u, ''),
    }));
    const wrong: string[] = [];
    for (const { method, address } of calls) {
      if (!(await exists(method, address))) wrong.push(`${method} ${address}`.trim());
    }
    expect([...new Set(wrong)]).toEqual([]);
  });

  test('names metrics that the server has', () => {
    const names = found(text, /\b(engram_[a-z_]+_[a-z]+)\b/gu).filter(
      (name) => !name.startsWith('engram_kb'),
    );
    expect(
      names.filter((name) => !metrics.has(name.replace(/_(?:bucket|sum|count)$/u, ''))),
    ).toEqual([]);
  });
});

const tests = globSync('{apps,packages,scripts,tests}/**/*.test.{ts,tsx}', {
  cwd: root,
  exclude: (name) => name === 'node_modules',
});

/** Variables of Node, of the libraries that Engram uses and of the examples. */
const EXTERNAL_VARIABLES = /^(?:AWS|NODE|OTEL|WEBHOOK)_/u;

const byName = new Map(Object.values(settings).map((setting) => [setting.env as string, setting]));

/** The environment variables in the code, quoted or after a dollar sign. */
const sources = globSync(
  [
    'apps/*/src/**/*.ts',
    'packages/*/src/**/*.ts',
    'sdks/python/src/**/*.py',
    'scripts/**/*.{ts,cjs}',
    'compose*.yaml',
  ],
  { cwd: root, exclude: (name) => name === 'tests' || name === 'node_modules' },
).map(read);
const namesInCode = new Set(
  sources.flatMap((code) => found(code, /['"`${]([A-Z][A-Z\d]*_[A-Z\d_]*[A-Z\d])\b/gu)),
);
const metrics = new Set(sources.flatMap((code) => found(code, /\b(engram_[a-z_]+)\b/gu)));

/** The anchors of a document, as Markdown viewers make them. */
const headings = (text: string): string[] =>
  found(text, /^#+ (.+)$/gmu).map((title) =>
    title
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(/\s/gu, '-'),
  );

type Methods = Record<string, unknown>;
const paths = Object.entries(contract.paths as unknown as Record<string, Methods>).map(
  ([template, methods]) => ({
    pattern: new RegExp(
      `^${template.replaceAll(/[.*]/gu, String.raw`\$&`).replaceAll(/\{\w+\}/gu, '[^/]+')}$`,
      'u',
    ),
    methods: Object.keys(methods).map((name) => name.toUpperCase()),
  }),
);

/** Whether a call is in the contract, or the server answers it. */
async function exists(method: string, address: string): Promise<boolean> {
  const call = address.replace(/^\/v1(?=\/)/u, '');
  const isInContract = paths.some(
    ({ pattern, methods }) => pattern.test(call) && (method === '' || methods.includes(method)),
  );
  // An address that ends with a slash or a star is a prefix.
  if (isInContract || /^\/v1(?:\/openai)?$|[*…/]$/u.test(address)) return true;
  for (const verb of method === '' ? ['GET', 'POST'] : [method]) {
    const { status } = await fetch(engram.origin + address, { method: verb, redirect: 'manual' });
    if (status !== 404 && status !== 405) return true;
  }
  return false;
}

test.each(of('sh'))('the shell parses the block %s', (_, code) => {
  expect(() => execFileSync('sh', ['-n'], { input: code, stdio: 'pipe' })).not.toThrow();
});

test.each(of('json'))('the block %s is JSON', (_, code) => {
  expect(() => JSON.parse(code) as unknown).not.toThrow();
});

test.each(of('yaml'))('the block %s is YAML', (_, code) => {
  expect(
    parseAllDocuments(code).flatMap((document) => ('errors' in document ? document.errors : [])),
  ).toEqual([]);
});

test.each(of('ini'))('the program of the unit %s exists', (_, code) => {
  const folder = /^WorkingDirectory=(.*)$/mu.exec(code)?.[1] ?? '';
  const [program = '', script = ''] = (/^ExecStart=(.*)$/mu.exec(code)?.[1] ?? '').split(' ');
  expect(existsSync(path.join(root, path.relative(folder, program)))).toBe(true);
  expect(existsSync(path.join(root, script))).toBe(true);
});
