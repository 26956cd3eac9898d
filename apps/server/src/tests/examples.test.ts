import { execFile, execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { exampleCode, generateApiKey, routes } from '@engram/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readCurlLine } from './curl-line.test-setup.ts';
import { fillLibrary, plainCalls } from './plain-calls.test-setup.ts';
import { useTestApp } from './use-app.test-setup.ts';

type Variables = Record<string, string>;

const root = path.resolve(import.meta.dirname, '../../../..');
const engram = useTestApp({ env: { ENGRAM_FETCH_ALLOW: '127.0.0.1' } });
const folder = mkdtempSync(path.join(tmpdir(), 'engram-examples-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const documented = routes.flatMap((route) => {
  const { id, example } = route;
  return example ? [{ id, route, example, code: exampleCode(route, example) }] : [];
});

/** Calls that would interfere with others of the same account. */
const ALONE = /^auth\.|generate|revoke|upload|saveWeb|addKeyword|delete|endDevice|editNote/u;

let userCount = 0;
let shared: Variables = {};

/** A new user whose data fills the variables of an example. */
async function newReader(code: string): Promise<Variables> {
  userCount += 1;
  const EMAIL = `reader${userCount}@example.org`;
  const reader = await engram.signIn(EMAIL);
  const { data: key } = await reader.client.call(generateApiKey, { params: { name: 'Examples' } });
  const calls = plainCalls(engram);
  if (/ARTIFACT_ID|NOTE_ID|HISTORY_ID|KEYWORD_ID|DEVICE_ID/u.test(code)) {
    await fillLibrary(engram, calls, reader.token);
  }
  return {
    EMAIL,
    ENGRAM_URL: engram.origin,
    ENGRAM_API_KEY: key.apiKey,
    ENGRAM_TOKEN: reader.token,
    USER_ID: reader.userId,
    KEY_ID: key.id,
    PAGE_URL: `${engram.origin}/v1/openapi.json`,
    ARTIFACT_ID: calls.names['file'] ?? '',
    NOTE_ID: calls.names['note'] ?? '',
    HISTORY_ID: calls.names['entry'] ?? '',
    KEYWORD_ID: calls.names['keyword'] ?? '',
    DEVICE_ID: calls.names['device'] ?? '',
  };
}

/** A user with a code who has not signed in yet. */
async function newVisitor(): Promise<Variables> {
  userCount += 1;
  const EMAIL = `visitor${userCount}@example.org`;
  await plainCalls(engram).call('POST /auth/otp/generate', { body: { email: EMAIL } });
  await engram.deps.background.drain();
  const mail = engram.mails.findLast(({ to }) => to === EMAIL);
  return { EMAIL, ENGRAM_URL: engram.origin, CODE: /\b\d{6}\b/u.exec(mail?.text ?? '')?.[0] ?? '' };
}

function variablesFor(id: string, code: string): Promise<Variables> | Variables {
  if (id.startsWith('auth.')) return newVisitor();
  return ALONE.test(id) ? newReader(code) : shared;
}

beforeAll(async () => {
  shared = await newReader('$ARTIFACT_ID');
});

describe('the curl lines of the documentation', () => {
  test.each(documented)('the curl line of $id runs', async ({ id, route, example, code }) => {
    const { url, method, headers, body, form, output } = readCurlLine(
      code.curl,
      await variablesFor(id, code.curl),
    );
    const parts = new FormData();
    for (const { name, value, isFile } of form) {
      if (isFile) parts.append(name, new Blob([example.form?.file?.content ?? '']), value);
      else parts.append(name, value);
    }
    const sent = form.length > 0 ? parts : body;
    const response = await fetch(url, { method, headers, ...(sent ? { body: sent } : {}) });
    expect(response.status).toBe(200);
    const text = await response.text();
    const isJson = output === undefined && route.kind !== 'text';
    const message = isJson ? (JSON.parse(text) as { message: string }).message : text;
    expect(message).toBe(
      isJson
        ? (example.message ?? route.message ?? 'OK')
        : 'The lease ends with three months notice.',
    );
  });

  test('the curl lines cover every call that a developer needs', () => {
    const shown = new Set(documented.map(({ id }) => id));
    // Alternatives, calls that need a password-protected file, and calls for the pages of the web
    // app.
    const others = new Set([
      'artifacts.getArtifactSegments',
      'artifacts.getArtifactWords',
      'artifacts.retryArtifact',
      'artifacts.getArtifactView',
      'artifacts.unlockArtifact',
      'history.historyAudio',
      'keywords.addKeywordByBody',
      'keywords.setKeywordActiveByPost',
      'search.transcribe',
    ]);
    const open = routes.filter(({ apiKey, id }) => apiKey && !others.has(id));
    expect(open.filter(({ id }) => !shown.has(id))).toEqual([]);
  });
});

interface Run {
  name: string;
  file: string;
  cwd: string;
  env: Variables;
}

/** Each example as a program in its own folder, with the file that it uploads. */
async function programs(language: 'typescript' | 'python', ending: string): Promise<Run[]> {
  const runs: Run[] = [];
  for (const { id, example, code } of documented) {
    const cwd = path.join(folder, language, id);
    mkdirSync(cwd, { recursive: true });
    const file = path.join(cwd, `example.${ending}`);
    writeFileSync(file, `${code[language]}\n`);
    const { name, content } = example.form?.file ?? {};
    if (name && content) writeFileSync(path.join(cwd, name), content);
    runs.push({ name: id, file, cwd, env: { ...(await variablesFor(id, code.curl)) } });
  }
  writeFileSync(path.join(folder, `${language}.json`), JSON.stringify(runs));
  return runs;
}

/** The errors of the examples, as the runner recorded them. */
const failures = (language: string): unknown =>
  JSON.parse(readFileSync(path.join(folder, `${language}.failed.json`), 'utf8'));

const run = promisify(execFile);

const SCRIPT_RUNNER = `
import { readFileSync, writeFileSync } from 'node:fs';
const [, , list, failed] = process.argv;
const failures = {};
for (const { name, file, cwd, env } of JSON.parse(readFileSync(list, 'utf8'))) {
  Object.assign(process.env, env);
  process.chdir(cwd);
  await import(file).catch((error) => (failures[name] = String(error)));
}
writeFileSync(failed, JSON.stringify(failures));
`;

const PYTHON_RUNNER = `
import json, os, runpy, sys
failures = {}
for example in json.load(open(sys.argv[1])):
    os.environ.update(example["env"])
    os.chdir(example["cwd"])
    try:
        runpy.run_path(example["file"])
    except Exception as error:
        failures[example["name"]] = repr(error)
json.dump(failures, open(sys.argv[2], "w"))
`;

const runAll = async (command: string, language: string, runner: string): Promise<void> => {
  const script = path.join(folder, runner);
  const [list, failed] = ['json', 'failed.json'].map((end) =>
    path.join(folder, `${language}.${end}`),
  );
  await run(command, [script, list ?? '', failed ?? '']);
};

test('the TypeScript examples of the documentation compile and run', async () => {
  writeFileSync(path.join(folder, 'runner.mjs'), SCRIPT_RUNNER);
  await programs('typescript', 'mts');
  const compilerOptions = {
    strict: true,
    noEmit: true,
    target: 'esnext',
    module: 'nodenext',
    lib: ['esnext'],
    types: ['node'],
    typeRoots: [path.join(root, 'node_modules/@types')],
    skipLibCheck: true,
    erasableSyntaxOnly: true,
  };
  writeFileSync(
    path.join(folder, 'tsconfig.json'),
    JSON.stringify({ compilerOptions, include: ['typescript/**/*.mts'] }),
  );
  const tsc = path.join(root, 'node_modules/typescript/bin/tsc');
  const checked = run(process.execPath, [tsc, '-p', folder]).then(
    () => '',
    (error: { stdout: string }) => error.stdout,
  );
  expect(await checked).toBe('');
  await runAll(process.execPath, 'typescript', 'runner.mjs');
  expect(failures('typescript')).toEqual({});
});

const hasPython = (): boolean => {
  try {
    execFileSync('python3', ['-c', 'import urllib.request'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
};

test.runIf(hasPython())('the Python examples of the documentation run', async () => {
  writeFileSync(path.join(folder, 'runner.py'), PYTHON_RUNNER);
  await programs('python', 'py');
  await runAll('python3', 'python', 'runner.py');
  expect(failures('python')).toEqual({});
});
