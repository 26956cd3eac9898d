import { Readable } from 'node:stream';
import type { Core } from '../../composition/core.ts';
import { orNotFound } from '../../platform/files/files.ts';
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

/** A user's data in the database, the file store, the index and the queues. */
interface Library {
  userId: string;
  states: ArtifactState[];
  stored: Map<string, Set<string>>;
  /** Null if the index cannot be opened. */
  indexed: ReadonlySet<string> | null;
  /** Artifacts with bytes or index rows but without a row. */
  strays: readonly string[];
  /** Strays with new bytes, which may still get a row. */
  arriving: ReadonlySet<string>;
  inProgress: ReadonlySet<string>;
}

/** The inconsistency of a file that causes its others. */
function faultOf(state: ArtifactState, library: Library): FindingKind | null {
  const { status, statusReason } = state;
  const isIndexed = library.indexed?.has(state.id) ?? false;
  const isInProgress = library.inProgress.has(state.id);
  const isMarkedMissing = status === 'FAILED' && statusReason === MISSING_BYTES;
  // The name of a marked file is still indexed.
  if (!library.stored.get(state.id)?.has('original')) {
    return isMarkedMissing && isIndexed ? null : 'missing-bytes';
  }
  if (isMarkedMissing) return 'returned-bytes';
  if (status === 'PENDING' || status === 'PROCESSING') {
    return isInProgress ? null : 'forgotten-reading';
  }
  // Files without text have an index row with their name.
  if (!isIndexed) return isInProgress ? null : 'missing-index-rows';
  return state.indexed && !state.hasText ? 'missing-text' : null;
}

function thumbnailFault(state: ArtifactState, library: Library): FindingKind | null {
  const hasBytes = library.stored.get(state.id)?.has('thumbnail') ?? false;
  if (state.thumbnail) return hasBytes ? null : 'missing-thumbnail';
  // A job stores the thumbnail before it updates the row.
  return hasBytes && !library.inProgress.has(state.id) ? 'stray-thumbnail' : null;
}

function supplementsFault({ id: artifactId }: ArtifactState, library: Library): FindingKind | null {
  if (library.inProgress.has(artifactId)) return null;
  const names = library.stored.get(artifactId) ?? [];
  return [...names].some((name) => name.startsWith('supplements/')) ? 'stray-supplements' : null;
}

function compare(library: Library): Finding[] {
  const { userId, states, stored, indexed, strays, arriving } = library;
  // Most repairs need the index, so the next run reports the other findings.
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

export function createInspection(
  { storage, log }: Core,
  ingestion: Pick<Ingestion, 'unfinished'>,
  accounts: AuthService['accounts'],
  isArriving: (artifactId: string) => boolean,
  leftoversBefore: () => Date,
) {
  const { files, index, artifactsRepository } = storage;

  const artifactsInIndex = (userId: string): Promise<ReadonlySet<string> | null> =>
    index.artifactIds(userId).catch((error: unknown) => {
      // An unavailable or slow index is not an inconsistency.
      if (error instanceof IndexUnavailable || error instanceof ThreadEnded) throw error;
      log.warn({ err: error, userId }, 'a search index cannot be opened');
      return null;
    });

  /** Artifacts without a row that may still get one. */
  async function arrivingOf(
    userId: string,
    strays: readonly string[],
    stored: Library['stored'],
  ): Promise<Set<string>> {
    const before = leftoversBefore();
    const arriving = new Set<string>();
    for (const artifactId of strays) {
      if (isArriving(artifactId)) arriving.add(artifactId);
      for (const name of stored.get(artifactId) ?? []) {
        const state = await orNotFound(files.stat(`${userId}/${artifactId}/${name}`));
        if (state && state.changedAt >= before) arriving.add(artifactId);
      }
    }
    return arriving;
  }

  /**
   * Rows are added after bytes and before index rows, and are deleted before both. Therefore states are
   * read first, and existence is checked last.
   */
  async function readLibrary(userId: string, hasIndex: boolean): Promise<Library> {
    const states = await artifactsRepository.states(userId);
    const stored = namesByArtifact(await files.list(userId));
    const indexed =
      hasIndex || states.length > 0 ? await artifactsInIndex(userId) : new Set<string>();
    const inProgress = await ingestion.unfinished(userId);
    const known = new Set(states.map((state) => state.id));
    const unknown = new Set([...stored.keys(), ...(indexed ?? [])]).difference(known);
    const existing = await artifactsRepository.existingIds([...unknown]);
    const strays = [...unknown.difference(existing)];
    const arriving = await arrivingOf(userId, strays, stored);
    return { userId, states, stored, indexed, strays, arriving, inProgress };
  }

  /** Findings of two consecutive checks, because a change during one of them looks like a fault. */
  async function findingsOf(userId: string, hasIndex: boolean): Promise<Finding[]> {
    const findings = compare(await readLibrary(userId, hasIndex));
    if (findings.length === 0) return findings;
    const keyOf = ({ kind, artifactId }: Finding): string => `${kind} ${artifactId}`;
    const confirmed = new Set(compare(await readLibrary(userId, hasIndex)).map(keyOf));
    return findings.filter((finding) => confirmed.has(keyOf(finding)));
  }

  return async function* inspect(): AsyncGenerator<Finding[]> {
    const owners = await files.owners();
    const indexFolders = new Set(await index.users());
    const users = new Set([...owners, ...indexFolders, ...(await artifactsRepository.ownerIds())]);
    const existing = await accounts.existingIds([...users]);
    const check = async (userId: string): Promise<Finding[]> =>
      existing.has(userId)
        ? findingsOf(userId, indexFolders.has(userId))
        : [{ kind: 'unknown-user', userId, artifactId: '', revision: 0 }];
    yield* Readable.from(users).map(check, { concurrency: USERS_AT_ONCE });
    const abandoned = await files.abandonedWrites(leftoversBefore());
    const finding = { kind: 'abandoned-writes', userId: '', artifactId: '', revision: 0 } as const;
    yield Array.from({ length: abandoned }, () => finding);
  };
}
