import { Readable } from 'node:stream';
import { type FileStore, ifThere } from '../../platform/files/files.ts';
import { IndexUnavailable } from '../../platform/index/index-unavailable.ts';
import { ThreadEnded } from '../../platform/threads/threads.ts';
import type { SearchIndex } from '../../platform/index/search-index.ts';
import type { ArtifactsRepository, ArtifactState } from '../artifacts/artifacts.repository.ts';
import type { Finding, FindingKind } from './findings.ts';

export interface InspectionDependencies {
  files: FileStore;
  index: SearchIndex;
  artifacts: ArtifactsRepository;
  /** Of the given ids those that are accounts. */
  existingUsers: (ids: readonly string[]) => Promise<ReadonlySet<string>>;
  /** Bytes that were last changed before this time and have no row are left over. */
  leftBefore: () => Date;
  /** Whether this server is storing the bytes of an artifact that has no row yet. */
  isArriving: (artifactId: string) => boolean;
  /** A user's artifacts that somebody reads, or is going to. */
  underWay: (userId: string) => Promise<ReadonlySet<string>>;
  /** Told when an index cannot be opened. */
  onUnreadable: (userId: string, error: unknown) => void;
}

/** People who are looked at together: over a network most of the time is waiting. */
const PEOPLE_AT_ONCE = 4;

/** What a file that lost its bytes says of itself. */
export const MISSING_BYTES = 'The stored file is missing. Please upload it again.';

const DAY_MS = 86_400_000;

/**
 * From when on bytes without a row may still get one. A server that works alone knows that whatever was
 * written before its start was cut off by a kill. One of several waits for a day, as another server
 * may still be at it.
 */
export function createLeftBefore(now: () => Date, alone: boolean): () => Date {
  const startedAt = now().getTime();
  return () => {
    const aDayAgo = now().getTime() - DAY_MS;
    return new Date(alone ? Math.max(startedAt, aDayAgo) : aDayAgo);
  };
}

const id = '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}';
const artifactKey = new RegExp(`^${id}/(${id})/(.+)$`);

/** The names under which each artifact of a user keeps bytes. */
function namesByArtifact(keys: readonly string[]): Map<string, Set<string>> {
  const stored = new Map<string, Set<string>>();
  for (const key of keys) {
    const [, artifactId, name] = artifactKey.exec(key) ?? [];
    if (!artifactId || !name) continue;
    const names = stored.get(artifactId) ?? new Set();
    stored.set(artifactId, names.add(name));
  }
  return stored;
}

/** What is known of a user's files, looked at in an order in which no race looks like a fault. */
interface Library {
  userId: string;
  states: ArtifactState[];
  stored: Map<string, Set<string>>;
  /** Null when the index cannot be opened. */
  indexed: ReadonlySet<string> | null;
  /** Artifacts that were there after all of this was read. */
  existing: ReadonlySet<string>;
  /** Artifacts without a row whose bytes came so lately that the row may still come. */
  arriving: ReadonlySet<string>;
  underWay: ReadonlySet<string>;
}

/** What is inconsistent about one file: the first that explains the rest. */
function faultOf(state: ArtifactState, library: Library): FindingKind | null {
  const { stored, indexed, underWay } = library;
  const { status, statusReason } = state;
  const toldMissing = status === 'FAILED' && statusReason === MISSING_BYTES;
  const there = stored.get(state.id)?.has('original') ?? false;
  // One that was told so is still found by its name.
  if (!there) return toldMissing && indexed?.has(state.id) ? null : 'missing-bytes';
  if (toldMissing) return 'returned-bytes';
  if (status === 'PENDING' || status === 'PROCESSING') {
    return underWay.has(state.id) ? null : 'forgotten-reading';
  }
  // Each file that was read has a row: one without text is found by its name.
  if (!indexed?.has(state.id)) {
    return underWay.has(state.id) ? null : 'missing-index-rows';
  }
  return state.indexed && !state.hasText ? 'missing-text' : null;
}

function thumbnailFault(state: ArtifactState, library: Library): FindingKind | null {
  const there = library.stored.get(state.id)?.has('thumbnail') ?? false;
  if (state.thumbnail) return there ? null : 'missing-thumbnail';
  // A reading stores the picture before it says so.
  return there && !library.underWay.has(state.id) ? 'stray-thumbnail' : null;
}

function supplementsFault({ id: artifactId }: ArtifactState, library: Library): FindingKind | null {
  if (library.underWay.has(artifactId)) return null;
  const names = library.stored.get(artifactId) ?? [];
  return [...names].some((name) => name.startsWith('supplements/')) ? 'stray-supplements' : null;
}

/** Compares what the database, the file store, the index and the queues hold of one user. */
function compare(library: Library): Finding[] {
  const { userId, states, stored, indexed, existing, arriving } = library;
  const findings: Finding[] = [];
  const add = (kind: FindingKind | null, artifactId: string | null, revision = 0): void => {
    if (kind) findings.push({ kind, userId, artifactId, revision });
  };
  if (!indexed) {
    // Most of what is mended is written to the index: the rest comes once there is one again.
    add('unreadable-index', null);
    return findings;
  }
  const known = new Set(states.map((state) => state.id));
  const isStray = (artifactId: string): boolean =>
    !known.has(artifactId) && !existing.has(artifactId);
  for (const artifactId of stored.keys()) {
    if (isStray(artifactId) && !arriving.has(artifactId)) add('stray-bytes', artifactId);
  }
  for (const artifactId of indexed) {
    if (isStray(artifactId)) add('stray-index-rows', artifactId);
  }
  for (const state of states) {
    add(faultOf(state, library), state.id, state.revision);
    add(thumbnailFault(state, library), state.id, state.revision);
    add(supplementsFault(state, library), state.id, state.revision);
  }
  return findings;
}

/** Finds what is inconsistent, while people go on uploading, reading and deleting. */
export function createInspection(deps: InspectionDependencies) {
  const { files, index, artifacts } = deps;

  const artifactsInIndex = (userId: string): Promise<ReadonlySet<string> | null> =>
    index.artifactIds(userId).catch((error: unknown) => {
      // Nothing is wrong with an index that is only away, or slow.
      if (error instanceof IndexUnavailable || error instanceof ThreadEnded) throw error;
      deps.onUnreadable(userId, error);
      return null;
    });

  /** Of artifacts without a row those with bytes that may still get one. */
  async function arrivingOf(
    userId: string,
    strays: readonly string[],
    stored: Library['stored'],
  ): Promise<Set<string>> {
    const before = deps.leftBefore();
    const arriving = new Set<string>();
    for (const artifactId of strays) {
      if (deps.isArriving(artifactId)) arriving.add(artifactId);
      for (const name of stored.get(artifactId) ?? []) {
        const state = await ifThere(files.stat(`${userId}/${artifactId}/${name}`));
        if (state && state.changedAt >= before) arriving.add(artifactId);
      }
    }
    return arriving;
  }

  /**
   * Rows come after bytes and before index rows, and go before both. So the states are read first:
   * what they say is there must be found afterwards; and whether something exists is asked last.
   */
  async function look(userId: string, hasIndex: boolean): Promise<Library> {
    const states = await artifacts.states(userId);
    const stored = namesByArtifact(await files.list(userId));
    const indexed =
      hasIndex || states.length > 0 ? await artifactsInIndex(userId) : new Set<string>();
    const underWay = await deps.underWay(userId);
    const known = new Set(states.map((state) => state.id));
    const unknown = [...stored.keys(), ...(indexed ?? [])].filter((each) => !known.has(each));
    const existing = unknown.length > 0 ? await artifacts.known(unknown) : new Set<string>();
    const strays = unknown.filter((each) => !existing.has(each));
    const arriving = await arrivingOf(userId, strays, stored);
    return { userId, states, stored, indexed, existing, arriving, underWay };
  }

  /** What two looks find: what changed while one of them went on is in order by the other. */
  async function lasting(userId: string, hasIndex: boolean): Promise<Finding[]> {
    const found = compare(await look(userId, hasIndex));
    if (found.length === 0) return found;
    const nameOf = ({ kind, artifactId }: Finding): string => `${kind} ${artifactId}`;
    const again = new Set(compare(await look(userId, hasIndex)).map(nameOf));
    return found.filter((finding) => again.has(nameOf(finding)));
  }

  return {
    /** Findings, user by user. */
    async *run(): AsyncGenerator<Finding[]> {
      const owners = await files.owners();
      const indexFolders = new Set(await index.users());
      const people = new Set([...owners, ...indexFolders, ...(await artifacts.owners())]);
      const existing = await deps.existingUsers([...people]);
      const findingsOf = async (userId: string): Promise<Finding[]> =>
        existing.has(userId)
          ? lasting(userId, indexFolders.has(userId))
          : [{ kind: 'unknown-user', userId, artifactId: null, revision: 0 }];
      yield* Readable.from(people).map(findingsOf, { concurrency: PEOPLE_AT_ONCE });
      const abandoned = await files.abandonedWrites(deps.leftBefore());
      yield Array.from({ length: abandoned }, (): Finding => ({
        kind: 'abandoned-writes',
        userId: null,
        artifactId: null,
        revision: 0,
      }));
    },
  };
}
