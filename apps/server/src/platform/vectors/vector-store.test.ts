import { randomUUID } from 'node:crypto';
import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  type ArtifactVectors,
  createVectorStore,
  type VectorModel,
  type VectorStore,
} from './vector-store.ts';

const model: VectorModel = { key: 'tiny-1', dimensions: 4, setting: 'local:tiny' };
const other: VectorModel = { key: 'large-1', dimensions: 8, setting: 'openai:large' };

/** A vector that points as far from the first axis as the angle says. */
function towards(angle: number, dimensions = 4): Float32Array {
  const vector = new Float32Array(dimensions);
  vector[0] = Math.cos(angle);
  vector[1] = Math.sin(angle);
  return vector;
}

/** An artifact with a chunk for each angle. */
const artifact = (angles: number[], more: Partial<ArtifactVectors> = {}): ArtifactVectors => ({
  artifactId: randomUUID(),
  revision: 1,
  of: angles.length,
  rows: angles.map((angle, ordinal) => ({
    ordinal,
    start: ordinal * 10,
    end: ordinal * 10 + 9,
    digest: `digest-${ordinal}`,
    vector: towards(angle),
  })),
  ...more,
});

describe('the vectors', () => {
  let folder: string;
  let store: VectorStore;
  let user: string;
  const open = (): VectorStore => createVectorStore({ folder });

  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'engram-vectors-'));
    store = open();
    user = randomUUID();
  });
  afterEach(async () => {
    await store.close();
    await rm(folder, { recursive: true, force: true });
  });

  const nearest = (limits: { only?: Set<string>; exclude?: Set<string> } = {}, limit = 10) =>
    store.nearest(user, model, { vector: towards(0), limit, ...limits });
  const idsOf = (found: { artifactId: string }[]) => found.map(({ artifactId }) => artifactId);

  test('the nearest come first, with their cosines', async () => {
    const [near, far, opposite] = [artifact([0.1]), artifact([1]), artifact([3])];
    await store.add(user, model, [far, opposite, near], []);
    const found = await nearest();
    expect(idsOf(found)).toEqual([near, far, opposite].map(({ artifactId }) => artifactId));
    expect(found[0]).toMatchObject({ ordinal: 0, start: 0, end: 9, digest: 'digest-0' });
    for (const [at, angle] of [0.1, 1, 3].entries()) {
      expect(found[at]?.similarity).toBeCloseTo(Math.cos(angle), 4);
    }
    expect(await nearest({}, 2)).toHaveLength(2);
  });

  test('of a person who is gone nothing is written, whatever comes late', async () => {
    const gone = new Set<string>();
    const guarded = createVectorStore({ folder, isGone: (userId) => gone.has(userId) });
    await guarded.add(user, model, [artifact([0.1])], []);
    gone.add(user);
    await guarded.removeUser(user);
    await guarded.add(user, model, [artifact([0.2])], []);
    await guarded.complete(user, model);
    await guarded.purge(user);
    await guarded.tidy(user);
    expect(await guarded.users()).toEqual([]);
    await guarded.close();
  });

  test('limits on artifacts count before the best are cut', async () => {
    const many = Array.from({ length: 30 }, (_, at) => artifact([at / 100]));
    await store.add(user, model, many, []);
    const last = many.slice(-3).map(({ artifactId }) => artifactId);
    expect(new Set(idsOf(await nearest({ only: new Set(last) }, 2)))).toEqual(
      new Set(last.slice(0, 2)),
    );
    const first = new Set(many.slice(0, 28).map(({ artifactId }) => artifactId));
    expect(idsOf(await nearest({ exclude: first }))).toEqual(last.slice(1));
    expect(await nearest({ only: new Set() })).toEqual([]);
    const strangers = Array.from({ length: 1200 }, () => randomUUID());
    expect(idsOf(await nearest({ only: new Set([...strangers, ...last]) }))).toEqual(last);
    expect(await nearest({ exclude: new Set([...strangers, ...last]) }, 30)).toHaveLength(27);
    await expect(nearest({ only: new Set(["x' OR 1=1 --"]) })).rejects.toThrow('UUID');
  });

  test('a file gets its vectors part by part, and all anew when it is read anew', async () => {
    const whole = artifact([0.1, 0.2, 0.3]);
    const { artifactId, rows } = whole;
    await store.add(user, model, [{ ...whole, rows: rows.slice(0, 2) }], [artifactId]);
    expect(await store.held(user, model)).toEqual(
      new Map([[artifactId, { revision: 1, of: 3, rows: 2 }]]),
    );
    await store.add(user, model, [{ ...whole, rows: rows.slice(2) }], []);
    expect((await store.held(user, model)).get(artifactId)).toMatchObject({ rows: 3 });
    await store.add(user, model, [artifact([1], { artifactId, revision: 2 })], [artifactId]);
    expect((await store.held(user, model)).get(artifactId)).toEqual({
      revision: 2,
      of: 1,
      rows: 1,
    });
    expect(await store.held(user, model)).toHaveProperty('size', 1);
  });

  test('models keep apart, and each goes alone', async () => {
    await store.add(user, model, [artifact([1])], []);
    const wide = artifact([]);
    const row = { ordinal: 0, start: 0, end: 1, digest: 'x', vector: towards(0, 8) };
    await store.add(user, other, [{ ...wide, of: 1, rows: [row] }], []);
    await store.complete(user, other);
    const models = (await store.models(user)).toSorted((a, b) => a.dimensions - b.dimensions);
    expect(models).toEqual([
      { ...model, complete: false },
      { ...other, complete: true },
    ]);
    await store.removeModel(user, model.key);
    expect((await store.models(user)).map(({ key }) => key)).toEqual([other.key]);
    expect(await nearest()).toEqual([]);
    expect(await store.held(user, other)).toHaveProperty('size', 1);
  });

  test('people keep apart, and one goes wholly', async () => {
    const stranger = randomUUID();
    await store.add(user, model, [artifact([1])], []);
    await store.add(stranger, model, [artifact([2])], []);
    expect(new Set(await store.users())).toEqual(new Set([user, stranger]));
    await store.removeUser(user);
    expect(await store.users()).toEqual([stranger]);
    expect(await nearest()).toEqual([]);
    expect(await store.held(stranger, model)).toHaveProperty('size', 1);
    await expect(store.removeUser('..')).rejects.toThrow('UUID');
  });

  test('what is removed is found no more, and its bytes go', async () => {
    const secret = artifact([0.5]);
    const secretBytes = Buffer.from(secret.artifactId);
    await store.add(user, model, [secret, ...Array.from({ length: 40 }, () => artifact([1]))], []);
    const holders = async () => {
      const names = await readdir(folder, { recursive: true, withFileTypes: true });
      const files = names.filter((name) => name.isFile());
      const contents = await Promise.all(
        files.map(({ parentPath, name }) => readFile(path.join(parentPath, name))),
      );
      return contents.filter((content) => content.includes(secretBytes)).length;
    };
    expect(await holders()).toBeGreaterThan(0);
    await store.remove(user, [secret.artifactId, randomUUID()]);
    expect(idsOf(await nearest({}, 50))).not.toContain(secret.artifactId);
    await store.tidy(user);
    expect(await holders()).toBe(0);
    expect(await nearest({}, 50)).toHaveLength(40);
  });

  test('a large table is searched by its index, and changes count at once', async () => {
    const large = Array.from({ length: 12 }, (_, file) =>
      artifact(Array.from({ length: 500 }, (_, at) => 0.2 + (file * 500 + at) / 3000)),
    );
    await store.add(user, model, large, []);
    await store.tidy(user);
    const best = await nearest({}, 5);
    expect(best.map(({ ordinal }) => ordinal)).toEqual([0, 1, 2, 3, 4]);
    // The farthest file lies outside of the clusters that are looked into first.
    const far = large.at(-1)?.artifactId ?? '';
    expect(idsOf(await nearest({ only: new Set([far]) }, 3))).toEqual([far, far, far]);
    const fresh = artifact([0]);
    await store.add(user, model, [fresh], []);
    expect(idsOf(await nearest({}, 1))).toEqual([fresh.artifactId]);
    await store.remove(user, [fresh.artifactId, large[0]?.artifactId ?? '']);
    await store.tidy(user);
    expect(idsOf(await nearest({}, 1))).toEqual([large[1]?.artifactId]);
  }, 60_000);

  test('another process finds what this one left', async () => {
    const kept = artifact([0.1]);
    await store.add(user, model, [kept], []);
    await store.complete(user, model);
    await store.close();
    store = open();
    expect(await store.models(user)).toEqual([{ ...model, complete: true }]);
    expect(idsOf(await nearest())).toEqual([kept.artifactId]);
  });

  async function damage(ending: string): Promise<void> {
    await store.close();
    for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
      if (entry.isFile() && entry.name.endsWith(ending)) {
        await writeFile(path.join(entry.parentPath, entry.name), 'damaged');
      }
    }
    store = open();
  }

  test('a damaged table says so, and can be made anew', async () => {
    await store.add(user, model, [artifact([0.1])], []);
    await damage('.manifest');
    const fresh = artifact([0.2]);
    await expect(store.held(user, model)).rejects.toThrow(/./u);
    await store.removeModel(user, model.key);
    await store.add(user, model, [fresh], []);
    expect(idsOf(await nearest())).toEqual([fresh.artifactId]);
  });

  test.each(['.manifest', '.lance'])(
    'of a table with a damaged %s nothing stays that was to be removed',
    async (ending) => {
      const secret = artifact([0.1]);
      await store.add(user, model, [secret, artifact([0.2])], []);
      await damage(ending);
      await store.remove(user, [secret.artifactId]);
      await store.purge(user);
      expect(await store.models(user)).toEqual([]);
      expect(await readdir(path.join(folder, user))).toEqual([]);
    },
  );

  test('a table that is doubted stays when it is sound, and goes when it is not', async () => {
    const kept = artifact([0.1]);
    await store.add(user, model, [kept], []);
    await store.doubt(user, model);
    await store.purge(user);
    expect(idsOf(await nearest())).toEqual([kept.artifactId]);
    await damage('.lance');
    await expect(nearest()).rejects.toThrow(/./u);
    await store.doubt(user, model);
    await store.purge(user);
    expect(await store.models(user)).toEqual([]);
    await store.doubt(user, model);
    expect(await readdir(path.join(folder, user))).toEqual([]);
  });

  test('what no description belongs to goes with the next removal', async () => {
    await store.add(user, model, [artifact([0.1])], []);
    const own = path.join(folder, user);
    const [name = ''] = await readdir(own);
    for (const other of ['tiny-1-v0', 'large-1-v1', 'small-1-v1']) {
      await cp(path.join(own, name), path.join(own, other), { recursive: true });
    }
    await writeFile(path.join(own, 'large-1-v1', 'model.json'), '{');
    await store.remove(user, [randomUUID()]);
    expect(await readdir(own)).toEqual([name]);
  });

  test('a vector of zeros is near to nothing', async () => {
    const [silent, near] = [artifact([0]), artifact([0.1])];
    silent.rows[0]?.vector.fill(0);
    await store.add(user, model, [silent, near], []);
    const found = await nearest();
    expect(idsOf(found)).toEqual([near.artifactId]);
    expect(found[0]?.similarity).toBeGreaterThan(0.9);
  });

  test('looking makes no folder, and a key is no path', async () => {
    expect(await store.models(user)).toEqual([]);
    expect(await nearest()).toEqual([]);
    await store.tidy(user);
    expect(await store.users()).toEqual([]);
    const wrong = { ...model, key: '../x' };
    await expect(store.add(user, wrong, [artifact([1])], [])).rejects.toThrow('no key');
  });
});
