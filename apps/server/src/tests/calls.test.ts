import { routes } from '@engram/contract';
import { beforeAll, describe, expect, test } from 'vitest';
import { loadConfig } from '../config.ts';
import { fillLibrary, plainCalls, type SentCall } from './plain-calls.test-setup.ts';
import type { SignedInUser } from './app.test-setup.ts';
import { useTestApp } from './use-app.test-setup.ts';

const ADMIN = 'root@example.org';
const QUESTION = 'How much notice does the lease need?';
const UNKNOWN = '00000000-0000-4000-8000-000000000000';
const DAY_MS = 86_400_000;

const engram = useTestApp({ env: { ENGRAM_ADMIN_EMAILS: ADMIN } });
const calls = plainCalls(engram);
let ann: SignedInUser;
let bob: SignedInUser;
/** A call with Ann's token, unless another token is given. */
const call = (line: string, sent: SentCall = {}) => calls.call(line, { token: ann.token, ...sent });

beforeAll(async () => {
  ann = await engram.signIn('ann@example.org');
  bob = await engram.signIn('bob@example.org');
  calls.names['ann'] = ann.userId;
  await fillLibrary(engram, calls, ann.token);
});

const text = expect.any(String) as unknown;
const flag = expect.any(Boolean) as unknown;
const strings = expect.arrayContaining([text]) as unknown;
const some = (shape: object) => expect.arrayContaining([expect.objectContaining(shape)]) as unknown;

const aFile = {
  artifactId: text,
  userId: text,
  fileName: 'Lease.txt',
  fileType: 'text/plain',
  presignedUrl: text,
  size: 40,
  artifactArchived: false,
};
const aKeyword = { id: text, keyword: text, isActive: flag, isDefault: flag };
const anEntry = {
  id: text,
  searchText: QUESTION,
  answers: strings,
  date: text,
  audioFile: null,
  recommendations: expect.any(Array) as unknown,
  similarVectors: some(aFile),
  isBookmark: flag,
  isArchived: flag,
};
const location = { latitude: 52.5, longitude: 13.4 };

describe('every call of the specification, with the payload that it prescribes', () => {
  test.each<[string, unknown, string, unknown]>([
    [
      'POST /auth/otp/generate',
      { email: 'new@example.org' },
      'Code generated and sent to the email',
      null,
    ],
    [
      'GET /user/profile',
      undefined,
      'OK',
      expect.objectContaining({
        email: 'ann@example.org',
        name: null,
        role: 'USER',
        country: null,
        profileImage: null,
        ip: '127.0.0.1',
        device: null,
        location: null,
        createdDate: text,
      }),
    ],
    [
      'PUT /user/profile',
      { isAgreedTerms: true },
      'Profile updated successfully!',
      expect.objectContaining({ isAgreedTerms: true }),
    ],
    [
      'GET /subscription/metrics',
      undefined,
      'OK',
      expect.objectContaining({ status: 'Active', plan: 'Starter(Free)' }),
    ],
    ['GET /artifacts/search_ready', undefined, 'All files you uploaded are ready to search', true],
    [
      'POST /artifacts/{file}/true',
      undefined,
      'Artifact updated successfully',
      expect.objectContaining({ artifactArchived: true }),
    ],
    [
      'POST /artifacts/{file}/false',
      undefined,
      'Artifact updated successfully',
      expect.objectContaining({ artifactArchived: false }),
    ],
    [
      'POST /search',
      { text: QUESTION, location, ipAddress: '192.0.2.1', device: 'Linux', keywords: ['Home'] },
      'Search successful.',
      expect.objectContaining({
        answers: [expect.stringContaining('three months notice')],
        date: text,
        recommendations: expect.any(Array) as unknown,
        history_id: text,
        audio_file: null,
        similar_vectors: [expect.objectContaining(aFile)],
        grounded: true,
      }),
    ],
    [
      'POST /search',
      { text: QUESTION, location: null, device: 'Unknown Device', keywords: [] },
      'Search successful.',
      expect.objectContaining({ answers: strings }),
    ],
    ['GET /suggestions', undefined, 'Suggestions fetched successfully', strings],
    [
      'GET /questions/recommendations',
      undefined,
      'Recommendations fetched successfully',
      expect.any(Array),
    ],
    ['GET /search/history/today', undefined, 'OK', some(anEntry)],
    ['GET /search/history/1?id={entry}', undefined, 'OK', expect.objectContaining(anEntry)],
    ['GET /search/history/all', undefined, 'OK', some(anEntry)],
    [
      'POST /search/history/update',
      { historyId: '{entry}', isBookmark: true, isArchived: false },
      'OK',
      expect.objectContaining({ isBookmark: true, isArchived: false }),
    ],
    ['GET /keywords', undefined, 'Keywords fetched successfully', some(aKeyword)],
    [
      'POST /keywords/add',
      { keyword: 'Attic' },
      'Keyword added successfully',
      expect.objectContaining({ ...aKeyword, keyword: 'Attic' }),
    ],
    [
      'PUT /keywords/{keyword}/false',
      undefined,
      'Keyword updated successfully',
      expect.objectContaining({ ...aKeyword, isActive: false }),
    ],
    [
      'GET /questionnaire',
      undefined,
      'OK',
      some({
        questionId: text,
        question: text,
        options: some({ optionId: text, optionText: text }),
      }),
    ],
    [
      'PUT /questionnaire',
      { responses: [{ questionId: 'files', selectedOption: 'work' }] },
      'Your answers are saved.',
      some({ questionId: 'files', selectedOptionId: 'work' }),
    ],
    ['GET /ip', undefined, 'OK', { ip: '127.0.0.1' }],
  ])('%s with the body %j succeeds', async (line, body, message, data) => {
    const { status, answer } = await call(line, { body });
    expect(status).toBe(200);
    expect(answer).toMatchObject({ message, data });
  });

  test('a keyword in the path is accepted with an empty form', async () => {
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const { answer } = await call('POST /keywords/Garden', { headers });
    expect(answer['data']).toMatchObject({ ...aKeyword, keyword: 'Garden' });
  });

  test('a file is returned as its bytes', async () => {
    const { status, text: bytes, headers } = await call('POST /artifacts/{file}/{ann}/Lease.txt');
    expect([status, bytes]).toEqual([200, 'The lease ends with three months notice.']);
    expect(headers.get('content-type')).toBe('text/plain; charset=utf-8');
    expect(headers.get('content-disposition')).toContain('Lease.txt');
  });

  test('the role is in the response to a sign-in, and gives no access to another user’s data', async () => {
    const root = await engram.signIn(ADMIN);
    expect(root.session.roles).toEqual(['USER', 'ADMIN']);
    expect(ann.session.roles).toEqual(['USER']);
    const { answer } = await call('GET /user/profile', { token: root.token });
    expect(answer['data']).toMatchObject({ role: 'ADMIN', email: ADMIN });
    const refusal = await call('GET /search/history/1?id={entry}', { token: root.token });
    expect(refusal.status).toBe(404);
  });
});

const refused = (status: number, message: string | RegExp) => ({
  status,
  answer: { message: expect.stringMatching(message) as unknown, code: text },
});

describe('data of another user, or of nobody, is not found', () => {
  const owned: [string, unknown?][] = [
    ['POST /artifacts/{file}/true'],
    ['POST /artifacts/{file}/{ann}/Lease.txt'],
    ['GET /artifacts/{file}/text'],
    ['GET /artifacts/{file}/link'],
    ['GET /artifacts/{file}/words'],
    ['GET /artifacts/{file}/segments'],
    ['POST /artifacts/{file}/retry'],
    ['POST /artifacts/{file}/password', { password: 'Seerose 7' }],
    ['PUT /artifacts/keywords', { artifactId: '{file}', keywords: [] }],
    ['DELETE /artifacts/{file}'],
    ['GET /search/history/1?id={entry}'],
    ['GET /search/history/{entry}/audio'],
    ['POST /search/history/update', { historyId: '{entry}', isArchived: true }],
    ['POST /search', { text: 'And then?', after: '{entry}' }],
    ['POST /shares', { historyId: '{entry}' }],
    ['PUT /keywords/{keyword}/true'],
    ['POST /keywords/{keyword}/true'],
  ];

  test.each(owned)('%s is not found', async (line, body) => {
    const refusal = await call(line, { token: bob.token, body });
    expect(refusal).toMatchObject(refused(404, /\.$/u));
    // Data of another user must look like data that does not exist.
    const unknownCall = JSON.parse(
      JSON.stringify({ line, body: body ?? null }).replaceAll(
        /\{(?:file|entry|keyword)\}/gu,
        UNKNOWN,
      ),
    ) as { line: string; body: unknown };
    const unknown = await call(unknownCall.line, {
      token: bob.token,
      ...(unknownCall.body === null ? {} : { body: unknownCall.body }),
    });
    expect([unknown.status, unknown.answer]).toEqual([refusal.status, refusal.answer]);
  });

  test('only its owner can delete an account', async () => {
    const body = { email: 'ann@example.org' };
    expect(
      await call('DELETE /user/profile/delete-account', { token: bob.token, body }),
    ).toMatchObject(refused(403, /^This is not the address of your account\./u));
    expect((await call('GET /user/profile')).status).toBe(200);
  });
});

describe('tokens that are no longer valid', () => {
  const guarded = routes
    .filter(({ auth }) => auth !== 'public')
    .map(({ method, path }) => `${method} ${path.replaceAll(/\{\w+\}/gu, UNKNOWN)}`);
  const unauthorized = { message: 'Please sign in.', code: 'not_signed_in' };
  const open = async (token: string) => {
    const answers = await Promise.all(guarded.map((line) => call(line, { token })));
    return guarded.filter((_, index) => {
      const { status, answer } = answers[index]!;
      return status !== 401 || JSON.stringify(answer) !== JSON.stringify(unauthorized);
    });
  };

  test('the token of a signed-out session is refused', async () => {
    const { token } = await engram.signIn('cleo@example.org');
    expect((await call('POST /auth/logout', { token })).status).toBe(200);
    expect(await open(token)).toEqual([]);
  });

  test('the token of a session older than seven days is refused', async () => {
    const { token } = await engram.signIn('dora@example.org');
    engram.advance(7 * DAY_MS + 1000);
    expect(await open(token)).toEqual([]);
    engram.advance(-7 * DAY_MS - 1000);
  });
});

describe('rate limits of calls', () => {
  const limited = useTestApp({
    env: { ENGRAM_RATE_LIMITS: 'on', ENGRAM_CALL_BURST: '5', ENGRAM_CALLS_PER_SECOND: '0.001' },
  });

  test('a limit affects one user, and the response says how long to wait', async () => {
    const [fay, gus] = [
      await limited.signIn('fay@example.org'),
      await limited.signIn('gus@example.org'),
    ];
    const read = (user: SignedInUser) =>
      fetch(`${limited.baseUrl}/user/profile`, {
        headers: { authorization: `Bearer ${user.token}` },
      });
    const answers = [];
    // Signing in accepted the terms, which was one call.
    for (let n = 0; n < 5; n += 1) answers.push(await read(fay));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 429]);
    expect(Number(answers.at(-1)?.headers.get('retry-after'))).toBeGreaterThan(900);
    expect(await answers.at(-1)?.json()).toEqual({
      message: 'Too many calls. Please wait a moment.',
      code: 'too_many_requests',
    });
    expect((await read(gus)).status).toBe(200);
  });

  test('the default limits are those of the rulings', () => {
    const secret = 'a secret that is long enough for tests';
    expect(loadConfig({ ENGRAM_SECRET: secret })).toMatchObject({
      rateLimits: 'on',
      codesPerAddress: 5,
      codesPerIp: 30,
      failedSignInsPerIp: 20,
      callsPerSecond: 50,
      callBurst: 200,
      mediaLimitMb: 2,
      uploadLimitMb: 512,
    });
  });
});
