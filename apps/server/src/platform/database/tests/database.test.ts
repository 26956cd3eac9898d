import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Database } from '../database.ts';
import { describeDatabases, type TestStore } from './database-suite.test-setup.ts';

describeDatabases('a database', (createStore, kind) => {
  let store: TestStore;
  let database: Database;

  beforeAll(async () => {
    store = await createStore();
    database = await store.open();
    await database.pool.query('create table notes (author int not null, body text not null)');
  });
  beforeEach(() => database.pool.query('truncate notes'));
  afterAll(async () => {
    await database.close();
    await store.destroy();
  });

  async function countNotes(): Promise<number> {
    const { rows } = await database.pool.query<{ n: number }>(
      'select count(*)::int as n from notes',
    );
    return rows[0]?.n ?? -1;
  }

  test('the database names its kind, and works after an error', async () => {
    expect(database.kind).toBe(kind);
    await expect(database.pool.query('select $1::int', ['x'])).rejects.toThrow(/invalid input/);
    await expect(database.pool.query('select 1 / 0')).rejects.toThrow(/division by zero/);
    const { rows } = await database.pool.query('select $1::text as greeting', ['Grüße 東京']);
    expect(rows).toEqual([{ greeting: 'Grüße 東京' }]);
  });

  test('20 concurrent clients get their own answers, with parameters of every size', async () => {
    const answers = await Promise.all(
      Array.from({ length: 20 }, async (_, client) => {
        const lengths: unknown[] = [];
        for (const size of [1, 70_000, 300_000]) {
          const text = String.fromCodePoint(65 + client).repeat(size);
          const { rows } = await database.pool.query(
            `select length($1::text) as n${client}, left($1, 1) as first`,
            [text],
          );
          lengths.push(rows[0]);
        }
        return lengths;
      }),
    );
    for (const [client, lengths] of answers.entries()) {
      const first = String.fromCodePoint(65 + client);
      expect(lengths).toEqual([1, 70_000, 300_000].map((n) => ({ [`n${client}`]: n, first })));
    }
  });

  test('20 concurrent transactions are isolated, and those rolled back leave nothing', async () => {
    const outcomes = await Promise.allSettled(
      Array.from({ length: 20 }, async (_, author) => {
        const single = database.pool.query('insert into notes values ($1, $2)', [author, 'alone']);
        await database.transaction(async (tx) => {
          await tx.execute(`insert into notes values (${author}, 'first')`);
          await tx.execute(`insert into notes values (${author}, 'second')`);
          if (author % 2 === 1) throw new Error('undo');
        });
        await single;
      }),
    );
    expect(outcomes.filter(({ status }) => status === 'rejected')).toHaveLength(10);
    const { rows } = await database.pool.query(
      "select author, string_agg(body, ' ' order by body) as bodies from notes group by author order by author",
    );
    expect(rows).toEqual(
      Array.from({ length: 20 }, (_, author) => ({
        author,
        bodies: author % 2 === 1 ? 'alone' : 'alone first second',
      })),
    );
  });

  test('a statement waiting behind an open transaction survives its rollback', async () => {
    let waiting: Promise<unknown> | undefined;
    const failed = database.transaction(async (tx) => {
      await tx.execute("insert into notes values (1, 'undone')");
      waiting = database.pool.query("insert into notes values (2, 'kept')");
      await tx.execute("insert into notes values (1, 'undone too')");
      throw new Error('undo');
    });
    await expect(failed).rejects.toThrow('undo');
    await waiting;
    const { rows } = await database.pool.query('select body from notes');
    expect(rows).toEqual([{ body: 'kept' }]);
  });

  test('a failed statement inside a transaction rolls it back, and later statements work', async () => {
    const failed = database.transaction(async (tx) => {
      await tx.execute("insert into notes values (1, 'undone')");
      await tx.execute('select nothing from nowhere');
    });
    await expect(failed).rejects.toThrow(/Failed query|does not exist/);
    await database.pool.query("insert into notes values (1, 'kept')");
    expect(await countNotes()).toBe(1);
  });

  test('a connection lost inside a transaction rolls it back and blocks no other client', async () => {
    const client = await database.pool.connect();
    await client.query('begin');
    await client.query("insert into notes values (1, 'lost')");
    client.release(new Error('lost'));
    await database.pool.query("insert into notes values (2, 'kept')");
    expect(await countNotes()).toBe(1);
  });

  test('tasks for after the commit run after it, and never after a rollback', async () => {
    const order: string[] = [];
    await database.transaction(async (tx) => {
      database.afterCommit(() => order.push('after'));
      await tx.execute("insert into notes values (1, 'x')");
      await tx.transaction(async () => database.afterCommit(() => order.push('after nested')));
      order.push('inside');
    });
    await database
      .transaction(async () => {
        database.afterCommit(() => order.push('never'));
        throw new Error('undo');
      })
      .catch(() => undefined);
    database.afterCommit(() => order.push('outside'));
    expect(order).toEqual(['inside', 'after', 'after nested', 'outside']);
  });

  test.each([
    ['40P01', 2, 3],
    ['40001', 2, 3],
    ['40P01', 9, 3],
    ['23505', 9, 1],
  ])(
    'a transaction that fails with %s %i times is started %i times',
    async (code, failures, begun) => {
      const fail = `do $$ begin raise exception 'as if' using errcode = '${code}'; end $$`;
      let tries = 0;
      let done = 0;
      const outcome = database.transaction(async (tx) => {
        tries += 1;
        database.afterCommit(() => (done += 1));
        await tx.execute("insert into notes values (1, 'x')");
        if (tries <= failures) await tx.execute(fail);
        return tries;
      });
      const result = await outcome.then(
        String,
        ({ cause }: { cause: { code: string } }) => cause.code,
      );
      const succeeds = failures < begun;
      expect(result).toBe(succeeds ? String(begun) : code);
      const once = succeeds ? 1 : 0;
      expect([tries, done, await countNotes()]).toEqual([begun, once, once]);
    },
  );

  test.runIf(kind === 'server')('two transactions that deadlock both succeed', async () => {
    await database.pool.query("insert into notes values (1, 'a'), (2, 'b')");
    const first = [Promise.withResolvers<void>(), Promise.withResolvers<void>()] as const;
    const swap = (own: 0 | 1) =>
      database.transaction(async (tx) => {
        await tx.execute(`update notes set body = body || '${own}' where author = ${own + 1}`);
        first[own].resolve();
        await first[own ? 0 : 1].promise;
        await tx.execute(`update notes set body = body || '${own}' where author = ${2 - own}`);
      });
    await Promise.all([swap(0), swap(1)]);
    const { rows } = await database.pool.query<{ body: string }>('select body from notes');
    for (const { body } of rows) expect([...body].toSorted().join('')).toMatch(/^01[ab]$/u);
    expect(rows).toHaveLength(2);
  });

  test('maintenance deletes no rows', async () => {
    await database.pool.query("insert into notes select 1, 'row' from generate_series(1, 500)");
    await database.pool.query('delete from notes where ctid in (select ctid from notes limit 400)');
    await database.maintain();
    expect(await countNotes()).toBe(100);
  });
});

describeDatabases('the limits of a database', (createStore) => {
  let store: TestStore;

  beforeAll(async () => {
    store = await createStore();
  });
  afterAll(() => store.destroy());

  test('a transaction that waits too long for its next statement is rolled back', async () => {
    const database = await store.open({ idleInTransactionMs: 500 });
    await database.pool.query('create table drafts (body text)');
    const client = await database.pool.connect();
    const ended = new Promise<void>((resolve) => client.once('end', resolve));
    await client.query("begin; insert into drafts values ('left alone')");
    await ended;
    client.release(true);
    const { rows } = await database.pool.query('select * from drafts');
    expect(rows).toEqual([]);
    await database.close();
  });

  test('a statement that runs too long is cancelled, and the server and its rows are unaffected', async () => {
    const database = await store.open({ statementTimeoutMs: 2000 });
    await database.pool.query("create table facts as select 'kept' as body");
    let ticks = 0;
    const ticking = setInterval(() => ticks++, 5);
    const slow = database.pool.query('select count(*) from generate_series(1, 10000000000)');
    await expect(slow).rejects.toThrow(/ran longer than|statement timeout/);
    clearInterval(ticking);
    expect(ticks).toBeGreaterThan(10);
    const { rows } = await database.pool.query('select body from facts');
    expect(rows).toEqual([{ body: 'kept' }]);
    await database.close();
  });

  test('work without the limit may take longer', async () => {
    const database = await store.open({ statementTimeoutMs: 1000 });
    const result = await database.withoutTimeout((client) =>
      client.query(
        `do $$ begin
           while clock_timestamp() < statement_timestamp() + interval '2 seconds' loop end loop;
         end $$`,
      ),
    );
    expect(result.command).toBe('DO');
    await database.close();
  });
});
