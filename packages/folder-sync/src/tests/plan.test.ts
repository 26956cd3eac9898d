import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  withHash,
  type FileChange,
  withArtifact,
  withVerdict,
  type KnownFile,
  type SeenFile,
} from '../files.ts';
import {
  type Answer,
  type ArchiveAnswer,
  makePlan,
  type Plan,
  type Step,
  STABLE_MS,
} from '../plan.ts';

const sum = (bytes: string): string => createHash('sha256').update(bytes).digest('hex');

interface StoredFile {
  sha256: string;
  path: string | null;
  archived: boolean;
  ours: boolean;
}

/** A folder, an Engram server and a device that may be interrupted after any step. */
class World {
  now = 1_000_000;
  readonly folder = new Map<string, { bytes: string; mtime: number; inode: number }>();
  readonly engram = new Map<string, StoredFile>();
  readonly deleted = new Set<string>();
  readonly refused = new Set<string>();
  readonly sent: string[] = [];
  /** The artifacts to be replaced, each with its successor. */
  readonly replacing = new Map<string, string>();
  readonly sentArtifacts = new Set<string>();
  known = new Map<string, KnownFile>();
  archive = false;
  archiveAnswer: ArchiveAnswer | null = null;
  complete = true;
  #since = new Map<string, { key: string; at: number }>();
  #answers = new Map<string, Answer>();
  #count = 0;

  write(path: string, bytes: string): void {
    this.#count += 1;
    this.folder.set(path, { bytes, mtime: this.now, inode: this.#count });
  }

  rename(from: string, to: string): void {
    const file = this.folder.get(from);
    if (!file || from === to) return;
    this.folder.delete(from);
    this.folder.set(to, file);
  }

  swap(first: string, second: string): void {
    this.rename(first, 'aside');
    this.rename(second, first);
    this.rename('aside', second);
  }

  artifactOf(bytes: string): string | null {
    for (const [id, { sha256 }] of this.engram) if (sha256 === sum(bytes)) return id;
    return null;
  }

  uploadByHand(bytes: string): void {
    if (this.artifactOf(bytes) || this.refused.has(sum(bytes))) return;
    this.deleted.delete(sum(bytes));
    this.#count += 1;
    const file = { sha256: sum(bytes), path: null, archived: false, ours: false };
    this.engram.set(`a${this.#count}`, file);
  }

  deleteInEngram(bytes: string): void {
    const id = this.artifactOf(bytes);
    if (!id) return;
    this.engram.delete(id);
    this.deleted.add(sum(bytes));
  }

  seen(): SeenFile[] {
    return [...this.folder].map(([path, { bytes, mtime, inode }]) => ({
      path,
      size: bytes.length,
      mtime,
      inode,
    }));
  }

  plan(): Plan {
    return makePlan({
      now: this.now,
      archive: this.archive,
      archiveAnswer: this.archiveAnswer,
      seen: this.seen(),
      known: [...this.known.values()],
      isHidden: () => false,
      complete: this.complete,
      since: (file) => {
        const key = `${file.size} ${file.mtime}`;
        const previous = this.#since.get(file.path);
        if (previous?.key !== key) this.#since.set(file.path, { key, at: this.now });
        return this.#since.get(file.path)?.at ?? this.now;
      },
      answers: this.#answers,
      wasSent: (id) => this.sentArtifacts.has(id),
      elsewhere: () => null,
    });
  }

  #write({ put = [], drop = [], release }: FileChange): void {
    for (const [path, file] of this.known) {
      if (!release || file.artifact !== release) continue;
      const emptyFields = { artifact: null, heldSha256: null, heldSize: null, sentByUs: false };
      this.known.set(path, { ...file, ...emptyFields, placed: false });
    }
    for (const path of drop) this.known.delete(path);
    for (const file of put) {
      this.known.set(file.path, file);
      if (file.sentByUs && file.artifact) this.sentArtifacts.add(file.artifact);
    }
  }

  #replace(replaces: string | null, by: string): void {
    for (const [successor, old] of this.replacing) if (old === by) this.replacing.delete(successor);
    if (replaces && replaces !== by && this.engram.get(replaces)?.ours) {
      this.replacing.set(by, replaces);
    }
  }

  /** Extracts all files, and deletes the replaced ones. */
  settle(): void {
    for (const [by, old] of this.replacing) if (this.engram.has(by)) this.engram.delete(old);
    this.replacing.clear();
  }

  #upload(file: KnownFile, sha256: string, replaces: string | null, isCut: boolean): void {
    this.#write({ put: [{ ...file, sending: true }] });
    if (this.refused.has(sha256)) {
      this.#write({ put: [withVerdict(file, 'refused', 'It is refused.')] });
      return;
    }
    expect([...this.engram.values()].some((entry) => entry.sha256 === sha256)).toBe(false);
    expect(this.deleted.has(sha256)).toBe(false);
    this.#count += 1;
    const id = `a${this.#count}`;
    this.engram.set(id, { sha256, path: file.path, archived: false, ours: true });
    this.sent.push(sha256);
    this.#replace(replaces, id);
    const put = [withArtifact(file, id, { sentByUs: true, placed: true })];
    if (!isCut) this.#write({ put, release: replaces });
  }

  #answer(sha256: string): Answer {
    const entry = [...this.engram].find(([, entry]) => entry.sha256 === sha256);
    if (entry) return { state: 'known', artifactId: entry[0], reason: null };
    const state = this.deleted.has(sha256) ? 'deleted' : 'new';
    return { state, artifactId: null, reason: null };
  }

  #do(step: Step, isCut: boolean): void {
    if (step.kind === 'hash') {
      const file = this.folder.get(step.file.path);
      if (!file) return;
      const known = this.known.get(step.file.path) ?? null;
      this.#write({ put: withHash(step.file, known, sum(file.bytes)) });
    } else if (step.kind === 'check') {
      this.#answers.set(step.sha256, this.#answer(step.sha256));
    } else if (step.kind === 'upload') {
      this.#upload(step.file, step.sha256, step.replaces, isCut);
    } else if (step.kind === 'write') {
      this.#write(step.change);
    } else {
      const artifact = this.engram.get(step.artifact);
      if (step.kind === 'archive' && artifact) artifact.archived = step.archived;
      if (step.kind === 'place') {
        if (artifact?.ours) artifact.path = step.path;
        this.#replace(step.replaces, step.artifact);
      }
      if (!isCut) this.#write(step.change);
    }
  }

  /** Runs one round, whose last step is interrupted if there is a limit. */
  round(limit = Infinity): number {
    this.#answers = new Map();
    for (let pass = 0; pass < 2; pass += 1) {
      const { steps } = this.plan();
      const pending = pass === 0 ? steps.filter(({ kind }) => kind === 'check') : steps;
      for (const [index, step] of pending.slice(0, limit).entries())
        this.#do(step, index === limit - 1);
    }
    return this.plan().steps.filter(({ kind }) => kind !== 'check').length;
  }

  finish(): void {
    for (let round = 0; round < 30; round += 1) {
      this.now += STABLE_MS + 1;
      this.round();
      this.settle();
      this.#answers = new Map();
      const plan = this.plan();
      if (plan.steps.length === 0 && plan.retryAt === null) return;
    }
    throw new Error('The sync does not end.');
  }
}

const path = fc.constantFrom('R/a', 'R/b', 'R/c/d');
const bytes = fc.constantFrom('one', 'two', 'three', 'none!');
type Act = (world: World) => void;
const act: fc.Arbitrary<Act> = fc.oneof(
  fc.tuple(path, bytes).map(
    ([file, content]): Act =>
      (world) =>
        world.write(file, content),
  ),
  fc.tuple(path, path).map(
    ([from, to]): Act =>
      (world) =>
        world.rename(from, to),
  ),
  fc.tuple(path, path).map(
    ([first, second]): Act =>
      (world) =>
        world.swap(first, second),
  ),
  path.map(
    (file): Act =>
      (world) =>
        void world.folder.delete(file),
  ),
  fc.nat(30_000).map(
    (ms): Act =>
      (world) =>
        void (world.now += ms),
  ),
  fc.constant<Act>((world) => void world.round()),
  fc.integer({ min: 1, max: 4 }).map(
    (limit): Act =>
      (world) =>
        void world.round(limit),
  ),
  bytes.map(
    (content): Act =>
      (world) =>
        world.deleteInEngram(content),
  ),
  bytes.map(
    (content): Act =>
      (world) =>
        world.uploadByHand(content),
  ),
  fc.constant<Act>((world) => world.settle()),
  { weight: 3, arbitrary: fc.constant<Act>((world) => world.finish()) },
);

test('a copy that replaces another file does not change the path of the original', () => {
  const world = new World();
  world.write('R/b', 'one');
  world.write('R/a', 'three');
  world.finish();
  world.write('R/a', 'one');
  world.swap('R/b', 'R/a');
  world.round(1);
  world.finish();
  world.rename('R/a', 'R/c/d');
  world.finish();
  const [only, ...others] = world.engram.values();
  expect(others).toEqual([]);
  expect(only?.path).toBe('R/b');
});

test('a file waits until the upload of an identical file is confirmed', () => {
  const world = new World();
  world.write('R/a', 'two');
  world.write('R/b', 'two');
  world.now += STABLE_MS + 1;
  world.round();
  world.round(1);
  world.finish();
  world.rename('R/b', 'R/c/d');
  world.finish();
  expect([...world.engram.values()].map(({ path }) => world.folder.has(path ?? ''))).toEqual([
    true,
  ]);
});

test('a file that returns under the name of another one is restored from the archive', () => {
  const world = new World();
  world.archive = true;
  world.archiveAnswer = { archive: true, files: Number.POSITIVE_INFINITY };
  world.refused.add(sum('none!'));
  world.write('R/a', 'two');
  world.finish();
  world.rename('R/a', 'R/b');
  world.write('R/a', 'none!');
  world.round();
  world.round(1);
  world.rename('R/a', 'R/b');
  world.finish();
  const archived = () => [...world.engram.values()].map((file) => file.archived);
  expect(archived()).toEqual([true]);
  world.write('R/b', 'two');
  world.finish();
  expect(archived()).toEqual([false]);
});

test('after any changes and interruptions, the folder and the server are in sync', () => {
  const settings = fc.record({ archive: fc.boolean(), answer: fc.boolean() });
  fc.assert(
    fc.property(
      settings,
      fc.array(act, { maxLength: 30, size: 'max' }),
      ({ archive, answer }, acts) => {
        const world = new World();
        world.archive = archive;
        world.archiveAnswer = { archive: answer, files: Number.POSITIVE_INFINITY };
        world.refused.add(sum('none!'));
        for (const act of acts) act(world);
        world.finish();
        const pathsByHash = new Map<string, string[]>();
        for (const [at, file] of world.folder) {
          pathsByHash.set(sum(file.bytes), [...(pathsByHash.get(sum(file.bytes)) ?? []), at]);
        }
        for (const [sha256, paths] of pathsByHash) {
          const matches = [...world.engram.values()].filter((entry) => entry.sha256 === sha256);
          if (matches.length === 0) {
            const row = world.known.get(paths[0] ?? '');
            // Files that the user deleted after the upload stay known with their old state.
            expect(world.deleted.has(sha256) || row?.verdict === 'refused').toBe(true);
            continue;
          }
          expect(matches).toHaveLength(1);
          if (matches[0]?.ours) expect(paths).toContain(matches[0].path);
          expect(matches[0]?.archived).toBe(false);
        }
        for (const entry of world.engram.values()) {
          if (entry.archived) expect([archive, answer, entry.ours]).toEqual([true, true, true]);
        }
        // A second run sends nothing.
        const sent = world.sent.length;
        world.finish();
        expect(world.sent).toHaveLength(sent);
      },
    ),
    { numRuns: 2000 },
  );
});
