import { readFileSync } from 'node:fs';
import path from 'node:path';
import {
  deleteFilePassword,
  getArtifact,
  getArtifactText,
  listFilePasswords,
  retryArtifact,
  unlockArtifact,
  uploadArtifacts,
} from '@engram/contract';
import type { ApiError } from '@engram/client';
import { zipSync } from 'fflate';
import { beforeEach, describe, expect, test } from 'vitest';
import type { SignedInUser } from '../../../tests/app.test-setup.ts';
import { useTestApp } from '../../../tests/use-app.test-setup.ts';

const PASSWORD = 'Seerose 7';
const fixtures = path.join(import.meta.dirname, '../../../../../../packages/extraction/fixtures');
const locked = (name: string): Buffer<ArrayBuffer> => readFileSync(path.join(fixtures, name));
const PDF = locked('272-pdf-aes-256/lake-house.pdf');
const DOCX = locked('275-docx-standard/lake-house.docx');
const ZIP = locked('278-zip-aes-256/papers.zip');

const engram = useTestApp({ env: { ENGRAM_RATE_LIMITS: 'on' } });
let ann: SignedInUser;
let users = 0;

beforeEach(async () => {
  ann = await engram.signIn(`ann${(users += 1)}@example.org`);
});

async function upload(name: string, bytes: string | Uint8Array<ArrayBuffer>): Promise<string> {
  const { data } = await ann.client.upload(
    uploadArtifacts,
    [{ name, content: new Blob([bytes]) }],
    {},
  );
  await engram.settled();
  return data.artifacts[0]?.artifactId ?? '';
}

const get = async (artifactId: string) =>
  (await ann.client.call(getArtifact, { params: { artifactId } })).data;
const textOf = (artifactId: string) => ann.client.text(getArtifactText, { params: { artifactId } });

async function unlock(artifactId: string, password = PASSWORD, remember = false) {
  const body = { password, remember };
  const { data } = await ann.client.call(unlockArtifact, { params: { artifactId }, body });
  await engram.settled();
  return data.opened;
}

/** The names of the tables that contain a text. */
async function tablesWith(text: string): Promise<string[]> {
  const { pool } = engram.deps.database;
  const { rows } = await pool.query<{ name: string }>(
    `SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'public'`,
  );
  const tables: string[] = [];
  for (const { name } of rows) {
    const query = `SELECT FROM ${name} AS row WHERE row::text LIKE $1 LIMIT 1`;
    if ((await pool.query(query, [`%${text}%`])).rowCount) tables.push(name);
  }
  return tables;
}

const count = async (table: string): Promise<number> =>
  (await engram.deps.database.pool.query(`SELECT FROM ${table}`)).rowCount ?? 0;

describe('a file with a password', () => {
  test('is extracted once its password is entered', async () => {
    const id = await upload('lease.pdf', PDF);
    expect(await get(id)).toMatchObject({
      uploadStatus: 'FAILED',
      stage: 'failed',
      statusReason: 'This PDF is password-protected.',
      needsPassword: true,
      isVectorReady: false,
    });
    expect(await unlock(id)).toEqual([id]);
    expect(await get(id)).toMatchObject({
      uploadStatus: 'SUCCESS',
      statusReason: null,
      needsPassword: false,
      isVectorReady: true,
    });
    expect(await textOf(id)).toContain('2,400 euros');
  });

  test('stays locked with a wrong password, which is limited', async () => {
    const id = await upload('lease.docx', DOCX);
    const passwords = ['seerose 7', ...Array.from({ length: 10 }, (_, n) => `no ${n}`)];
    // Another one is allowed every thirty seconds, so no time may pass.
    const start = Date.now();
    const refusals = (await Promise.all(
      passwords.map((password) => unlock(id, password).catch((error: unknown) => error)),
    )) as ApiError[];
    const [wrong, ...others] = refusals.toSorted((a, b) => a.status - b.status);
    expect(wrong).toMatchObject({
      status: 422,
      code: 'wrong_password',
      message: 'This password does not open the file.',
    });
    expect(others.map(({ status }) => status)).toEqual([...Array<number>(9).fill(422), 429]);
    expect(await get(id)).toMatchObject({ stage: 'failed', needsPassword: true });
    engram.advance(start - Date.now());
    await expect(unlock(id)).rejects.toMatchObject({ status: 429 });
    engram.advance(31_000);
    expect(await unlock(id)).toEqual([id]);
  });

  test('is unlocked together with all others that have the same password', async () => {
    const ids = [
      await upload('a.pdf', PDF),
      await upload('b.docx', DOCX),
      await upload('c.zip', ZIP),
    ];
    const other = await upload('d.pdf', locked('014-pdf-password/secret.pdf'));
    const opened = await unlock(ids[0] ?? '');
    expect(new Set(opened)).toEqual(new Set(ids));
    for (const id of ids) expect(await get(id)).toMatchObject({ stage: 'ready' });
    expect((await get(other)).stage).toBe('failed');
  });

  test('does not open files of another user', async () => {
    const id = await upload('a.pdf', PDF);
    const bob = await engram.signIn(`bob${users}@example.org`);
    const { data } = await bob.client.upload(
      uploadArtifacts,
      [{ name: 'b.docx', content: new Blob([DOCX]) }],
      {},
    );
    await engram.settled();
    expect(await unlock(id)).toEqual([id]);
    const params = { artifactId: data.artifacts[0]?.artifactId ?? '' };
    expect((await bob.client.call(getArtifact, { params })).data.needsPassword).toBe(true);
  });

  test('is the only kind that accepts a password', async () => {
    const id = await upload('a.txt', 'The gate code is 5521.');
    await expect(unlock(id)).rejects.toMatchObject({ status: 409, code: 'no_password_needed' });
  });

  test('in an archive or a mail does not affect the rest', async () => {
    const plain = Buffer.from('The gate code is 5521.');
    const archive = await upload(
      'all.zip',
      zipSync({ 'a.txt': plain, 'lease.pdf': PDF }) as Uint8Array<ArrayBuffer>,
    );
    const mail = await upload(
      'mail.eml',
      [
        'From: ann@example.org\nTo: bob@example.org\nSubject: The lease\nMIME-Version: 1.0',
        'Content-Type: multipart/mixed; boundary=x\n',
        '--x\nContent-Type: text/plain\n\nHere it is.',
        '--x\nContent-Type: application/pdf\nContent-Disposition: attachment; filename=lease.pdf',
        `Content-Transfer-Encoding: base64\n\n${PDF.toString('base64')}\n--x--\n`,
      ].join('\n'),
    );
    for (const [id, text] of [
      [archive, '5521'],
      [mail, 'Here it is.'],
    ] as const) {
      expect(await get(id)).toMatchObject({
        stage: 'ready',
        statusReason: 'lease.pdf: This PDF is password-protected.',
        needsPassword: true,
      });
      expect(await textOf(id)).toContain(text);
    }
    expect((await unlock(archive)).toSorted()).toEqual([archive, mail].toSorted());
    for (const id of [archive, mail]) {
      expect(await get(id)).toMatchObject({ statusReason: null, needsPassword: false });
      expect(await textOf(id)).toContain('2,400 euros');
    }
  });
});

describe('a password', () => {
  test('is deleted after the extraction, and never stored in plain text', async () => {
    const id = await upload('lease.pdf', PDF);
    const body = { password: PASSWORD, remember: true };
    await ann.client.call(unlockArtifact, { params: { artifactId: id }, body });
    expect(await tablesWith(PASSWORD)).toEqual([]);
    await engram.settled();
    expect(await count('reading_passwords')).toBe(0);
    expect(await tablesWith(PASSWORD)).toEqual([]);
    const params = { artifactId: id };
    await expect(ann.client.call(retryArtifact, { params })).rejects.toMatchObject({ status: 409 });
  });

  test('that is saved unlocks later files, is listed without its text, and can be removed', async () => {
    const first = await upload('lease.pdf', PDF);
    await unlock(first, PASSWORD, true);
    const { data } = await ann.client.call(listFilePasswords, {});
    expect(data).toEqual([
      { id: expect.any(String), fileName: 'lease.pdf', createdAt: expect.any(String) },
    ]);
    const later = await upload('later.docx', DOCX);
    expect(await get(later)).toMatchObject({ stage: 'ready', needsPassword: false });
    await ann.client.call(deleteFilePassword, { params: { id: data[0]?.id ?? '' } });
    expect((await ann.client.call(listFilePasswords, {})).data).toEqual([]);
    const last = await upload('last.zip', ZIP);
    expect(await get(last)).toMatchObject({ needsPassword: true });
  });

  test('is saved once, and up to twenty can be saved', async () => {
    const id = await upload('lease.pdf', PDF);
    const { filePasswords, database } = engram.deps;
    const save = (password: string) =>
      database.transaction((tx) =>
        filePasswords.save(tx, ann.userId, { password, fileName: 'a.pdf', createdAt: new Date() }),
      );
    for (let n = 1; n <= 20; n += 1) await save(`number ${n}`);
    await save('number 20');
    await expect(unlock(id, PASSWORD, true)).rejects.toMatchObject({
      status: 409,
      code: 'too_many_passwords',
    });
    expect(await get(id)).toMatchObject({ needsPassword: true });
    expect(await unlock(id)).toEqual([id]);
  });

  test('is deleted with the account', async () => {
    const id = await upload('lease.pdf', PDF);
    await unlock(id, PASSWORD, true);
    await engram.deps.database.pool.query('DELETE FROM users WHERE id = $1', [ann.userId]);
    const { rows } = await engram.deps.database.pool.query(
      'SELECT FROM saved_passwords WHERE user_id = $1',
      [ann.userId],
    );
    expect(rows).toEqual([]);
  });
});
