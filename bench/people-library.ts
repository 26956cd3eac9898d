import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { type Client, createClient } from '@engram/client';
import { searchReady, uploadArtifacts } from '@engram/contract';
import { createSecrets } from '../apps/server/src/features/auth/secrets.ts';
import type { TestApp } from '../apps/server/src/tests/app.test-setup.ts';
import type { LibraryText } from './library-text.ts';

const NOTE_CHARACTERS = 1500;
/** People who upload at a time. */
const UPLOADING = 4;
/** People whose files are read before the next ones upload: a pile would be another thing to measure. */
const PEOPLE_PER_WAVE = 40;
const POLL_MS = 50;
const WEEK_MS = 7 * 86_400_000;

/** Somebody with an account and an open session. */
export interface Person {
  id: string;
  email: string;
  sessionId: string;
}

/** All that a sign-in makes of an account, copied from one that did sign in. */
const COPIES = [
  `INSERT INTO users (id, email, name, ip, device, agreed_terms_at, questionnaire_answered_at, created_at)
   SELECT given.id, given.email, 'Some Person', ip, device, now(), now(), now()
   FROM unnest($2::uuid[], $3::text[], $4::uuid[]) AS given (id, email, session), users WHERE users.id = $1`,
  `INSERT INTO keywords (id, user_id, keyword, is_active, is_default, created_at)
   SELECT gen_random_uuid(), given.id, keyword, is_active, is_default, now()
   FROM unnest($2::uuid[], $3::text[], $4::uuid[]) AS given (id, email, session), keywords WHERE user_id = $1`,
  `INSERT INTO subscriptions (user_id, plan, status, credit)
   SELECT given.id, plan, status, credit
   FROM unnest($2::uuid[], $3::text[], $4::uuid[]) AS given (id, email, session), subscriptions WHERE user_id = $1`,
  `INSERT INTO sessions (id, user_id, refresh_hash, created_at, expires_at, device, ip, last_used_at, proven_at, secured)
   SELECT given.session, given.id, md5(given.session::text), now(), now() + interval '7 days', device, ip, now(), now(), secured
   FROM unnest($2::uuid[], $3::text[], $4::uuid[]) AS given (id, email, session),
     (SELECT * FROM sessions WHERE user_id = $1 LIMIT 1) AS own`,
];

/** Makes accounts as sign-ins do, without their mails. */
export async function addPeople(engram: TestApp, count: number): Promise<Person[]> {
  const first = await engram.signIn('first@example.org');
  const people = Array.from({ length: count }, () => {
    const id = randomUUID();
    return { id, email: `${id}@example.org`, sessionId: randomUUID() };
  });
  const given = [
    first.userId,
    people.map(({ id }) => id),
    people.map(({ email }) => email),
    people.map(({ sessionId }) => sessionId),
  ];
  for (const sql of COPIES) await engram.deps.database.pool.query(sql, given);
  return people;
}

/** Gives people some questions each in their history, as lists of them show. */
export async function addHistory(
  engram: TestApp,
  people: readonly Person[],
  questions: number,
): Promise<void> {
  await engram.deps.database.pool.query(
    `INSERT INTO history (id, thread, user_id, question, answer, grounded, citations, recommendations, related, created_at)
     SELECT gen_random_uuid(), gen_random_uuid(), given.id, 'What does the note say of the deposit?',
       repeat('The deposit is 2,340 euros [1]. ', 20), true,
       jsonb_build_array(jsonb_build_object('n', 1, 'artifactId', file.id, 'fileName', file.file_name,
         'location', '{"line":1}'::jsonb, 'quote', repeat('The deposit is 2,340 euros. ', 4))),
       '[]', jsonb_build_array(jsonb_build_object('artifactId', file.id, 'score', 0.9)), now()
     FROM unnest($1::uuid[]) AS given (id), generate_series(1, $2::int),
       LATERAL (SELECT id, file_name FROM artifacts WHERE user_id = given.id LIMIT 1) AS file`,
    [people.map(({ id }) => id), questions],
  );
}

/** Calls a server as a person. */
export async function clientOf(url: string, secret: string, person: Person): Promise<Client> {
  const { id: userId, sessionId, email } = person;
  const at = new Date();
  const token = await createSecrets(secret).signToken(
    { userId, sessionId, email, role: 'USER' },
    at,
    new Date(at.getTime() + WEEK_MS),
  );
  return createClient({ baseUrl: `${url}/v1`, token: () => token });
}

/** Uploads notes for each of the people, and waits until all of them are ready. */
export async function uploadFor(
  clients: readonly Client[],
  text: LibraryText,
  notes: number,
): Promise<void> {
  for (let from = 0; from < clients.length; from += PEOPLE_PER_WAVE) {
    const wave = clients.slice(from, from + PEOPLE_PER_WAVE);
    const waiting = [...wave];
    const lane = async (): Promise<void> => {
      for (let client = waiting.pop(); client; client = waiting.pop()) {
        const files = Array.from({ length: notes }, (_, at) => ({
          name: `note ${at}.txt`,
          content: new Blob([text.file(2).slice(0, NOTE_CHARACTERS)]),
        }));
        await client.upload(uploadArtifacts, files, {});
      }
    };
    await Promise.all(Array.from({ length: UPLOADING }, lane));
    for (const client of wave) {
      while (!(await client.call(searchReady, {})).data) await wait(POLL_MS);
    }
  }
}

/** Accounts, files that are ready, their texts, and questions, as rows and nothing else. */
const ROWS = `
  WITH people AS (
    INSERT INTO users (id, email, created_at)
    SELECT id, id || '@example.org', now()
    FROM (SELECT gen_random_uuid() AS id FROM generate_series(1, $1::int)) AS made
    RETURNING id
  ), files AS (
    INSERT INTO artifacts (id, user_id, group_id, file_name, file_type, media_type, size, sha256, source,
      keywords, status, progress, indexed, language, preview, created_at, updated_at)
    SELECT gen_random_uuid(), people.id, gen_random_uuid(), 'note ' || n || '.txt', 'txt', 'text/plain',
      ${NOTE_CHARACTERS}, repeat(md5(people.id::text || n), 2), 'Web', '{Work}', 'SUCCESS', 100, true, 'en',
      repeat('word ', 10), now(), now()
    FROM people, generate_series(1, $2::int) AS n
    RETURNING id
  ), texts AS (
    INSERT INTO artifact_texts (artifact_id, part, text, segments)
    SELECT id, 0, repeat(md5(id::text), ${Math.ceil(NOTE_CHARACTERS / 32)}), '[]' FROM files
  )
  INSERT INTO history (id, thread, user_id, question, answer, grounded, created_at)
  SELECT gen_random_uuid(), gen_random_uuid(), people.id, 'What does the note say of the deposit?',
    repeat('The deposit is 2,340 euros [1]. ', 20), true, now()
  FROM people, generate_series(1, $3::int)`;
const PEOPLE_PER_STATEMENT = 1000;

/** Adds people of whom there are rows in the database alone: many in little time. */
export async function addRows(
  engram: TestApp,
  { people, notes, questions }: { people: number; notes: number; questions: number },
): Promise<void> {
  for (let added = 0; added < people; added += PEOPLE_PER_STATEMENT) {
    const count = Math.min(PEOPLE_PER_STATEMENT, people - added);
    await engram.deps.database.pool.query(ROWS, [count, notes, questions]);
  }
  await engram.deps.database.pool.query('analyze');
}
