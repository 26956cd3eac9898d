import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { connect, Session } from '@lancedb/lancedb';
import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import { isUuid, requireUuid } from '../index/index-schema.ts';
import { Serial } from '../index/serial.ts';
import { type ArtifactVectors, type HeldVectors, vectorSchemaVersion } from './vector-schema.ts';
import { type NearChunk, rewriteMark, VectorTable } from './vector-table.ts';

export type { ArtifactVectors, ChunkVector, HeldVectors } from './vector-schema.ts';
export type { NearChunk } from './vector-table.ts';

/** The model whose vectors a table holds. */
export interface VectorModel {
  /** Small letters, digits and hyphens. */
  key: string;
  dimensions: number;
  /** The setting that brings the model back. */
  setting: string;
}

/** A model of which a person has vectors. */
export interface StoredModel extends VectorModel {
  /** Whether every file that was ready at some time had its vectors then. */
  complete: boolean;
}

export interface NearestRequest {
  /** Of length 1. */
  vector: Float32Array;
  /** How many chunks are wanted, 1 or more. */
  limit: number;
  /** Only these artifacts; an empty set finds nothing. */
  only?: ReadonlySet<string>;
  /** Not these artifacts. */
  exclude?: ReadonlySet<string>;
}

/**
 * The vectors of each person's chunks, for each model a table of its own: derived from the search
 * index, so that any of it may be removed and made again. Every id is a lower-case UUID; another
 * one is a `TypeError`. One process at a time.
 */
export interface VectorStore {
  /** Users of whom there are vectors. */
  users(): Promise<string[]>;
  /** The models of which a user has vectors. */
  models(userId: string): Promise<StoredModel[]>;
  /**
   * Adds vectors of artifacts, in the order of their chunks. An artifact among `anew` begins anew:
   * what was there of it is removed.
   */
  add(
    userId: string,
    model: VectorModel,
    artifacts: readonly ArtifactVectors[],
    anew: readonly string[],
  ): Promise<void>;
  /**
   * Removes artifacts of all models: in no answer from now on, their bytes with the next `purge`. A
   * table from which nothing can be removed goes as a whole.
   */
  remove(userId: string, artifactIds: readonly string[]): Promise<void>;
  /** What there is of each artifact. */
  held(userId: string, model: VectorModel): Promise<Map<string, HeldVectors>>;
  /** The nearest chunks, best first. */
  nearest(userId: string, model: VectorModel, request: NearestRequest): Promise<NearChunk[]>;
  /** To be called when a search failed: the next `purge` writes the table anew, or removes it. */
  doubt(userId: string, model: VectorModel): Promise<void>;
  /** Says that every file has its vectors of the model. */
  complete(userId: string, model: VectorModel): Promise<void>;
  /** Removes the bytes of deleted rows, and all that is no table of a known model. */
  purge(userId: string): Promise<void>;
  /** Purges, removes old versions, builds what makes searching fast; where it is needed. */
  tidy(userId: string): Promise<void>;
  removeModel(userId: string, key: string): Promise<void>;
  /** Removes everything of a user from the disk. */
  removeUser(userId: string): Promise<void>;
  /** Ends writes; nothing may be called afterwards. */
  close(): Promise<void>;
}

export interface VectorStoreOptions {
  /** The folder for all users' tables; made when there is something to keep. */
  folder: string;
  /** How much of the engine's data stays in memory, in bytes. */
  cacheBytes?: number;
  /** Tables that stay open. */
  mostOpen?: number;
  /** Users of whom nothing is kept any more: nothing is written of them. */
  isGone?: (userId: string) => boolean;
}

const megabyte = 1024 * 1024;
const keyPattern = /^[a-z0-9-]{1,64}$/;
const description = 'model.json';
const nobody: ReadonlySet<string> = new Set();

const storedModel: z.ZodType<StoredModel> = z.object({
  key: z.string().regex(keyPattern),
  dimensions: z.number().int().positive(),
  setting: z.string(),
  complete: z.boolean(),
});

/** How the engine says that the disk is full: what it could not do then it can do later. */
const isDiskFull = (error: unknown): boolean => /ENOSPC|No space left/iu.test(String(error));

const emptyWhenMissing = (error: NodeJS.ErrnoException): string[] => {
  if (error.code === 'ENOENT') return [];
  throw error;
};

export function createVectorStore({
  folder,
  cacheBytes = 256 * megabyte,
  mostOpen = 200,
  isGone = () => false,
}: VectorStoreOptions): VectorStore {
  const session = new Session(BigInt(cacheBytes), BigInt(Math.ceil(cacheBytes / 4)));
  const suffix = `-v${vectorSchemaVersion}`;
  const writers = new Map<string, Serial>();
  const open = new LRUCache<string, Promise<VectorTable>>({
    max: mostOpen,
    dispose: (table) => void table.then((each) => each.close()).catch(() => undefined),
  });

  const userFolder = (userId: string): string => {
    requireUuid(userId, 'user id');
    return join(folder, userId);
  };
  const modelFolder = (userId: string, key: string): string => {
    if (!keyPattern.test(key)) throw new TypeError('This is no key of a model.');
    return join(userFolder(userId), `${key}${suffix}`);
  };

  /** One writer for each person. */
  function write<Result>(userId: string, work: () => Promise<Result>): Promise<Result> {
    const writer = writers.get(userId) ?? new Serial();
    writers.set(userId, writer);
    return writer.run(work).finally(() => {
      if (writer.isIdle) writers.delete(userId);
    });
  }

  async function describe(path: string, model: StoredModel): Promise<void> {
    const draft = join(path, `${description}.new`);
    await writeFile(draft, JSON.stringify(model));
    await rename(draft, join(path, description));
  }

  async function described(path: string): Promise<StoredModel | null> {
    try {
      const model = storedModel.parse(JSON.parse(await readFile(join(path, description), 'utf8')));
      return basename(path) === `${model.key}${suffix}` ? model : null;
    } catch {
      return null;
    }
  }

  function tableOf(userId: string, { key, dimensions }: VectorModel): Promise<VectorTable> {
    const path = modelFolder(userId, key);
    const known = open.get(path);
    if (known) return known;
    const opening = (async () => {
      await mkdir(path, { recursive: true });
      return VectorTable.open(await connect({ uri: path, session }), path, dimensions);
    })();
    open.set(path, opening);
    opening.catch(() => open.delete(path));
    return opening;
  }

  /** For what only reads: no folder is made by looking. */
  async function knownTable(userId: string, model: VectorModel): Promise<VectorTable | null> {
    const path = modelFolder(userId, model.key);
    return open.has(path) || (await described(path)) ? tableOf(userId, model) : null;
  }

  async function foldersOf(userId: string): Promise<string[]> {
    const own = userFolder(userId);
    return (await readdir(own).catch(emptyWhenMissing)).map((name) => join(own, name));
  }

  async function models(userId: string): Promise<StoredModel[]> {
    const found = await Promise.all((await foldersOf(userId)).map(described));
    return found.filter((model) => model !== null);
  }

  async function discard(path: string): Promise<void> {
    open.delete(path);
    await rm(path, { recursive: true, force: true });
  }

  /** Tables of older versions, and those of which a kill or a fault left nobody who knows them. */
  async function discardUnknown(userId: string): Promise<void> {
    for (const path of await foldersOf(userId)) if (!(await described(path))) await discard(path);
  }

  /** Does something with each of a person's tables; one with which it cannot be done goes. */
  async function withEach(
    userId: string,
    work: (table: VectorTable) => Promise<void>,
    mayKeep: (error: unknown) => boolean,
  ): Promise<void> {
    for (const model of await models(userId)) {
      try {
        await work(await tableOf(userId, model));
      } catch (error) {
        if (mayKeep(error)) throw error;
        await discard(modelFolder(userId, model.key));
      }
    }
  }

  return {
    users: async () => (await readdir(folder).catch(emptyWhenMissing)).filter(isUuid),
    models,

    async add(userId, model, artifacts, anew) {
      for (const id of [...artifacts.map(({ artifactId }) => artifactId), ...anew]) {
        requireUuid(id, 'artifact id');
      }
      await write(userId, async () => {
        if (isGone(userId)) return;
        const path = modelFolder(userId, model.key);
        const { key, dimensions, setting } = model;
        const table = await tableOf(userId, model);
        if (!(await described(path))) {
          await describe(path, { key, dimensions, setting, complete: false });
        }
        await table.add(artifacts, anew);
      });
    },

    async remove(userId, artifactIds) {
      for (const artifactId of artifactIds) requireUuid(artifactId, 'artifact id');
      await write(userId, async () => {
        await discardUnknown(userId);
        // Whoever deletes a file gets that, and the vectors of others can be made again.
        await withEach(
          userId,
          (table) => table.remove(artifactIds),
          () => false,
        );
      });
    },

    held: async (userId, model) =>
      (await (await knownTable(userId, model))?.held()) ?? new Map<string, HeldVectors>(),

    async nearest(userId, model, { vector, limit, only = null, exclude = nobody }) {
      if (limit < 1 || only?.size === 0) return [];
      const table = await knownTable(userId, model);
      return (await table?.nearest({ vector, limit: Math.floor(limit), only, exclude })) ?? [];
    },

    doubt: (userId, model) =>
      write(userId, async () => {
        if (await described(modelFolder(userId, model.key))) {
          await writeFile(join(modelFolder(userId, model.key), rewriteMark), '');
        }
      }),

    complete: (userId, model) =>
      write(userId, async () => {
        if (isGone(userId)) return;
        const { key, dimensions, setting } = model;
        const path = modelFolder(userId, key);
        await mkdir(path, { recursive: true });
        await describe(path, { key, dimensions, setting, complete: true });
      }),

    purge: (userId) =>
      write(userId, async () => {
        await discardUnknown(userId);
        await withEach(userId, (table) => table.purge(), isDiskFull);
      }),

    tidy: (userId) =>
      write(userId, async () => {
        await discardUnknown(userId);
        await withEach(userId, (table) => table.tidy(), isDiskFull);
      }),

    removeModel: (userId, key) => write(userId, () => discard(modelFolder(userId, key))),

    removeUser: (userId) =>
      write(userId, async () => {
        for (const path of await foldersOf(userId)) open.delete(path);
        await rm(userFolder(userId), { recursive: true, force: true });
      }),

    async close() {
      await Promise.all([...writers.values()].map((writer) => writer.drained()));
      await Promise.allSettled(open.values());
      open.clear();
    },
  };
}
