import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { PGlite } from '@electric-sql/pglite';
import MiniSearch, { type Options } from 'minisearch';
import pg from 'pg';
import { openSqliteIndex } from '../apps/server/src/platform/index/sqlite/sqlite-index.ts';

/** One chunk as every engine gets it: its terms are analysed already and joined by single spaces. */
export interface EngineChunk {
  id: number;
  artifactId: string;
  ordinal: number;
  terms: string;
}

/** A full-text engine; the best 50 for some terms, any of which may be missing. */
export interface OpenEngine {
  search(terms: string[]): Promise<unknown>;
  /** Bytes of memory that the engine has outside of this process. */
  outside?(): Promise<number>;
  close(): Promise<void>;
}

/** Filled in one process and opened in another, so that building is no part of its memory. */
export interface Engine {
  build(folder: string, chunks: Chunks): Promise<void>;
  open(folder: string): Promise<OpenEngine>;
}

type Chunks = readonly EngineChunk[];

const RESULTS = 50;
const ROWS_PER_BATCH = 2000;

function* batches(chunks: Chunks): Generator<EngineChunk[]> {
  for (let from = 0; from < chunks.length; from += ROWS_PER_BATCH) {
    yield chunks.slice(from, from + ROWS_PER_BATCH);
  }
}

const USER = '00000000-0000-4000-8000-000000000001';

const openIndex = (folder: string) => openSqliteIndex({ folder, log: { warn: console.warn } });

/** Engram's index answers whole rows, the others ids alone. */
const engram: Engine = {
  async build(folder, chunks) {
    const index = await openIndex(folder);
    for (const batch of batches(chunks)) {
      const artifacts = Map.groupBy(batch, ({ artifactId }) => artifactId);
      await index.replace(
        USER,
        Array.from(artifacts, ([artifactId, rows]) => ({
          artifactId,
          rows: rows.map(({ ordinal, terms }) => {
            const place = { start: 0, end: terms.length, location: { line: 1 }, places: [] };
            return { artifactId, ordinal, text: terms, terms, headings: [], ...place };
          }),
        })),
      );
    }
    await index.close();
  },
  async open(folder) {
    const index = await openIndex(folder);
    return {
      search: (terms) => index.search(USER, { terms, limit: RESULTS }),
      close: () => index.close(),
    };
  },
};

const sqliteFile = (folder: string) => join(folder, 'chunks.sqlite');

const sqlite: Engine = {
  async build(folder, chunks) {
    const database = new DatabaseSync(sqliteFile(folder));
    database.exec(
      `PRAGMA journal_mode = wal;
       CREATE VIRTUAL TABLE chunks USING fts5(terms, tokenize = "unicode61 tokenchars '-_./:#@&+%'");`,
    );
    const insert = database.prepare('INSERT INTO chunks (rowid, terms) VALUES (?, ?)');
    for (const batch of batches(chunks)) {
      database.exec('BEGIN');
      for (const { id, terms } of batch) insert.run(id, terms);
      database.exec('COMMIT');
    }
    database.exec(`INSERT INTO chunks (chunks) VALUES ('optimize')`);
    database.close();
  },
  async open(folder) {
    const database = new DatabaseSync(sqliteFile(folder));
    const query = database.prepare(
      `SELECT rowid FROM chunks WHERE chunks MATCH ? ORDER BY rank LIMIT ${RESULTS}`,
    );
    return {
      search: async (terms) =>
        query.all(terms.map((term) => `"${term.replaceAll('"', '""')}"`).join(' OR ')),
      close: async () => database.close(),
    };
  },
};

const miniSearchOptions: Options<EngineChunk> = {
  fields: ['terms'],
  tokenize: (terms) => terms.split(' '),
  processTerm: (term) => term,
};
const miniSearchFile = (folder: string) => join(folder, 'chunks.json');

const miniSearch: Engine = {
  async build(folder, chunks) {
    const engine = new MiniSearch<EngineChunk>(miniSearchOptions);
    engine.addAll(chunks);
    await writeFile(miniSearchFile(folder), JSON.stringify(engine));
  },
  async open(folder) {
    const json = await readFile(miniSearchFile(folder), 'utf8');
    const engine = MiniSearch.loadJSON<EngineChunk>(json, miniSearchOptions);
    return {
      search: async (terms) => engine.search(terms.join(' ')).slice(0, RESULTS),
      close: async () => undefined,
    };
  },
};

/** What node-postgres and PGlite have in common. */
interface Sql {
  query(statement: string, parameters?: unknown[]): Promise<{ rows: unknown[] }>;
}

async function fillSql(sql: Sql, chunks: Chunks): Promise<void> {
  await sql.query('CREATE TABLE chunks (id integer PRIMARY KEY, terms tsvector NOT NULL)');
  for (const batch of batches(chunks)) {
    await sql.query(
      `INSERT INTO chunks SELECT id, to_tsvector('simple', terms)
       FROM unnest($1::integer[], $2::text[]) AS given (id, terms)`,
      [batch.map(({ id }) => id), batch.map(({ terms }) => terms)],
    );
  }
  await sql.query('CREATE INDEX chunks_terms ON chunks USING gin (terms)');
  await sql.query('VACUUM ANALYZE chunks');
}

function searchSql(sql: Sql, terms: string[]): Promise<unknown> {
  const quoted = terms.map((term) => `'${term.replaceAll(/['\\]/gu, '')}'`);
  return sql.query(
    `SELECT id FROM chunks, to_tsquery('simple', $1) AS query WHERE terms @@ query
     ORDER BY ts_rank(terms, query) DESC LIMIT ${RESULTS}`,
    [quoted.join(' | ')],
  );
}

const pglite: Engine = {
  async build(folder, chunks) {
    const database = await PGlite.create(folder);
    await fillSql(database, chunks);
    await database.close();
  },
  async open(folder) {
    const database = await PGlite.create(folder);
    return { search: (terms) => searchSql(database, terms), close: () => database.close() };
  },
};

async function connectPostgres(): Promise<pg.Client> {
  const client = new pg.Client(process.env['ENGRAM_TEST_DATABASE_URL']);
  await client.connect();
  return client;
}

/** On the server that `scripts/with-services.ts` started. */
const postgres: Engine = {
  async build(_folder, chunks) {
    const client = await connectPostgres();
    await fillSql(client, chunks);
    await client.end();
  },
  async open() {
    const client = await connectPostgres();
    return {
      search: (terms) => searchSql(client, terms),
      async outside() {
        const { rows } = await client.query<{ bytes: string }>(
          `SELECT (SELECT sum(total_bytes) FROM pg_backend_memory_contexts)
             + (SELECT sum(allocated_size) FROM pg_shmem_allocations) AS bytes`,
        );
        return Number(rows[0]?.bytes ?? 0);
      },
      close: () => client.end(),
    };
  },
};

/** Every engine by its name. */
export const engines = {
  'Engram (whole rows)': engram,
  'SQLite FTS5': sqlite,
  MiniSearch: miniSearch,
  PGlite: pglite,
  PostgreSQL: postgres,
} satisfies Record<string, Engine>;

export type EngineName = keyof typeof engines;
