import { randomBytes } from 'node:crypto';
import {
  addKeyword,
  answerQuestions,
  deleteAccount,
  exportAccount,
  getMetrics,
  listQuestions,
  search,
  setArtifactArchived,
  setKeywordActive,
  signExport,
  updateHistory,
  updateProfile,
} from '@engram/contract';
import { beforeEach, describe, expect, test } from 'vitest';
import { storedZip } from '../../../tests/archives.test-setup.ts';
import { type SignedInUser, testDatabases } from '../../../tests/app.test-setup.ts';
import { useTestApp } from '../../../tests/use-app.test-setup.ts';
import {
  belongings,
  changed,
  exportOf,
  importOf,
  unpack,
  upload,
} from '../../../tests/exports.test-setup.ts';

const DEPOSIT = 'The deposit for the boathouse is 2,340 euros.';
const QUESTION = 'How much is the deposit for the boathouse?';
const MINUTE = 60_000;

describe.each(testDatabases)('moving an account (%s)', (database) => {
  const engram = useTestApp({ database, startAt: new Date('2026-03-10T09:00:00Z') });
  let userCount = 0;
  let ann: SignedInUser;

  beforeEach(async () => {
    userCount += 1;
    ann = await engram.signIn(`ann${userCount}@example.org`);
  });

  const ask = async ({ client }: SignedInUser, text: string, options: object = {}) =>
    (await client.call(search, { body: { text, audio: false, ...options } })).data;

  test('a new account gives the same answer after an import', async () => {
    const { artifacts } = await upload(
      ann,
      { 'lease.txt': DEPOSIT },
      { filesKeywords: '{"lease.txt": ["Boats"]}' },
    );
    engram.advance(MINUTE);
    await upload(ann, {
      'old.txt': 'The old boathouse was blue.',
      'broken.pdf': '%PDF-1.7 nothing',
    });
    await upload(
      ann,
      {},
      { artifactText: 'The boiler was serviced in May.', keywords: '["Home"]' },
    );
    await engram.settled();
    const before = await belongings(ann);
    expect(before.files.map(({ status }) => status)).toContain('FAILED');
    const first = await ask(ann, QUESTION);
    expect(first.citations[0]).toMatchObject({ fileName: 'lease.txt', quote: DEPOSIT });
    engram.advance(MINUTE);
    const artifactIds = artifacts.map(({ artifactId }) => artifactId);
    await ask(ann, 'And what is due for it?', { after: first.history_id, artifactIds });
    const { client } = ann;
    await client.call(updateHistory, { body: { historyId: first.history_id, isBookmark: true } });
    await client.call(updateProfile, { body: { name: 'Ann Blake', phone: '(555) 010-9999' } });
    const { data: questions } = await client.call(listQuestions, {});
    const responses = questions.map(({ questionId, options }) => ({
      questionId,
      selectedOption: options[0]?.optionId ?? '',
    }));
    await client.call(answerQuestions, { body: { responses } });

    const exported = await belongings(ann);
    const bytes = await exportOf(ann);
    await client.call(deleteAccount, { body: { email: ann.email } });
    await engram.settled();

    const newAccount = await engram.signIn(ann.email);
    expect(newAccount.userId).not.toBe(ann.userId);
    const result = await importOf(newAccount, bytes);
    expect(result).toEqual({
      files: { added: 4, present: 0 },
      history: { added: 2, present: 0 },
      keywords: { added: 2, present: 6 },
      profile: true,
      rejected: [],
    });
    await engram.settled();
    expect(await belongings(newAccount)).toEqual(exported);
    const answer = await ask(newAccount, QUESTION);
    expect(answer.answers).toEqual(first.answers);
    const withoutIds = ({ citations }: typeof answer) =>
      citations.map((citation) => ({ ...citation, artifactId: null }));
    expect(withoutIds(answer)).toEqual(withoutIds(first));
  });

  test('an export contains all data in readable files with unique names, and no secret', async () => {
    const long = `${'ä'.repeat(250)}.txt`;
    await upload(ann, {
      'a:b*c?.txt': 'One',
      'CON.txt': 'Two',
      [long]: 'Three',
      '日本.txt': 'Four',
    });
    for (const [name, text] of [
      ['same.txt', 'Five'],
      ['same.txt', 'Six'],
      ['SAME.txt', 'Seven'],
    ] as const) {
      engram.advance(MINUTE);
      await upload(ann, { [name]: text });
    }
    await upload(ann, { 'lease.txt': DEPOSIT });
    await engram.settled();
    await ask(ann, QUESTION);
    const { pool } = engram.deps.database;
    await pool.query('UPDATE subscriptions SET credit = 7 WHERE user_id = $1', [ann.userId]);
    const bytes = await exportOf(ann);
    const members = await unpack(bytes);
    expect(Object.keys(members).toSorted()).toEqual(
      [
        'billing.json',
        'files.json',
        'files/CON.txt'.replace('CON', '_CON'),
        'files/SAME (3).txt',
        `files/${'ä'.repeat(118)}.txt`,
        'files/a_b_c_.txt',
        'files/lease.txt',
        'files/same (2).txt',
        'files/same.txt',
        'files/日本.txt',
        'history.json',
        'history.md',
        'keywords.json',
        'manifest.json',
        'profile.json',
        'profile.md',
      ].toSorted(),
    );
    expect(String(members['files/lease.txt'])).toBe(DEPOSIT);
    expect(JSON.parse(String(members['manifest.json']))).toMatchObject({
      format: 'engram-export',
      version: 1,
      madeBy: 'Engram 0.1.0',
    });
    expect(String(members['history.md'])).toMatch(
      /^## How much is the deposit for the boathouse\?\n\n\*2026-03-10 .* UTC\*\n\n[^]*2,340 euros[^]*Sources:\n\n- \[1\] lease\.txt, line 1: “The deposit/mu,
    );
    expect(String(members['profile.md'])).toContain(`- E-mail: ${ann.email}`);
    const secret = engram.deps.config.secret;
    for (const text of [ann.token, secret, 'refresh']) expect(bytes.includes(text)).toBe(false);

    expect(JSON.parse(String(members['billing.json']))).toEqual({
      plan: 'Starter(Free)',
      status: 'Active',
      credits: 7,
      ledger: [],
      invoices: [],
    });

    const newAccount = await engram.signIn(`again${userCount}@example.org`);
    expect((await importOf(newAccount, bytes)).files).toEqual({ added: 8, present: 0 });
    // An import does not add credits.
    expect((await newAccount.client.call(getMetrics, {})).data.credit).toBe(0);
    const names = (await belongings(newAccount)).files.map(({ name }) => name);
    expect(names.toSorted()).toEqual(
      (await belongings(ann)).files.map(({ name }) => name).toSorted(),
    );
  });

  test('an import adds no duplicates and replaces nothing, and an empty export is accepted', async () => {
    const { artifacts } = await upload(ann, { 'a.txt': 'One' }, { keywords: '["Boats"]' });
    await upload(ann, { 'lease.txt': DEPOSIT });
    const artifactId = artifacts[0]?.artifactId ?? '';
    await ann.client.call(setArtifactArchived, { params: { artifactId, archived: 'true' } });
    const { data: added } = await ann.client.call(addKeyword, { params: { keyword: 'Sails' } });
    const params = { id: added.id, isActive: 'false' } as const;
    await ann.client.call(setKeywordActive, { params });
    await engram.settled();
    await ask(ann, QUESTION);
    const before = await belongings(ann);
    const bytes = await exportOf(ann);
    const nothingNew = {
      files: { added: 0, present: 2 },
      history: { added: 0, present: 1 },
      keywords: { added: 0, present: 8 },
      profile: false,
      rejected: [],
    };
    expect(await importOf(ann, bytes)).toEqual(nothingNew);
    await engram.settled();
    expect(await belongings(ann)).toEqual(before);

    const bob = await engram.signIn(`bob${userCount}@example.org`);
    await bob.client.call(updateProfile, { body: { name: 'Bob' } });
    const empty = await exportOf(bob);
    expect(await importOf(bob, bytes)).toMatchObject({ files: { added: 2, present: 0 } });
    // Concurrent imports run one after the other, or the second one is refused.
    const both = await Promise.allSettled([importOf(bob, bytes), importOf(bob, bytes)]);
    for (const result of both) {
      expect(
        result.status === 'fulfilled' ? result.value : { ...nothingNew, ...result.reason },
      ).toMatchObject(result.status === 'fulfilled' ? nothingNew : { status: 409 });
    }
    await engram.settled();
    const imported = await belongings(bob);
    expect({ ...imported, profile: null }).toEqual({ ...before, profile: null });
    expect(imported.profile.name).toBe('Bob');
    expect(await importOf(ann, empty)).toEqual({
      ...nothingNew,
      profile: true,
      files: { added: 0, present: 0 },
      history: { added: 0, present: 0 },
      keywords: { added: 0, present: 6 },
    });
  });

  test('quotes of a file that was not imported are removed, and restored once it is', async () => {
    await upload(ann, { 'lease.txt': DEPOSIT });
    await engram.settled();
    await ask(ann, QUESTION);
    const before = await belongings(ann);
    const bytes = await exportOf(ann);
    const broken = await changed(bytes, () => ({
      'files/lease.txt': Buffer.from('The deposit is 9 euros.'),
    }));
    const bob = await engram.signIn(`bob${userCount}@example.org`);
    const result = await importOf(bob, broken);
    expect(result).toMatchObject({
      files: { added: 0, present: 0 },
      history: { added: 1, present: 0 },
      rejected: [{ name: 'lease.txt', message: expect.stringContaining('checksum') as string }],
    });
    const [entry] = (await belongings(bob)).history;
    expect(entry).toMatchObject({
      answers: ['Removed: the file was deleted.'],
      citations: [],
      found: [],
      similarVectors: [],
      recommendations: [],
    });
    const missing = await changed(bytes, () => ({ 'files/lease.txt': null }));
    expect((await importOf(bob, missing)).rejected).toEqual([
      { name: 'lease.txt', message: 'The export does not contain it.' },
    ]);

    expect(await importOf(bob, bytes)).toMatchObject({
      files: { added: 1 },
      history: { added: 0, present: 1 },
      rejected: [],
    });
    await engram.settled();
    expect((await belongings(bob)).history).toEqual(before.history);
  });

  test('a signed link downloads the export without a session for 15 minutes', async () => {
    await upload(ann, { 'lease.txt': DEPOSIT });
    const { data } = await ann.client.call(signExport, {});
    const open = (url: string, init: RequestInit = {}) => fetch(engram.origin + url, init);
    const response = await open(data.url);
    expect(response.status).toBe(200);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'application/zip',
      'content-disposition': 'attachment; filename=engram-export-2026-03-10.zip',
      'cache-control': 'private, no-store',
      'referrer-policy': 'no-referrer',
    });
    const members = await unpack(Buffer.from(await response.arrayBuffer()));
    expect(String(members['files/lease.txt'])).toBe(DEPOSIT);
    const head = await open(data.url, { method: 'HEAD' });
    expect([head.status, await head.text()]).toEqual([200, '']);
    const [payload = '', mac = ''] = data.url.split('.');
    for (const forged of [`${payload}x.${mac}`, `${payload}.${mac}A`, payload, '/v1/exports/x']) {
      expect((await open(forged)).status).toBe(404);
    }
    expect((await fetch(`${engram.baseUrl}/account/export`)).status).toBe(401);
    engram.advance(15 * MINUTE + 1000);
    expect((await open(data.url)).status).toBe(410);
    // A link requires recent authentication.
    const renewed = await engram.signIn(ann.email);
    const { data: link } = await renewed.client.call(signExport, {});
    await renewed.client.call(deleteAccount, { body: { email: ann.email } });
    expect((await open(link.url)).status).toBe(410);
  });

  test('an export stops when its client disconnects, and concurrent exports of a user are limited', async () => {
    const bytes = new Uint8Array(randomBytes(20_000_000));
    await upload(ann, { 'large.zip': storedZip({ 'large.bin': bytes }) });
    await engram.settled();
    const begin = async () => {
      const controller = new AbortController();
      const answer = await ann.client.file(exportAccount, {}, { signal: controller.signal });
      return { controller, answer };
    };
    const exports = [await begin(), await begin(), await begin()];
    await expect(begin()).rejects.toMatchObject({ status: 429, code: 'too_many_exports' });
    for (const { controller } of exports) controller.abort();
    await expect
      .poll(async () => begin().then(({ controller }) => controller.abort(), String))
      .toBeUndefined();
  });
});
