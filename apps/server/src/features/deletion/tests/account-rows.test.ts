import {
  createShare,
  deleteAccount,
  search,
  updateProfile,
  uploadArtifacts,
  uploadProfileImage,
} from '@engram/contract';
import sharp from 'sharp';
import { beforeAll, describe, expect, test } from 'vitest';
import { type SignedInUser, testDatabases } from '../../../tests/app.test-setup.ts';
import { useTestApp } from '../../../tests/use-app.test-setup.ts';

/** A row of the user ($1) for each table that the calls of this test do not fill. */
const ROWS: Record<string, string> = {
  api_keys: `INSERT INTO api_keys VALUES
    (gen_random_uuid(), $1, 'Notebook', 'hash', 'eg…abc', now(), now())`,
  artifact_tables: `INSERT INTO artifact_tables
    SELECT id, 0, user_id, 'Mill', false, null, '[]', '[]', 2 FROM artifacts WHERE user_id = $1`,
  artifact_words: `INSERT INTO artifact_words
    SELECT id, '', 1, '[]' FROM artifacts WHERE user_id = $1`,
  audit_log: `INSERT INTO audit_log VALUES
    (gen_random_uuid(), $1, 'credits.add', $1, 'Added 5 credits.', now())`,
  checkouts: `INSERT INTO checkouts VALUES
    ('cs_1', $1, 'sandbox', 'price', 'hash', 'open', now(), now() + interval '1 hour')`,
  connections: `INSERT INTO connections VALUES (gen_random_uuid(), $1, 'lamp', 'Lamp',
    'lamp.example.org', true, 'site', '{files:read}', now())`,
  credit_ledger: `INSERT INTO credit_ledger VALUES
    (gen_random_uuid(), $1, 5, 5, 'Added by an admin', now())`,
  deleted_contents: `INSERT INTO deleted_contents VALUES ($1, 'hash', now())`,
  devices: `INSERT INTO devices VALUES
    (gen_random_uuid(), $1, null, 'Home-PC', 'Linux', '0.1.0', null, false, null, now(), now())`,
  history_audio: `INSERT INTO history_audio
    SELECT id, 'hash', 'mp3', now() FROM history WHERE user_id = $1`,
  invoices: `INSERT INTO invoices VALUES (gen_random_uuid(), $1, 'sandbox', 'in_1', 'E-1',
    'Engram - Pro - monthly', 500, now(), '1 Mill Lane', null, null)`,
  known_browsers: `INSERT INTO known_browsers VALUES ($1, 'hash', now())`,
  oauth_records: `INSERT INTO oauth_records
    SELECT 'Grant', id::text, '{}', id, user_id, null, null, now() FROM connections
    WHERE user_id = $1`,
  passkeys: `INSERT INTO passkeys VALUES
    (gen_random_uuid(), $1, 'Laptop', 'credential', '\\x00', 0, now(), now())`,
  payment_turns: `INSERT INTO payment_turns VALUES ($1, gen_random_uuid(), now())`,
  plan_mails: `INSERT INTO plan_mails VALUES ($1, 'limit:day', '2026-03-04', now())`,
  sandbox_subscriptions: `INSERT INTO sandbox_subscriptions VALUES
    ('sub_1', $1, 'cs_1', 'price', 'active', now(), now(), now(), '1 Mill Lane')`,
  sandbox_balances: `INSERT INTO sandbox_balances VALUES ($1, 500)`,
  sandbox_invoices: `INSERT INTO sandbox_invoices
    SELECT 'in_1', id, 'E-1', 'price', 500, now() FROM sandbox_subscriptions WHERE user_id = $1`,
  security_events: `INSERT INTO security_events VALUES
    (gen_random_uuid(), $1, 'sign_in', '192.0.2.1', 'MacOS', now())`,
  webhooks: `INSERT INTO webhooks VALUES (gen_random_uuid(), $1, 'https://qxr.example.org/',
    '{file.ready}', null, 'active', gen_random_uuid(), null, null, null, now())`,
  webhook_deliveries: `INSERT INTO webhook_deliveries
    SELECT gen_random_uuid(), id, 'file.ready', '{}', 'waiting', 0, null, null, null, now(), now()
    FROM webhooks WHERE user_id = $1`,
  mailboxes: `INSERT INTO mailboxes VALUES (gen_random_uuid(), $1, 'imap.example.org', 993, 'tls', 'qxr',
    'secret', 'INBOX', 'leave', null, false, null, null, 0, now())`,
  mailbox_messages: `INSERT INTO mailbox_messages
    SELECT id, 1, 1, 'hash', true, null, null, null FROM mailboxes WHERE user_id = $1`,
  reading_passwords: `INSERT INTO reading_passwords
    SELECT id, 'secret' FROM artifacts WHERE user_id = $1 LIMIT 1`,
  saved_passwords: `INSERT INTO saved_passwords VALUES
    (gen_random_uuid(), $1, 'qxr.pdf', 'secret', now())`,
  zip_links: `INSERT INTO zip_links VALUES ('hash', $1, '{}', now())`,
  questionnaire_answers: `INSERT INTO questionnaire_answers VALUES ($1, 'files', 'work', now())`,
};

/** What remains of an account: its ID and the time of the deletion. */
const REMAINING = new Set(['deleted_accounts']);

describe.each(testDatabases)('the rows of a deleted account (%s)', (database) => {
  const engram = useTestApp({ database });
  const address = 'qxrleaver@example.org';
  let ann: SignedInUser;

  const query = async <Row extends object>(text: string, values: unknown[] = []): Promise<Row[]> =>
    (await engram.deps.database.pool.query<Row>(text, values)).rows;

  /** The tables of the app and of its queues. */
  const tables = async (): Promise<{ schema: string; name: string }[]> =>
    query(
      `SELECT table_schema AS schema, table_name AS name FROM information_schema.tables
       WHERE table_type = 'BASE TABLE' AND table_schema NOT IN ('pg_catalog', 'information_schema')
       ORDER BY name`,
    );

  /** Tables with rows that contain a text. */
  const tablesWith = async (text: string, schemas?: string): Promise<string[]> => {
    const names: string[] = [];
    for (const { schema, name } of await tables()) {
      if (schemas && schema !== schemas) continue;
      const rows = await query(
        `SELECT FROM "${schema}"."${name}" AS row WHERE row::text ILIKE $1 LIMIT 1`,
        [`%${text}%`],
      );
      if (rows.length > 0) names.push(name);
    }
    return names;
  };

  beforeAll(async () => {
    ann = await engram.signIn(address);
    const note = { name: 'mill.txt', content: new Blob(['The mill has two wheels.']) };
    await ann.client.upload(uploadArtifacts, [note], {});
    await engram.settled();
    const { data: answer } = await ann.client.call(search, {
      body: { text: 'How many wheels has the mill?', audio: false },
    });
    await ann.client.call(createShare, { body: { historyId: answer.history_id } });
    await ann.client.call(updateProfile, { body: { name: 'Qxrname', altEmail: 'qxralt@x.de' } });
    const photo = sharp({ create: { width: 9, height: 9, channels: 3, background: 'red' } });
    const content = new Blob([new Uint8Array(await photo.png().toBuffer())]);
    await ann.client.sendFile(uploadProfileImage, { name: 'me.png', content });
    for (const statement of Object.values(ROWS)) await query(statement, [ann.userId]);
  });

  /** Tables with data of accounts. */
  const accountTables = async (): Promise<string[]> => {
    const rows = await query<{ name: string }>(
      `WITH RECURSIVE owned AS (
         SELECT 'users'::regclass::oid AS id
         UNION SELECT conrelid FROM pg_constraint JOIN owned ON confrelid = owned.id
         WHERE contype = 'f')
       SELECT id::regclass::text AS name FROM owned`,
    );
    return rows.map(({ name }) => name);
  };
  const emptyTables = async (tableNames: readonly string[]): Promise<string[]> => {
    const names: string[] = [];
    for (const name of tableNames) {
      if ((await query(`SELECT FROM ${name} LIMIT 1`)).length === 0) names.push(name);
    }
    return names;
  };

  test('are deleted from every table, and the audit log no longer names the account', async () => {
    const names = await accountTables();
    expect(await emptyTables(names), 'Add a row for each of these tables to ROWS.').toEqual([]);

    await ann.client.call(deleteAccount, { body: { email: address } });
    await engram.settled();

    expect(await tablesWith(ann.userId, 'public')).toEqual([...REMAINING]);
    for (const word of ['qxrleaver', 'Qxrname', 'qxralt', 'Mill Lane', 'two wheels']) {
      expect([word, await tablesWith(word)]).toEqual([word, []]);
    }
    expect(await query('SELECT actor_id, subject_id, details FROM audit_log')).toEqual([
      { actor_id: null, subject_id: null, details: 'Added 5 credits.' },
    ]);
    const others = names.filter((name) => name !== 'audit_log');
    expect(await emptyTables(others)).toEqual(others);
  });
});
