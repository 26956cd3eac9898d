import { buildTestApp } from '../apps/server/src/tests/app.test-setup.ts';

export interface Lists {
  files: number;
  questions: number;
  accounts: number;
  /** The number of newest questions in one conversation. */
  turns?: number;
}

/** Every Nth file is archived, or has the keyword. */
const ARCHIVED_INTERVAL = 20;
const KEYWORD_INTERVAL = 50;

const FILES = `
  INSERT INTO artifacts (id, user_id, group_id, file_name, file_type, media_type, size, sha256,
    source, keywords, archived, status, progress, indexed, preview, created_at, updated_at)
  SELECT gen_random_uuid(), $1, gen_random_uuid(),
    (ARRAY['Report', 'invoice', 'Minutes', 'letter'])[n % 4 + 1] || ' ' || md5(n::text) || '.pdf',
    'pdf', 'application/pdf', n::bigint * 7919 % 5000000, md5(n::text), 'Web',
    CASE WHEN n % ${KEYWORD_INTERVAL} = 0 THEN '{Finance,Home,Tax}'::text[] ELSE '{Work}' END,
    n % ${ARCHIVED_INTERVAL} = 0, 'SUCCESS', 100, true, repeat('word ', 10),
    now() - n * interval '7 minutes', now()
  FROM generate_series(1, $2::int) AS n`;

const QUESTIONS = `
  INSERT INTO history (id, thread, user_id, question, answer, grounded, citations, recommendations, related,
    created_at)
  SELECT gen_random_uuid(), gen_random_uuid(), $1, 'What does report ' || n || ' say of the deposit?',
    repeat('The deposit is 2,340 euros [1]. ', 20), true,
    jsonb_build_array(jsonb_build_object('n', 1, 'artifactId', file.id, 'fileName', file.file_name,
      'location', '{"page":1}'::jsonb, 'quote', repeat('The deposit is 2,340 euros. ', 4))),
    '[]', jsonb_build_array(jsonb_build_object('artifactId', file.id, 'score', 0.9)),
    now() - n * interval '7 minutes'
  FROM generate_series(1, $2::int) AS n
  JOIN (SELECT id, file_name, row_number() OVER () AS place FROM artifacts WHERE user_id = $1)
    AS file ON file.place = n % $3::int + 1`;

const ACCOUNTS = `
  WITH accounts AS (
    INSERT INTO users (id, email, name, created_at)
    SELECT gen_random_uuid(), 'person' || n || '@example.org', 'Person ' || n,
      now() - n * interval '1 hour'
    FROM generate_series(1, $1::int) AS n
    RETURNING id
  )
  INSERT INTO subscriptions (user_id, plan, status, credit)
  SELECT id, 'Starter(Free)', 'Active', 5 FROM accounts`;

const CONVERSATION = `
  WITH newest AS (
    SELECT id FROM history WHERE user_id = $1 ORDER BY created_at DESC LIMIT $2
  )
  UPDATE history SET thread = (SELECT id FROM newest LIMIT 1)
  WHERE id IN (SELECT id FROM newest)
  RETURNING thread`;

/** Fills a data folder with an account and many others. Returns the id of the conversation. */
export async function fillLists(dataDir: string, email: string, lists: Lists): Promise<string> {
  await using engram = await buildTestApp({ dataDir });
  const { userId } = await engram.signIn(email);
  const { pool } = engram.deps.database;
  await pool.query(FILES, [userId, lists.files]);
  await pool.query(QUESTIONS, [userId, lists.questions, lists.files]);
  await pool.query(ACCOUNTS, [lists.accounts]);
  const { rows } = await pool.query<{ thread: string }>(CONVERSATION, [userId, lists.turns ?? 1]);
  await pool.query('ANALYZE');
  return rows[0]?.thread ?? '';
}
