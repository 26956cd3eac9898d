import { once } from 'node:events';
import { readdir, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import path from 'node:path';
import type { Artifact, UploadResult } from '@engram/contract';
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import type { SignedInUser } from '../../../tests/app.test-setup.ts';
import { useTestApp } from '../../../tests/use-app.test-setup.ts';

const engram = useTestApp({ env: { ENGRAM_LIMITS: 'off' } });
let ann: SignedInUser;
let userCount = 0;

beforeEach(async () => {
  userCount += 1;
  ann = await engram.signIn(`ann${userCount}@example.org`);
});

interface Answer {
  status: number;
  message: string;
  code?: string;
  data?: UploadResult;
}

async function post(body: FormData | string, contentType?: string): Promise<Answer> {
  const response = await fetch(`${engram.baseUrl}/artifacts/upload`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${ann.token}`,
      ...(contentType ? { 'content-type': contentType } : {}),
    },
    body,
  });
  return { status: response.status, ...((await response.json()) as Omit<Answer, 'status'>) };
}

type Part = [name: string, value: string | Blob, fileName?: string];

function form(...parts: Part[]): FormData {
  const data = new FormData();
  for (const [name, value, fileName] of parts) {
    if (typeof value === 'string') data.append(name, value);
    else data.append(name, value, fileName);
  }
  return data;
}

const file = (name: string, content: string, field = 'files'): Part => [
  field,
  new Blob([content]),
  name,
];

async function list(): Promise<Artifact[]> {
  const headers = { authorization: `Bearer ${ann.token}` };
  const response = await fetch(`${engram.baseUrl}/artifacts`, { headers });
  return ((await response.json()) as { data: Artifact[] }).data;
}

const keywordsOf = async (name: string): Promise<string[] | undefined> =>
  (await list()).find(({ artifactFileName }) => artifactFileName === name)?.keywords;

/** One part of a multipart body. */
const formPart = (headers: string, content: string): string =>
  `--b\r\nContent-Disposition: form-data; ${headers}\r\n\r\n${content}\r\n`;

test('a file far above the limit does not affect others, in any position', async () => {
  const answer = await post(
    form(
      file('before.txt', 'Before it.'),
      file('big.gif', `GIF89a${'\0'.repeat(6_000_000)}`),
      file('after.txt', 'After it.'),
      ['keywords', '["Late"]'],
    ),
  );
  expect(answer.data).toMatchObject({
    artifacts: [{ fileName: 'before.txt' }, { fileName: 'after.txt' }],
    rejected: [{ fileName: 'big.gif', message: 'File too large: big.gif exceeds 2MB.' }],
  });
  expect(await keywordsOf('after.txt')).toEqual(['Late']);
});

describe('keywords of single files', () => {
  test.each([
    ['../../etc/passwd.txt', 'passwd.txt'],
    ['report\u202Efdp.txt', 'reportfdp.txt'],
    [`${'n'.repeat(300)}.txt`, `${'n'.repeat(251)}.txt`],
    ['e\u0301te\u0301.txt', '\u00e9t\u00e9.txt'],
    ['a "quoted" name.txt', 'a "quoted" name.txt'],
    ['\u{1f600}.txt', '\u{1f600}.txt'],
    ['constructor', 'constructor'],
    ['...', 'file'],
  ])('apply to %j, which is stored as %j', async (name, stored) => {
    const filesKeywords = JSON.stringify({ [name]: ['Found'] });
    const answer = await post(
      form(file(name, `Stored as ${stored}.`), ['filesKeywords', filesKeywords]),
    );
    expect(answer).toMatchObject({ status: 200, data: { artifacts: [{ fileName: stored }] } });
    expect(await keywordsOf(stored)).toEqual(['Found']);
  });

  test('are ignored for files that are not in the upload', async () => {
    const filesKeywords = '{"other.txt":["Other"],"constructor":["C"]}';
    const answer = await post(
      form(file('toString', 'Named like a property of every object.'), [
        'filesKeywords',
        filesKeywords,
      ]),
    );
    expect(answer.status).toBe(200);
    expect(await keywordsOf('toString')).toEqual([]);
  });

  test('apply to both files of the same name', async () => {
    await post(
      form(file('same.txt', 'One.'), file('same.txt', 'Two.'), [
        'filesKeywords',
        '{"same.txt":["Both"]}',
      ]),
    );
    expect((await list()).map(({ keywords }) => keywords)).toEqual([['Both'], ['Both']]);
  });
});

describe('fields', () => {
  test.each([
    ['with a type of their own', 'name="keywords"\r\nContent-Type: application/json'],
    [
      'with a file name',
      'name="keywords"; filename="blob"\r\nContent-Type: application/json; charset=utf-8',
    ],
  ])('are accepted %s', async (_, headers) => {
    const body = `${formPart(headers, '["Home"]')}${formPart('name="files"; filename="f.txt"', 'Typed.')}--b--\r\n`;
    const answer = await post(body, 'multipart/form-data; boundary=b');
    expect(answer.data?.artifacts).toMatchObject([{ fileName: 'f.txt' }]);
    expect(await keywordsOf('f.txt')).toEqual(['Home']);
  });

  test('are stored without characters that PostgreSQL cannot store', async () => {
    const answer = await post(form(file('n.txt', 'Text.'), ['device', 'Li\0nux']));
    expect(answer.status).toBe(200);
    expect(await list()).toMatchObject([{ deviceUsed: 'Linux' }]);
  });

  const refused: [string, Part[], number, string][] = [
    [
      'sent twice',
      [
        ['artifactText', 'one'],
        ['artifactText', 'two'],
      ],
      400,
      "The field 'artifactText' was sent more than once.",
    ],
    [
      'too large',
      [['filesKeywords', 'x'.repeat(1_100_000)]],
      413,
      "The field 'filesKeywords' is too large.",
    ],
    [
      'too many',
      Array.from({ length: 21 }, (_, n): Part => [`field${n}`, 'x']),
      413,
      'An upload can have at most 20 fields.',
    ],
    [
      'named like a property of every object',
      [['__proto__', 'x']],
      400,
      'A field of the upload has a forbidden name.',
    ],
    ['of the wrong shape', [['filesKeywords', '[]']], 400, "'filesKeywords' must be an object."],
    ['of the wrong type', [['keywords', '[1]']], 400, "'keywords.0' must be text."],
    [
      'of an unknown value',
      [['source', 'Evil']],
      400,
      "'source' must be one of: Web, API, Connector, Share.",
    ],
  ];
  test.each(refused)(
    '%s are rejected, and nothing is stored',
    async (_, parts, status, message) => {
      const answer = await post(form(file('kept.txt', 'Not kept.'), ...parts));
      expect(answer).toMatchObject({ status, message });
      expect(await list()).toEqual([]);
      expect(await engram.deps.files.list(ann.userId)).toEqual([]);
    },
  );
});

test.each([
  ['another type of body', '{}', 'application/json', 415, 'not_multipart'],
  ['no boundary', 'x', 'multipart/form-data', 400, 'broken_upload'],
  ['no form at all', 'garbage', 'multipart/form-data; boundary=b', 400, 'broken_upload'],
  ['an empty body', '', 'multipart/form-data; boundary=b', 400, 'nothing_uploaded'],
  [
    'a form in a form',
    '--b\r\nContent-Disposition: form-data; name="files"\r\nContent-Type: multipart/mixed; boundary=c\r\n\r\n' +
      '--c\r\nContent-Disposition: file; filename="a.txt"\r\n\r\nInner\r\n--c--\r\n--b--\r\n',
    'multipart/form-data; boundary=b',
    400,
    'nothing_uploaded',
  ],
] as const)('%s is rejected', async (_, body, type, status, code) => {
  const answer = await post(body, type);
  expect(answer).toMatchObject({ status, code, message: expect.stringMatching(/^[A-Z].*\.$/u) });
});

test('1,001 files are rejected together, and nothing is stored', async () => {
  const files = Array.from({ length: 1001 }, (_, n) => file(`${n}.txt`, `Number ${n}.`));
  expect(await post(form(...files))).toMatchObject({
    status: 413,
    message: 'An upload can have at most 1000 files.',
  });
  expect(await engram.deps.files.list(ann.userId)).toEqual([]);
});

test('the same bytes, twice in each of many concurrent uploads, are one file', async () => {
  const answers = await Promise.all(
    Array.from({ length: 8 }, (_, n) => {
      const files = [
        file(`a${n}`, 'Bytes A.'),
        file(`b${n}`, 'Bytes B.'),
        file(`c${n}`, 'Bytes A.'),
      ];
      return post(form(...(n % 2 ? files : files.toReversed())));
    }),
  );
  expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(200));
  const uploaded = answers.flatMap(({ data }) => data?.artifacts ?? []);
  expect(uploaded.filter(({ duplicate }) => !duplicate)).toHaveLength(2);
  const ids = (await list()).map(({ artifactId }) => artifactId).toSorted();
  expect([...new Set(uploaded.map(({ artifactId }) => artifactId))].toSorted()).toEqual(ids);
  const keys = await engram.deps.files.list(ann.userId);
  expect(keys.map((key) => key.split('/')[1])).toEqual(ids);
});

test('an upload whose client disconnects stores nothing', async () => {
  const socket = connect(Number(new URL(engram.origin).port), '127.0.0.1');
  await once(socket, 'connect');
  socket.write(
    'POST /v1/artifacts/upload HTTP/1.1\r\nHost: localhost\r\nContent-Length: 99999999\r\n' +
      `Authorization: Bearer ${ann.token}\r\nContent-Type: multipart/form-data; boundary=b\r\n\r\n` +
      `${formPart('name="files"; filename="first.txt"', 'A whole file.')}` +
      `--b\r\nContent-Disposition: form-data; name="files"; filename="second.txt"\r\n\r\n${'x'.repeat(300_000)}`,
  );
  const incoming = path.join(engram.folder, 'files/.incoming');
  const files = () => engram.deps.files.list(ann.userId);
  await expect.poll(() => readdir(incoming)).toHaveLength(1);
  await expect.poll(files).toHaveLength(1);
  socket.destroy();
  await expect.poll(() => readdir(incoming)).toEqual([]);
  await expect.poll(files).toEqual([]);
  expect(await list()).toEqual([]);
});

test('a file whose bytes are missing is reported as not found', async () => {
  const { data } = await post(form(file('lost.txt', 'Lost.')));
  const artifactId = data?.artifacts[0]?.artifactId ?? '';
  await engram.settled();
  await rm(path.join(engram.folder, 'files', ann.userId, artifactId), { recursive: true });
  const response = await fetch(`${engram.baseUrl}/artifacts/${artifactId}/${ann.userId}/lost.txt`, {
    method: 'POST',
    headers: { authorization: `Bearer ${ann.token}` },
  });
  expect(response.status).toBe(404);
  expect(await response.json()).toMatchObject({ code: 'artifact_not_found' });
});

test.each(['words?page=', 'segments?from=', 'segments?to='])(
  'a page or range far beyond any file is rejected: %s',
  async (query) => {
    const { data } = await post(form(file('few.txt', 'A few words.')));
    const url = `${engram.baseUrl}/artifacts/${data?.artifacts[0]?.artifactId ?? ''}/${query}`;
    const statusOf = async (value: number): Promise<number> =>
      (await fetch(url + value, { headers: { authorization: `Bearer ${ann.token}` } })).status;
    expect(await statusOf(2 ** 31 - 1)).toBe(200);
    expect(await statusOf(2 ** 31)).toBe(400);
    expect(await statusOf(2 ** 53 - 1)).toBe(400);
  },
);

describe('when the server fails after the commit', () => {
  // Only the upload must fail, not an earlier extraction.
  beforeEach(() => engram.settled());
  afterEach(() => vi.restoreAllMocks());

  const bytesOf = async (): Promise<(string | undefined)[]> =>
    (await engram.deps.files.list(ann.userId)).map((key) => key.split('/')[1]);

  test('bytes of recorded files are not deleted', async () => {
    const { database } = engram.deps;
    const commit = database.transaction;
    vi.spyOn(database, 'transaction').mockImplementationOnce(async (work) => {
      await commit(work);
      throw new Error('the connection was lost');
    });
    const answer = await post(form(file('one.txt', 'One.'), file('again.txt', 'One.')));
    expect(answer.status).toBe(500);
    const ids = (await list()).map(({ artifactId }) => artifactId);
    expect(ids).toHaveLength(1);
    expect(await bytesOf()).toEqual(ids);
    await engram.settled();
    expect(await list()).toMatchObject([{ uploadStatus: 'SUCCESS' }]);
  });

  test('bytes of unrecorded files are deleted', async () => {
    const { database } = engram.deps;
    vi.spyOn(database, 'transaction').mockRejectedValueOnce(new Error('the connection was lost'));
    expect((await post(form(file('one.txt', 'One.')))).status).toBe(500);
    expect(await list()).toEqual([]);
    expect(await bytesOf()).toEqual([]);
  });

  test('an upload succeeds even if a file with restored bytes cannot be extracted again yet', async () => {
    const { data } = await post(form(file('lost.txt', 'Lost.')));
    const lost = data?.artifacts[0]?.artifactId ?? '';
    await engram.settled();
    await rm(path.join(engram.folder, 'files', ann.userId, lost), { recursive: true });
    const { jobs } = engram.deps;
    const enqueueAll = jobs.enqueueAll;
    vi.spyOn(jobs, 'enqueueAll')
      .mockImplementationOnce(enqueueAll)
      .mockRejectedValueOnce(new Error('the connection was lost'));
    const answer = await post(form(file('lost.txt', 'Lost.'), file('new.txt', 'New.')));
    expect(answer.status).toBe(200);
    expect(jobs.enqueueAll).toHaveBeenCalledTimes(2);
    const ids = answer.data?.artifacts.map(({ artifactId }) => artifactId) ?? [];
    expect(ids).toContain(lost);
    expect(await bytesOf()).toEqual(ids.toSorted());
  });

  test('bytes that cannot be removed are left to the consistency check, and the response has the first error', async () => {
    vi.spyOn(engram.deps.files, 'removePrefix').mockRejectedValueOnce(
      new Error('the disk is gone'),
    );
    const answer = await post(
      form(file('one.txt', 'One.'), file('two.txt', 'Two.'), ['keywords', 'no json']),
    );
    expect(answer).toMatchObject({ status: 400, message: 'The field keywords must be JSON.' });
    const day = 86_400_000;
    engram.advance(day + 1000);
    onTestFinished(() => engram.advance(-day - 1000));
    await engram.deps.services.consistency.maintain();
    expect(await bytesOf()).toEqual([]);
  });
});
