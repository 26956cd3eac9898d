import { API_KEY_HEADER, type RouteDefinition, routes } from '@engram/contract';
import { beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { createAuthenticator } from './authenticator.test-setup.ts';
import { connectOverHttp, GENERATIONS, makeKey } from './mcp-clients.test-setup.ts';
import { fillLibrary, formOf, plainCalls, type SentCall } from './plain-calls.test-setup.ts';
import type { SignedInUser } from './app.test-setup.ts';
import { useTestApp } from './use-app.test-setup.ts';
import { ACCESS, ADMIN, type Access, type Attempt, OPEN, OWN } from './two-users.test-setup.ts';

/** Names of fields that identify a user or data of a user, anywhere in a request. */
const NAMING = /(?:^|[a-z_])(?:ids?|token|secret|email|after)$/iu;

/** Fields with such names that do not identify data of a user. */
const NOT_IDENTIFYING = new Set([
  'altEmail',
  'priceId',
  'questionId',
  'selectedOption',
  // An authorization request belongs to the browser that started it, for any signed-in user. Other
  // browsers are tested in connections/tests/code-flow.test.ts.
  'uid',
]);

/** The names of all fields of a schema, at any depth. A list of ids counts as one. */
function fieldsOf(schema: z.ZodType | undefined): string[] {
  if (!schema) return [];
  const names: string[] = [];
  const visit = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return;
    const { properties, format } = node as { properties?: object; format?: string };
    names.push(...Object.keys(properties ?? {}));
    if (format === 'uuid') names.push('id');
    for (const child of Object.values(node)) visit(child);
  };
  visit(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }));
  return names;
}

const naming = ({ params, query, body }: RouteDefinition): string[] =>
  [params, query, body]
    .flatMap(fieldsOf)
    .filter((name) => NAMING.test(name) && !NOT_IDENTIFYING.has(name));

const byId = new Map(routes.map((route) => [route.id, route]));
const accessOf = ({ id }: RouteDefinition): Access | undefined => ACCESS[id];
const routesWith = (access: Access) => routes.filter((route) => accessOf(route) === access);
const attempts = Object.entries(ACCESS).flatMap(([id, access]) => {
  const route = byId.get(id);
  return route && typeof access === 'object' ? [[id, route, access] as const] : [];
});

describe('the table of calls and who may use them', () => {
  test('the table has every call of the contract, and no other', () => {
    const missing = routes.filter((route) => !accessOf(route)).map(({ id }) => id);
    expect(missing, 'Add these calls to ACCESS: OWN, OPEN, ADMIN or an attempt.').toEqual([]);
    const unknown = Object.keys(ACCESS).filter((id) => !byId.has(id));
    expect(unknown, 'These calls are no longer in the contract.').toEqual([]);
  });

  test('the table matches the authorization of the contract', () => {
    const wrong = routes.filter((route) => {
      const access = accessOf(route);
      if (route.auth === 'public') return access !== OPEN;
      if (route.auth === 'admin') return access !== ADMIN;
      return access === OPEN || access === ADMIN;
    });
    expect(
      wrong.map(({ id, auth }) => `${id} is ${auth}`),
      'Public calls are OPEN, those of admins ADMIN, all others OWN or an attempt.',
    ).toEqual([]);
  });

  test('the table has an attempt for each call with an id, a token or an address', () => {
    const untried = routes
      .filter((route) => route.auth === 'user' && accessOf(route) === OWN)
      .flatMap((route) => naming(route).map((name) => `${route.id} takes ${name}`));
    expect(
      untried,
      'Write into ACCESS how another user tries these calls on the data of the owner.',
    ).toEqual([]);
  });
});

const engram = useTestApp({ env: { ENGRAM_ADMIN_EMAILS: 'root@example.org' } });
const calls = plainCalls(engram);
let ann: SignedInUser;
let bob: SignedInUser;
let bobsKey: string;

const lineOf = ({ method, path }: RouteDefinition, { path: tried = '' }: Attempt = {}): string =>
  `${method} ${tried.startsWith('/') ? tried : path + tried}`;

/** Makes an attempt with a token, or with an API key in its header. */
const attempt = (
  route: RouteDefinition,
  tried: Attempt,
  credentials: Pick<SentCall, 'token' | 'headers'>,
) => {
  const file = { name: 'raft.txt', content: 'A raft is moored at the jetty.' };
  const body = tried.form ? formOf(calls.filledIn(tried.form), file) : tried.body;
  const sent = body === undefined ? {} : { body };
  return calls.call(lineOf(route, tried), { ...sent, ...credentials });
};

/** All rows of a user as text, from every table. */
async function rowsOfUser(userId: string): Promise<string[]> {
  const { pool } = engram.deps.database;
  const { rows: tables } = await pool.query<{ name: string }>(
    `SELECT table_name AS name FROM information_schema.columns
     WHERE column_name = 'user_id' AND table_schema = 'public' ORDER BY name`,
  );
  const conditions = [
    ...tables.map(({ name }) => `${name} AS row WHERE row.user_id = $1`),
    'users AS row WHERE row.id = $1',
  ];
  const rowTexts: string[] = [];
  for (const condition of conditions) {
    const { rows } = await pool.query<{ text: string }>(
      `SELECT row::text AS text FROM ${condition} ORDER BY text`,
      [userId],
    );
    rowTexts.push(...rows.map(({ text }) => `${condition.split(' ')[0]} ${text}`));
  }
  return rowTexts;
}

beforeAll(async () => {
  await engram.signIn('ann@example.org');
  ann = await engram.signIn('ann@example.org');
  bob = await engram.signIn('bob@example.org');
  await fillLibrary(engram, calls, ann.token);
  const { names } = calls;
  const data = async <T>(line: string, body?: unknown): Promise<T> => {
    const { status, answer } = await calls.call(line, { token: ann.token, body });
    expect([line, status, answer['message']]).toEqual([line, 200, expect.any(String)]);
    return answer['data'] as T;
  };
  const files = await data<{ artifactId: string }[]>('GET /artifacts');
  const plans = await data<{ priceId: string; amount: number }[]>('GET /subscription/active');
  const sessions = await data<{ id: string; current: boolean }[]>('GET /sessions');
  Object.assign(names, {
    session: sessions.find(({ current }) => !current)?.id,
    owner: ann.userId,
    email: ann.email,
    note: files.find(({ artifactId }) => artifactId !== names['file'])?.artifactId,
    share: (await data<{ id: string }>('POST /shares', { historyId: '{entry}' })).id,
    key: (await data<{ id: string }>('POST /api/keys/generate/Notebook')).id,
    price: plans.find(({ amount }) => amount > 0)?.priceId,
  });
  const { rows } = await engram.deps.database.pool.query<{ id: string }>(
    `INSERT INTO connections
     VALUES (gen_random_uuid(), $1, 'lamp', 'Lamp', null, false, 'local', '{files:read}', now())
     RETURNING id`,
    [ann.userId],
  );
  names['connection'] = rows[0]?.id ?? '';
  const { rows: hooks } = await engram.deps.database.pool.query<Record<string, string>>(
    `WITH webhook AS (
       INSERT INTO webhooks VALUES (gen_random_uuid(), $1, 'http://127.0.0.1:9/', '{file.ready}',
         null, 'active', gen_random_uuid(), null, null, null, now()) RETURNING id)
     INSERT INTO webhook_deliveries
     SELECT gen_random_uuid(), id, 'file.ready', '{}', 'delivered', 1, now(), 200, null, null, now()
     FROM webhook RETURNING id AS delivery, webhook_id AS webhook`,
    [ann.userId],
  );
  const { rows: mailboxes } = await engram.deps.database.pool.query<Record<string, string>>(
    `INSERT INTO mailboxes VALUES (gen_random_uuid(), $1, '127.0.0.1', 9, 'none', 'ann', null, 'INBOX',
       'leave', null, false, null, null, 0, now())
     RETURNING id AS mailbox`,
    [ann.userId],
  );
  Object.assign(names, hooks[0], mailboxes[0]);
  const { rows: passwords } = await engram.deps.database.pool.query<{ id: string }>(
    `INSERT INTO saved_passwords
     VALUES (gen_random_uuid(), $1, 'Lease.pdf', 'encrypted'::bytea, now()) RETURNING id`,
    [ann.userId],
  );
  names['filePassword'] = passwords[0]?.id ?? '';
  const newPasskey = async () =>
    createAuthenticator(engram.origin).create(await data<object>('POST /passkeys/options'));
  const added = { name: 'Laptop', credential: await newPasskey() };
  const { id, response } = await newPasskey();
  Object.assign(names, {
    passkey: (await data<{ id: string }>('POST /passkeys', added)).id,
    credential: id,
    clientData: response.clientDataJSON,
    attestation: response.attestationObject,
  });
  const { clientSecret } = await data<{ clientSecret: string }>(
    'POST /stripe/create-checkout-session',
    { priceId: '{price}' },
  );
  names['checkoutSecret'] = clientSecret;
  const { sessionId } = await data<{ sessionId: string }>('GET /sandbox/checkout/{checkoutSecret}');
  names['checkout'] = sessionId;
  const apiKey = await calls.call('POST /api/keys/generate/Stranger', { token: bob.token });
  bobsKey = (apiKey.answer['data'] as { apiKey: string }).apiKey;
});

describe('calls with the ids of another user', () => {
  const outcomeOf = async (
    route: RouteDefinition,
    tried: Attempt,
    credentials: Pick<SentCall, 'token' | 'headers'>,
  ) => {
    const before = await rowsOfUser(ann.userId);
    const { status, answer } = await attempt(route, tried, credentials);
    const after = await rowsOfUser(ann.userId);
    const changed = [...new Set(before).symmetricDifference(new Set(after))];
    return { status, data: answer['data'], changed };
  };
  const refusalOf = (tried: Attempt) =>
    'passedOver' in tried
      ? { status: 200, data: tried.passedOver, changed: [] }
      : { status: tried.refused ?? 404, data: undefined, changed: [] };

  test.each(attempts)('%s is refused, and changes nothing', async (_, route, tried) => {
    expect(await outcomeOf(route, tried, { token: bob.token })).toEqual(refusalOf(tried));
  });

  test.each(attempts.filter(([, { apiKey }]) => apiKey))(
    '%s is refused with an API key, too',
    async (_, route, tried) => {
      const headers = { [API_KEY_HEADER]: bobsKey };
      expect(await outcomeOf(route, tried, { headers })).toEqual(refusalOf(tried));
    },
  );
});

describe.each(GENERATIONS)('an assistant of %s that another user connected', (generation) => {
  test('an assistant cannot find, list, read, quote or change another user’s data', async () => {
    const before = await rowsOfUser(ann.userId);
    const file = calls.names['file'] ?? '';
    const client = await connectOverHttp(engram, generation, await makeKey(bob));
    const call = (name: string, params: Record<string, unknown>) =>
      client.callTool({ name, arguments: params });
    const question = 'How much notice does the lease need?';
    const answers = [
      await call('search', { query: question, keywords: ['Home'] }),
      await call('ask', { question }),
      await call('list_files', { query: 'Lease' }),
      await call('fetch', { id: file }),
      await call('fetch', { id: `${file}:0-20` }),
      await client.listResources(),
    ];
    expect(JSON.stringify(answers)).not.toMatch(/Lease\.txt|three months|boiler/u);
    expect(answers[3]).toMatchObject({ isError: true });
    expect(answers[4]).toMatchObject({ isError: true });
    await expect(client.readResource({ uri: `engram://files/${file}` })).rejects.toThrow(
      /not found/iu,
    );
    await client.close();
    expect(await rowsOfUser(ann.userId)).toEqual(before);
  });
});

const UNKNOWN = '00000000-0000-4000-8000-000000000000';
/** Any call of a route, with valid parameters. */
const anyLine = (route: RouteDefinition): string =>
  lineOf(route).replaceAll(/\{(\w+)\}/gu, (_, name: string) =>
    name === 'credits' ? '5' : UNKNOWN,
  );

test.each(routesWith(ADMIN).map((route) => [route.id, route] as const))(
  '%s is for admins only, with ids of others or without',
  async (_, route) => {
    const before = await rowsOfUser(ann.userId);
    const ownLine = lineOf(route).replaceAll('{credits}', '5').replaceAll('{userId}', ann.userId);
    for (const line of [anyLine(route), ownLine]) {
      expect(await calls.call(line, { token: bob.token })).toMatchObject({
        status: 403,
        answer: { message: 'Only admins may do this.' },
      });
    }
    expect(await rowsOfUser(ann.userId)).toEqual(before);
  },
);

test.each(
  routes.filter(({ auth }) => auth !== 'public').map((route) => [route.id, route] as const),
)('%s needs a token', async (_, route) => {
  expect((await calls.call(anyLine(route))).status).toBe(401);
});

describe('the same attempts by the owner', () => {
  const [last, ...others] = attempts.toReversed();

  test('the attempts use real ids: they work for the owner', async () => {
    const refused: string[] = [];
    // The last attempt deletes the account, once.
    const lasting = others.toReversed().filter(([id]) => id !== 'profile.deleteAccount');
    for (const [id, route, tried] of [...lasting, last!]) {
      const { status, answer } = await attempt(route, tried, { token: ann.token });
      const passedOver = 'passedOver' in tried && (answer['data'] as unknown[]).length === 0;
      if ([401, 403, 404].includes(status) || passedOver) refused.push(`${id}: ${status}`);
    }
    expect(refused).toEqual([]);
    await engram.settled();
  });
});
