import { Readable } from 'node:stream';
import type { Storage } from '../../composition/storage.ts';
import { ifThere } from '../../platform/files/files.ts';
import { IndexUnavailable } from '../../platform/index/index-unavailable.ts';
import { ThreadEnded } from '../../platform/threads/threads.ts';
import type { ArtifactState } from '../artifacts/artifacts.repository.ts';
import type { Finding, FindingKind } from './findings.ts';

interface InspectionOptions {
  /** Those of the given ids that are accounts. */
  existingUsers: (ids: readonly string[]) => Promise<ReadonlySet<string>>;
  /** Bytes without a row that were last changed before this time are left over. */
  leftBefore: () => Date;
  /** Whether this server is storing the bytes of an artifact that has no row yet. */
  isArriving: (artifactId: string) => boolean;
  /** A user's artifacts that are being read, or are queued. */
  underWay: (userId: string) => Promise<ReadonlySet<string>>;
  onUnreadable: (userId: string, error: unknown) => void;
}

/** Concurrent, because most of the time is spent waiting for the network. */
const USERS_AT_ONCE = 4;

/** The status reason of a file that has lost its bytes. */
export const MISSING_BYTES = 'The stored file is missing. Please upload it again.';

const DAY_MS = 86_400_000;

/**
 * Returns the time since when bytes without a row may still get one: the start of the server or a day
 * ago. With several servers it is always a day ago, because another server may be writing them.
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

/** The names of the stored files by artifact. */
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

/** What the database, the file store, the index and the queues have of one user. */
interface Library {
  userId: string;
  states: ArtifactState[];
  stored: Map<string, Set<string>>;
  /** Null if the index cannot be opened. */
  indexed: ReadonlySet<string> | null;
  /** Artifacts that existed after all of this was read. */
  existing: ReadonlySet<string>;
  /** Artifacts whose bytes are so new that their row may still follow. */
  arriving: ReadonlySet<string>;
  underWay: ReadonlySet<string>;
}

/** The inconsistency of one file that explains all others. */
function faultOf(state: ArtifactState, library: Library): FindingKind | null {
  const { stored, indexed, underWay } = library;
  const { status, statusReason } = state;
  const isMarkedMissing = status === 'FAILED' && statusReason === MISSING_BYTES;
  const hasBytes = stored.get(state.id)?.has('original') ?? false;
  // A marked file stays in the index with its name.
  if (!hasBytes) return isMarkedMissing && indexed?.has(state.id) ? null : 'missing-bytes';
  if (isMarkedMissing) return 'returned-bytes';
  if (status === 'PENDING' || status === 'PROCESSING') {
    return underWay.has(state.id) ? null : 'forgotten-reading';
  }
  // Files without text have an index row with their name.
  if (!indexed?.has(state.id)) {
    return underWay.has(state.id) ? null : 'missing-index-rows';
  }
  return state.indexed && !state.hasText ? 'missing-text' : null;
}

function thumbnailFault(state: ArtifactState, library: Library): FindingKind | null {
  const hasBytes = library.stored.get(state.id)?.has('thumbnail') ?? false;
  if (state.thumbnail) return hasBytes ? null : 'missing-thumbnail';
  // A job stores the thumbnail before it updates the row.
  return hasBytes && !library.underWay.has(state.id) ? 'stray-thumbnail' : null;
}

function supplementsFault({ id: artifactId }: ArtifactState, library: Library): FindingKind | null {
  if (library.underWay.has(artifactId)) return null;
  const names = library.stored.get(artifactId) ?? [];
  return [...names].some((name) => name.startsWith('supplements/')) ? 'stray-supplements' : null;
}

function compare(library: Library): Finding[] {
  const { userId, states, stored, indexed, existing, arriving } = library;
  const findings: Finding[] = [];
  const add = (kind: FindingKind | null, artifactId: string, revision = 0): void => {
    if (kind) findings.push({ kind, userId, artifactId, revision });
  };
  if (!indexed) {
    // Most repairs need the index, so the other findings follow in the next run.
    add('unreadable-index', '');
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

/** Finds inconsistencies while users upload, read and delete files. */
export function createInspection(
  { files, index, artifactsRepository }: Storage,
  options: InspectionOptions,
) {
  const artifactsInIndex = (userId: string): Promise<ReadonlySet<string> | null> =>
    index.artifactIds(userId).catch((error: unknown) => {
      // The index is unavailable or slow, which is not an inconsistency.
      if (error instanceof IndexUnavailable || error instanceof ThreadEnded) throw error;
      options.onUnreadable(userId, error);
      return null;
    });

  /** Those of the artifacts without a row that may still get one. */
  async function arrivingOf(
    userId: string,
    strays: readonly string[],
    stored: Library['stored'],
  ): Promise<Set<string>> {
    const before = options.leftBefore();
    const arriving = new Set<string>();
    for (const artifactId of strays) {
      if (options.isArriving(artifactId)) arriving.add(artifactId);
      for (const name of stored.get(artifactId) ?? []) {
        const state = await ifThere(files.stat(`${userId}/${artifactId}/${name}`));
        if (state && state.changedAt >= before) arriving.add(artifactId);
      }
    }
    return arriving;
  }

  /**
   * Rows are added after bytes and before index rows, and are deleted before both. So states are read
   * first, and existence is checked last.
   */
  async function readLibrary(userId: string, hasIndex: boolean): Promise<Library> {
    const states = await artifactsRepository.states(userId);
    const stored = namesByArtifact(await files.list(userId));
    const indexed =
      hasIndex || states.length > 0 ? await artifactsInIndex(userId) : new Set<string>();
    const underWay = await options.underWay(userId);
    const known = new Set(states.map((state) => state.id));
    const unknown = [...stored.keys(), ...(indexed ?? [])].filter((each) => !known.has(each));
    const existing =
      unknown.length > 0 ? await artifactsRepository.known(unknown) : new Set<string>();
    const strays = unknown.filter((each) => !existing.has(each));
    const arriving = await arrivingOf(userId, strays, stored);
    return { userId, states, stored, indexed, existing, arriving, underWay };
  }

  /** Findings of two checks in a row. A change during one of them is not an inconsistency. */
  async function findingsOf(userId: string, hasIndex: boolean): Promise<Finding[]> {
    const found = compare(await readLibrary(userId, hasIndex));
    if (found.length === 0) return found;
    const nameOf = ({ kind, artifactId }: Finding): string => `${kind} ${artifactId}`;
    const again = new Set(compare(await readLibrary(userId, hasIndex)).map(nameOf));
    return found.filter((finding) => again.has(nameOf(finding)));
  }

  /** Yields the findings of each user. */
  return async function* inspect(): AsyncGenerator<Finding[]> {
    const owners = await files.owners();
    const indexFolders = new Set(await index.users());
    const users = new Set([...owners, ...indexFolders, ...(await artifactsRepository.owners())]);
    const existing = await options.existingUsers([...users]);
    const check = async (userId: string): Promise<Finding[]> =>
      existing.has(userId)
        ? findingsOf(userId, indexFolders.has(userId))
        : [{ kind: 'unknown-user', userId, artifactId: '', revision: 0 }];
    yield* Readable.from(users).map(check, { concurrency: USERS_AT_ONCE });
    const abandoned = await files.abandonedWrites(options.leftBefore());
    yield Array.from({ length: abandoned }, (): Finding => ({
      kind: 'abandoned-writes',
      userId: '',
      artifactId: '',
      revision: 0,
    }));
  };
}
