import { once } from 'node:events';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { type ClientRequest, type IncomingMessage, request } from 'node:http';
import path from 'node:path';
import {
  addKeywordByBody,
  deleteAccount,
  deleteAccountByPut,
  generateCode,
  getProfile,
  listArtifacts,
  listHistory,
  listKeywords,
  search,
  signArtifact,
  uploadArtifacts,
  validateCode,
} from '@engram/contract';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { findWords } from '../../../tests/find-words.test-setup.ts';
import { startWithModel } from '../../../tests/model-app.test-setup.ts';
import { buildTestApp, type SignedInUser, testDatabases } from '../../../tests/app.test-setup.ts';
import { useTestApp } from '../../../tests/use-app.test-setup.ts';

let userCount = 0;
const newAddress = (): string => {
  userCount += 1;
  return `qxe${userCount}leaver@example.org`;
};

/** The parts of the data folder with data of the user. */
async function foldersOf(dataDir: string, userId: string): Promise<string[]> {
  const kinds = ['files', 'index'];
  const names = await Promise.all(
    kinds.map((kind) => readdir(path.join(dataDir, kind)).catch(() => [] as string[])),
  );
  return kinds.filter((_, i) => names[i]?.some((name) => name.startsWith(userId)));
}

const note = (name: string, text: string) => ({ name, content: new Blob([text]) });

const ask = async (user: SignedInUser, text: string) =>
  (await user.client.call(search, { body: { text, audio: false } })).data;

const leave = (user: SignedInUser, email = user.email) =>
  user.client.call(deleteAccount, { body: { email } });

describe.each(testDatabases)('deleting an account (%s)', (database) => {
  const engram = useTestApp({ database, env: { ENGRAM_ADMIN_EMAILS: 'root@example.org' } });
  let ann: SignedInUser;

  beforeEach(async () => {
    ann = await engram.signIn(newAddress());
  });

  const rowsOf = async (userId: string): Promise<string[]> => {
    const { pool } = engram.deps.database;
    const { rows: tables } = await pool.query<{ name: string }>(
      `SELECT table_name AS name FROM information_schema.columns
       WHERE column_name = 'user_id' AND table_schema = 'public' AND table_name <> 'deleted_accounts'`,
    );
    const names: string[] = [];
    for (const { name } of tables) {
      const { rowCount } = await pool.query(`SELECT FROM ${name} WHERE user_id = $1`, [userId]);
      if (rowCount) names.push(name);
    }
    return names;
  };

  test('removes all its data and no data of others', async () => {
    const bob = await engram.signIn(newAddress());
    await bob.client.upload(uploadArtifacts, [note('kept.txt', 'The heron nests in May.')], {});
    const words = { text: 'QXTleave41', name: 'QXNleave42', keyword: 'QXKleave43' };
    await ann.client.upload(
      uploadArtifacts,
      [
        note('padlock.txt', `The padlock of the boathouse has the code ${words.text}.`),
        note(`${words.name}.txt`, 'A note on the mill pond.'),
      ],
      { filesKeywords: JSON.stringify({ 'padlock.txt': [words.keyword] }) },
    );
    await ann.client.call(addKeywordByBody, { body: { keyword: 'QXKleave44' } });
    await engram.settled();
    expect((await ask(ann, 'Which code has the padlock?')).answers[0]).toContain(words.text);
    expect((await ask(bob, 'When does the heron nest?')).grounded).toBe(true);
    await engram.deps.index.purge(ann.userId);
    const { data: files } = await ann.client.call(listArtifacts, {});
    const { data: link } = await ann.client.call(signArtifact, {
      params: { artifactId: files[0]?.artifactId ?? '' },
    });
    expect(await foldersOf(engram.folder, ann.userId)).toEqual(['files', 'index']);
    expect(await rowsOf(ann.userId)).toEqual(
      expect.arrayContaining(['artifacts', 'history', 'keywords', 'query_counts', 'sessions']),
    );

    expect(await leave(ann)).toMatchObject({
      data: null,
      message: 'User account and all related data deleted successfully',
    });

    expect((await fetch(engram.origin + link.presignedUrl)).status).toBe(410);
    expect(await rowsOf(ann.userId)).toEqual([]);
    await engram.settled();
    await engram.deps.database.maintain();
    expect(await foldersOf(engram.folder, ann.userId)).toEqual([]);
    // The pages of a PostgreSQL server are not in the data folder.
    const address = ann.email.split('@')[0] ?? '';
    const herWords = [...Object.values(words), 'QXKleave44', address];
    expect(await findWords(engram.folder, herWords)).toEqual([]);
    expect((await ask(bob, 'When does the heron nest?')).grounded).toBe(true);
    expect((await bob.client.call(listHistory, {})).data).toHaveLength(2);
    expect(await foldersOf(engram.folder, bob.userId)).toEqual(['files', 'index']);
  });

  test('ends all sessions, removes the cookie and invalidates a pending code', async () => {
    const second = await engram.signIn(ann.email);
    await engram.anonymous.call(generateCode, { body: { email: ann.email } });
    const mail = engram.mails.findLast(({ to }) => to === ann.email)?.text ?? '';
    const response = await fetch(`${engram.baseUrl}/user/profile/delete-account`, {
      method: 'DELETE',
      headers: { authorization: `Bearer ${ann.token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ email: ann.email }),
    });
    expect(response.status).toBe(200);
    expect(response.headers.get('set-cookie')).toMatch(
      /^engram_session=;.*Path=\/v1\/auth;.*Expires=Thu, 01 Jan 1970/u,
    );
    for (const { client } of [ann, second]) {
      await expect(client.call(getProfile, {})).rejects.toMatchObject({ status: 401 });
    }
    await expect(leave(ann)).rejects.toMatchObject({ status: 401 });
    const code = /\b\d{6}\b/u.exec(mail)?.[0] ?? '';
    await expect(
      engram.anonymous.call(validateCode, { body: { email: ann.email, code } }),
    ).rejects.toMatchObject({ status: 401 });
    await engram.settled();
  });

  test('frees the address: another sign-in with it creates a new account', async () => {
    await ann.client.upload(uploadArtifacts, [note('a.txt', 'The mill stands by the river.')], {});
    await engram.settled();
    await leave(ann);
    const newAccount = await engram.signIn(ann.email);
    expect(newAccount.userId).not.toBe(ann.userId);
    expect((await newAccount.client.call(listArtifacts, {})).data).toEqual([]);
    expect((await newAccount.client.call(listHistory, {})).data).toEqual([]);
    expect(
      (await newAccount.client.call(listKeywords, {})).data.every((keyword) => keyword.isDefault),
    ).toBe(true);
    await engram.settled();
    await newAccount.client.upload(
      uploadArtifacts,
      [note('a.txt', 'The mill has two wheels.')],
      {},
    );
    await engram.settled();
    expect((await ask(newAccount, 'How many wheels has the mill?')).answers[0]).toContain(
      'two wheels',
    );
  });

  test('rejects another address without changes, and ignores case', async () => {
    const bob = await engram.signIn(newAddress());
    await expect(leave(ann, bob.email)).rejects.toMatchObject({
      status: 403,
      message: 'This is not the address of your account. You can only delete your own.',
    });
    await expect(leave(ann, 'nobody')).rejects.toMatchObject({ status: 400 });
    for (const { client } of [ann, bob]) await client.call(getProfile, {});
    await leave(ann, ` ${ann.email.toUpperCase()} `);
    await expect(ann.client.call(getProfile, {})).rejects.toMatchObject({ status: 401 });
    await engram.settled();
  });

  test('is possible by PUT, twice concurrently, and for an admin', async () => {
    const admin = await engram.signIn('root@example.org');
    const body = { email: admin.email };
    const [first, second] = await Promise.allSettled([
      admin.client.call(deleteAccountByPut, { body }),
      admin.client.call(deleteAccountByPut, { body }),
    ]);
    expect(first.status).toBe('fulfilled');
    expect(second).toMatchObject(
      second.status === 'fulfilled' ? { value: { data: null } } : { reason: { status: 401 } },
    );
    const newAccount = await engram.signIn(admin.email);
    expect((await newAccount.client.call(getProfile, {})).data.role).toBe('ADMIN');
    await engram.settled();
  });

  test('running extractions store nothing', async () => {
    const text = 'The mill stands by the river. '.repeat(400);
    const files = Array.from({ length: 60 }, (_, n) => note(`${n}.txt`, `Note ${n}. ${text}`));
    await ann.client.upload(uploadArtifacts, files, {});
    await leave(ann);
    await engram.settled();
    expect(await foldersOf(engram.folder, ann.userId)).toEqual([]);
    expect(await rowsOf(ann.userId)).toEqual([]);
  });

  /** A half-sent upload: the rest of it, and the response. */
  async function beginUpload(user: SignedInUser): Promise<{
    uploading: ClientRequest;
    rest: string;
    answered: Promise<IncomingMessage>;
  }> {
    const part = (name: string) =>
      `--edge\r\nContent-Disposition: form-data; name="files"; filename="${name}"\r\nContent-Type: text/plain\r\n\r\n`;
    const uploading = request(`${engram.baseUrl}/artifacts/upload`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${user.token}`,
        'content-type': 'multipart/form-data; boundary=edge',
      },
    });
    const answered = once(uploading, 'response').then(([response]) => response as IncomingMessage);
    uploading.write(`${part('first.txt')}${'The heron nests in May. '.repeat(5000)}`);
    const incoming = path.join(engram.folder, 'files/.incoming');
    await expect.poll(() => readdir(incoming)).not.toEqual([]);
    const rest = `\r\n${part('second.txt')}The mill has two wheels.\r\n--edge--\r\n`;
    return { uploading, rest, answered };
  }

  test('the job deletes the rows that were left after a crash', async () => {
    await ann.client.upload(
      uploadArtifacts,
      Array.from({ length: 120 }, (_, n) => note(`${n}.txt`, `The mill has the number ${n}.`)),
      {},
    );
    await engram.settled();
    await ask(ann, 'Which number has the mill?');
    await engram.deps.database.pool.query(
      `INSERT INTO history (id, user_id, question, answer, grounded, follows, thread, created_at)
       SELECT gen_random_uuid(), user_id, 'And then?', '', false, id, thread, now()
       FROM history, generate_series(1, 230) WHERE user_id = $1`,
      [ann.userId],
    );
    await engram.deps.jobs.enqueue('remove-account', { userId: ann.userId });
    await engram.settled();
    expect(await rowsOf(ann.userId)).toEqual([]);
    expect(await foldersOf(engram.folder, ann.userId)).toEqual([]);
  });

  test('a running upload is rejected at its end and stores nothing', async () => {
    const { uploading, rest, answered } = await beginUpload(ann);
    await leave(ann);
    await engram.settled();
    uploading.end(rest);
    const response = await answered;
    expect(response.statusCode).toBe(401);
    expect(JSON.parse((await response.toArray()).join(''))).toMatchObject({
      message: 'Please sign in.',
    });
    await engram.settled();
    expect(await foldersOf(engram.folder, ann.userId)).toEqual([]);
    expect(await readdir(path.join(engram.folder, 'files/.incoming'))).toEqual([]);
  });

  test('the next consistency check deletes leftovers of a deleted account', async () => {
    await leave(ann);
    await engram.settled();
    const stranger = '00000000-0000-4000-8000-000000000000';
    for (const userId of [ann.userId, stranger]) {
      const folder = path.join(engram.folder, 'files', userId, crypto.randomUUID());
      await mkdir(folder, { recursive: true });
      await writeFile(path.join(folder, 'original'), 'left behind');
    }
    await engram.deps.services.consistency.maintain();
    expect(await foldersOf(engram.folder, ann.userId)).toEqual([]);
    // An unknown user may belong to another database.
    expect(await foldersOf(engram.folder, stranger)).toEqual(['files']);
  });
});

describe('during the deletion of an account', () => {
  let started: Awaited<ReturnType<typeof startWithModel>>;
  beforeAll(async () => {
    started = await startWithModel({ 'a.txt': 'The mill has two wheels.' });
  });
  afterAll(() => started.close());

  test('a running question is not stored', async () => {
    const { engram, model, ann } = started;
    const { promise: deleted, resolve: reportDeleted } = Promise.withResolvers<void>();
    model.behave({ kind: 'answer', pieces: ['The mill has two wheels [1].'], untilEnd: deleted });
    const refused = ann.ask('How many wheels has the mill?').catch((reason: unknown) => reason);
    await model.received(1);
    const { data: profile } = await ann.client.call(getProfile, {});
    await ann.client.call(deleteAccount, { body: { email: profile.email } });
    await engram.settled();
    reportDeleted();
    expect(await refused).toMatchObject({ status: 401, message: 'Please sign in.' });
    expect(await foldersOf(engram.folder, profile.id)).toEqual([]);
    const { rows } = await engram.deps.database.pool.query('SELECT id FROM history');
    expect(rows).toEqual([]);
  });

  // Must be the last test, because it ends the app.
  test('the next process continues if the server stops after the response', async () => {
    const { engram: first } = started;
    const ann = await first.signIn('bob@example.org');
    await ann.client.upload(uploadArtifacts, [note('a.txt', 'The canary sings QXTkill.')], {});
    await first.settled();
    await first.deps.jobs.stop({ graceful: false });
    await leave(ann);
    expect(await foldersOf(first.folder, ann.userId)).toEqual(['files', 'index']);
    await first.app.close();
    await first.deps.close();

    const next = await buildTestApp({ dataDir: first.folder });
    await next.settled();
    expect(await foldersOf(first.folder, ann.userId)).toEqual([]);
    // Runs the job again, as after a crash.
    await next.deps.jobs.enqueue('remove-account', { userId: ann.userId });
    await next.settled();
    await next.deps.database.maintain();
    expect(await findWords(first.folder, ['QXTkill'])).toEqual([]);
    await next.close();
  });
});
