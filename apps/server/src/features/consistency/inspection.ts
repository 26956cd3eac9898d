import { Readable } from 'node:stream';
import type { Core } from '../../composition/core.ts';
import { ifThere } from '../../platform/files/files.ts';
import { IndexUnavailable } from '../../platform/index/index-unavailable.ts';
import { ThreadEnded } from '../../platform/threads/threads.ts';
import type { ArtifactState } from '../artifacts/artifacts.repository.ts';
import type { AuthService } from '../auth/auth.service.ts';
import type { Ingestion } from '../ingestion/ingestion.module.ts';
import { type Finding, type FindingKind, MISSING_BYTES } from './findings.ts';

/** Concurrent, because most of the time is spent waiting for the network. */
const USERS_AT_ONCE = 4;

const id = '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}';
const artifactKey = new RegExp(`^${id}/(${id})/(.+)$`);

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
  /** Artifacts with bytes or index rows that had no row after all of this was read. */
  strays: readonly string[];
  /** Those of them whose bytes are so new that their row may still follow. */
  arriving: ReadonlySet<string>;
  underWay: ReadonlySet<string>;
}

/** The inconsistency of one file that explains all others. */
function faultOf(state: ArtifactState, library: Library): FindingKind | null {
  const { status, statusReason } = state;
  const isIndexed = library.indexed?.has(state.id) ?? false;
  const isUnderWay = library.underWay.has(state.id);
  const isMarkedMissing = status === 'FAILED' && statusReason === MISSING_BYTES;
  // A marked file stays in the index with its name.
  if (!library.stored.get(state.id)?.has('original')) {
    return isMarkedMissing && isIndexed ? null : 'missing-bytes';
  }
  if (isMarkedMissing) return 'returned-bytes';
  if (status === 'PENDING' || status === 'PROCESSING') {
    return isUnderWay ? null : 'forgotten-reading';
  }
  // Files without text have an index row with their name.
  if (!isIndexed) return isUnderWay ? null : 'missing-index-rows';
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
  const { userId, states, stored, indexed, strays, arriving } = library;
  // Most repairs need the index, so the other findings follow in the next run.
  if (!indexed) return [{ kind: 'unreadable-index', userId, artifactId: '', revision: 0 }];
  const findings: Finding[] = [];
  const add = (kind: FindingKind | null, artifactId: string, revision = 0): void => {
    if (kind) findings.push({ kind, userId, artifactId, revision });
  };
  for (const artifactId of strays) {
    if (stored.has(artifactId) && !arriving.has(artifactId)) add('stray-bytes', artifactId);
    if (indexed.has(artifactId)) add('stray-index-rows', artifactId);
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
  { storage, log }: Core,
  ingestion: Pick<Ingestion, 'underWay'>,
  accounts: AuthService['accounts'],
  isArriving: (artifactId: string) => boolean,
  leftBefore: () => Date,
) {
  const { files, index, artifactsRepository } = storage;

  const artifactsInIndex = (userId: string): Promise<ReadonlySet<string> | null> =>
    index.artifactIds(userId).catch((error: unknown) => {
      // The index is unavailable or slow, which is not an inconsistency.
      if (error instanceof IndexUnavailable || error instanceof ThreadEnded) throw error;
      log.warn({ err: error, userId }, 'a search index cannot be opened');
      return null;
    });

  /** Those of the artifacts without a row that may still get one. */
  async function arrivingOf(
    userId: string,
    strays: readonly string[],
    stored: Library['stored'],
  ): Promise<Set<string>> {
    const before = leftBefore();
    const arriving = new Set<string>();
    for (const artifactId of strays) {
      if (isArriving(artifactId)) arriving.add(artifactId);
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
    const underWay = await ingestion.underWay(userId);
    const known = new Set(states.map((state) => state.id));
    const unknown = new Set([...stored.keys(), ...(indexed ?? [])]).difference(known);
    const existing = await artifactsRepository.known([...unknown]);
    const strays = [...unknown.difference(existing)];
    const arriving = await arrivingOf(userId, strays, stored);
    return { userId, states, stored, indexed, strays, arriving, underWay };
  }

  /** Findings of two checks in a row. A change during one of them is not an inconsistency. */
  async function findingsOf(userId: string, hasIndex: boolean): Promise<Finding[]> {
    const found = compare(await readLibrary(userId, hasIndex));
    if (found.length === 0) return found;
    const nameOf = ({ kind, artifactId }: Finding): string => `${kind} ${artifactId}`;
    const again = new Set(compare(await readLibrary(userId, hasIndex)).map(nameOf));
    return found.filter((finding) => again.has(nameOf(finding)));
  }

  return async function* inspect(): AsyncGenerator<Finding[]> {
    const owners = await files.owners();
    const indexFolders = new Set(await index.users());
    const users = new Set([...owners, ...indexFolders, ...(await artifactsRepository.owners())]);
    const existing = await accounts.existing([...users]);
    const check = async (userId: string): Promise<Finding[]> =>
      existing.has(userId)
        ? findingsOf(userId, indexFolders.has(userId))
        : [{ kind: 'unknown-user', userId, artifactId: '', revision: 0 }];
    yield* Readable.from(users).map(check, { concurrency: USERS_AT_ONCE });
    const abandoned = await files.abandonedWrites(leftBefore());
    const finding = { kind: 'abandoned-writes', userId: '', artifactId: '', revision: 0 } as const;
    yield Array.from({ length: abandoned }, () => finding);
  };
}
