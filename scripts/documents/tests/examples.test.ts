import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import {
  addWebhook,
  allowDevice,
  listArtifacts,
  testWebhook,
  uploadArtifacts,
} from '@engram/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makeKey } from '../../../apps/server/src/tests/mcp-clients.test-setup.ts';
import { pdf } from '../../../apps/server/src/tests/pdf.test-setup.ts';
import { useTestApp } from '../../../apps/server/src/tests/use-app.test-setup.ts';
import { preparePython } from '../../python-sdk.ts';
import { codeBlocks, shownCode } from '../documents.ts';

const run = promisify(execFile);
const root = path.resolve(import.meta.dirname, '../../..');
const python = preparePython().command;
const engram = useTestApp({
  env: { ENGRAM_RATE_LIMITS: 'off', ENGRAM_FETCH_ALLOW: '127.0.0.1' },
});
let folder: string;
let people = 0;

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'engram-documents-'));
  const installed = path.join(folder, 'node_modules/engram-kb');
  await mkdir(path.join(folder, 'Papers'));
  await mkdir(installed, { recursive: true });
  await symlink(
    path.join(root, 'packages/client/src/sdk/engram-kb.ts'),
    path.join(installed, 'index.ts'),
  );
  await writeFile(
    path.join(installed, 'package.json'),
    '{ "type": "module", "exports": "./index.ts" }',
  );
  await writeFile(path.join(folder, 'package.json'), '{ "type": "module" }');
  await writeFile(
    path.join(folder, 'lease.pdf'),
    pdf(['You have to give three months notice.', 'The rent is due on the first Monday.']),
  );
  await writeFile(path.join(folder, 'notes.txt'), 'The spare key hangs in the shed.\n');
  await writeFile(path.join(folder, 'Papers/notice.txt'), 'The notice was sent in May.\n');
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const codeOf = (document: string, language: string): string[] =>
  codeBlocks(document).flatMap((block) => (block.language === language ? [block.code] : []));

/** A user without files, and the environment that the examples read. */
async function newUser() {
  people += 1;
  const user = await engram.signIn(`reader${people}@example.org`);
  const apiKey = await makeKey(user);
  const bin = python ? path.dirname(python) : '';
  const env = {
    ...process.env,
    PATH: [bin, process.env['PATH']].join(path.delimiter),
    ENGRAM_BASE_URL: engram.origin,
    ENGRAM_API_KEY: apiKey,
  };
  return { user, apiKey, env };
}

/** Runs a program in the folder with the example files, and returns its output. */
async function runProgram(name: string, code: string, command = process.execPath): Promise<string> {
  const file = path.join(folder, name);
  await writeFile(file, code);
  const { env } = await newUser();
  const { stdout, stderr } = await run(command, [file], { cwd: folder, env });
  expect(stderr).toBe('');
  return stdout;
}

/** The code with the address of this server and the given key. */
const withTestServer = (code: string, apiKey: string): string =>
  code.replaceAll('http://localhost:3000', engram.origin).replaceAll('eg_…', apiKey);

/** Starts a shell that exits at the first failed command. */
function startShell(
  code: string,
  env: NodeJS.ProcessEnv,
): { shell: ChildProcess; output: () => string; exitCode: Promise<number> } {
  const shell = spawn('sh', ['-e', '-c', code], {
    cwd: folder,
    env,
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  let output = '';
  shell.stdout.on('data', (chunk: Buffer) => (output += String(chunk)));
  const exitCode = new Promise<number>((resolve) =>
    shell.once('close', (status) => resolve(status ?? 1)),
  );
  return { shell, output: () => output, exitCode };
}

async function expectCopyOfLease(): Promise<void> {
  const [copy, original] = await Promise.all(
    ['copy.pdf', 'lease.pdf'].map((name) => readFile(path.join(folder, name))),
  );
  expect(copy).toEqual(original);
}

describe('TypeScript', () => {
  test('the examples of the README run one after the other', async () => {
    const output = await runProgram(
      'readme.ts',
      codeOf('packages/client/README.md', 'ts').join('\n'),
    );
    expect(output).toContain('lease.pdf, page 1: You have to give three months notice.');
    expect(output).toMatch(/^found \*\*lease\.pdf\*\*, page/mu);
    expect(output).toContain('> The rent is due on the first Monday.');
    expect(output).toMatch(/^404 \w+ /mu);
    expect(output).toContain('Nothing was sent: text needs 1 to 300 characters.');
    await expectCopyOfLease();
  });

  test('the examples of /documentation run', async () => {
    const { start = '', stream = '' } = shownCode('typescript');
    expect(await runProgram('shown.ts', start)).toContain('three months');
    expect(
      await runProgram(
        'shown-stream.ts',
        `${start}\n${stream.replaceAll(/^(?:import|const engram).*$/gmu, '')}`,
      ),
    ).toContain('first Monday');
  });

  test('the examples for a file format and a language pass type checks', async () => {
    const examples = {
      'format.ts': '',
      'language.ts': `import type { LanguagePack } from '${root}/packages/retrieval/src/languages/language.ts';
export const pack: LanguagePack =`,
    };
    const compilerOptions = {
      noEmit: true,
      rootDir: '/',
      typeRoots: [path.join(root, 'node_modules/@types')],
    };
    for (const [file, head] of Object.entries(examples)) {
      const page = `docs/how-to/add-a-${path.basename(file, '.ts')}.md`;
      const [code = ''] = codeOf(page, file === 'language.ts' ? 'json' : 'ts');
      const source = code.replaceAll("from '../", `from '${root}/packages/extraction/src/`);
      await writeFile(path.join(folder, file), `${head}\n${source}`);
    }
    const config = path.join(folder, 'tsconfig.json');
    const files = Object.keys(examples);
    await writeFile(
      config,
      JSON.stringify({
        extends: path.join(root, 'tsconfig.json'),
        compilerOptions,
        files,
        include: [],
      }),
    );
    const tsc = path.join(root, 'node_modules/.bin/tsc');
    const errors = await run(tsc, ['-p', config]).then(
      () => '',
      (error: { stdout: string }) => error.stdout,
    );
    expect(errors).toBe('');
  });
});

describe('JavaScript', () => {
  test('the example receives signed webhooks, and no others', async () => {
    const { user } = await newUser();
    const body = { url: 'https://1.1.1.1/', events: ['file.ready' as const] };
    const { data: webhook } = await user.client.call(addWebhook, { body });
    const [code = ''] = codeOf('docs/how-to/receive-webhooks.md', 'js');
    await writeFile(path.join(folder, 'receive.mjs'), code);
    const receiver = spawn(process.execPath, ['receive.mjs'], {
      cwd: folder,
      env: { PORT: '0', WEBHOOK_SECRET: webhook.secret },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    try {
      const lines = createInterface({ input: receiver.stdout })[Symbol.asyncIterator]();
      const nextLine = async (): Promise<string> => String((await lines.next()).value);
      const port = /^Listening on port (\d+)$/u.exec(await nextLine())?.[1];
      const url = `http://127.0.0.1:${port}/`;
      expect((await fetch(url, { method: 'POST', body: '{}' })).status).toBe(401);
      // The receiver needs the secret at its start, and its port is known only afterwards.
      await engram.deps.database.pool.query('UPDATE webhooks SET url = $1 WHERE id = $2', [
        url,
        webhook.id,
      ]);
      await user.client.call(testWebhook, { params: { id: webhook.id } });
      expect(await nextLine()).toBe('webhook.test {}');
      const content = new Blob(['The mill has two wheels.']);
      await user.client.upload(uploadArtifacts, [{ name: 'mill.txt', content }], {});
      expect(await nextLine()).toMatch(/^file\.ready \{"id":"[\w-]+","name":"mill\.txt",/u);
    } finally {
      receiver.kill();
    }
  });
});

describe.skipIf(python === null)('Python', () => {
  test('the examples of the README run one after the other', async () => {
    const code = codeOf('sdks/python/README.md', 'python').join('\n');
    const output = await runProgram('readme.py', code, python ?? undefined);
    expect(output).toContain('lease.pdf, page 1: You have to give three months notice.');
    expect(output).toMatch(/^found \*\*lease\.pdf\*\*, page/mu);
    expect(output).toContain('> The rent is due on the first Monday.');
    expect(output).toMatch(/^404 \w+ /mu);
    expect(output).toContain('sent Papers/boat.txt');
    expect(output).toContain('Nothing was sent: text needs 1 to 300 characters.');
    await expectCopyOfLease();
  });

  test('the examples of /documentation run', async () => {
    const { start = '', stream = '' } = shownCode('python');
    const output = await runProgram('shown.py', `${start}\n${stream}`, python ?? undefined);
    expect(output).toMatch(/three months[\s\S]*first Monday/u);
  });

  test('the examples of engram-kb run', async () => {
    const lines = (codeOf('sdks/python/README.md', 'sh').at(-1) ?? '').trim().split('\n');
    const { env } = await newUser();
    const received: string[] = [];
    for (const line of lines) {
      // A login needs a browser, so only the existence of the command is checked.
      const { stdout } = await run(
        'sh',
        ['-c', line.endsWith(' login') ? `${line} --help` : line],
        { cwd: folder, env },
      );
      received.push(stdout);
    }
    const [login, uploaded, asked, listed] = received;
    expect(login).toContain('usage: engram-kb login');
    expect(uploaded).toContain('SUCCESS');
    expect(asked).toContain('[1] lease.pdf, page 1\n    You have to give three months notice.\n');
    expect(JSON.parse(listed ?? '')).toMatchObject([{ name: 'lease.pdf', status: 'SUCCESS' }]);
  });
});

describe('the shell', () => {
  test('the example keeps a folder in sync', async () => {
    const { user, apiKey, env } = await newUser();
    const code = codeOf('docs/how-to/sync-a-folder.md', 'sh').map((line) =>
      withTestServer(line, apiKey),
    );
    const { output, exitCode } = startShell(code.join('\n'), env);
    expect(await exitCode).toBe(0);
    for (const answer of output().split(/(?<=\})(?=\{"message")/u)) {
      // An error has a code besides its message.
      expect(Object.keys(JSON.parse(answer) as object)).toEqual(['message', 'data']);
    }
    const { data: files } = await user.client.call(listArtifacts, { query: {} });
    expect(files.map(({ path: place }) => place)).toContain('Papers/tax/2025/notice.txt');
  });

  test('the example connects a device', async () => {
    const { user, env } = await newUser();
    const [ask = '', ...rest] = codeOf('docs/how-to/connect-a-program.md', 'sh').map((line) =>
      withTestServer(line, ''),
    );
    // The user authorizes it in a browser.
    const { shell, output, exitCode } = startShell(
      [ask, 'read -r allowed', ...rest].join('\n'),
      env,
    );
    const userCode = await new Promise<string>((resolve) => {
      shell.stdout?.on('data', () => {
        const code = /user_code=([\w-]+)/u.exec(output())?.[1];
        if (code) resolve(code);
      });
    });
    await user.client.call(allowDevice, { body: { userCode } });
    shell.stdin?.end('allowed\n');
    expect(await exitCode).toBe(0);
    expect(JSON.parse(output().split('\n').at(-1) ?? '')).toMatchObject({ data: [] });
  });
});
