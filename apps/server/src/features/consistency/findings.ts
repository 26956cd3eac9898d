/** What can be inconsistent, and how it is repaired. */
export const findingKinds = {
  'unknown-user': {
    found: 'stored bytes or index folders without an account',
    repaired: 'removed',
  },
  'stray-bytes': { found: 'stored files that nothing refers to', repaired: 'removed' },
  'missing-bytes': {
    found: 'files whose stored bytes are missing',
    repaired: 'marked as failed, with the request to upload them again',
  },
  'returned-bytes': {
    found: 'files that failed because their bytes were missing, and whose bytes are there again',
    repaired: 'queued to be read',
  },
  'abandoned-writes': { found: 'half-written uploads', repaired: 'removed' },
  'stray-index-rows': {
    found: 'files in the search index that do not exist',
    repaired: 'removed from the index',
  },
  'missing-index-rows': {
    found: 'files that are not in the search index',
    repaired: 'queued to be indexed',
  },
  'unreadable-index': {
    found: 'search indexes that cannot be opened',
    repaired: 'removed, to be made again',
  },
  'missing-text': {
    found: 'searchable files whose text is missing',
    repaired: 'queued to be read again',
  },
  'forgotten-reading': {
    found: 'files that wait to be read and are in no queue',
    repaired: 'queued to be read',
  },
  'missing-thumbnail': {
    found: 'files whose small picture is missing',
    repaired: 'shown without it',
  },
  'stray-supplements': {
    found: 'files that keep what was recognised in them beyond their reading',
    repaired: 'removed',
  },
  'stray-thumbnail': { found: 'small pictures that no file shows', repaired: 'removed' },
  'open-to-others': {
    found: 'files and folders that other users of this machine may open',
    repaired: 'closed to them',
  },
} as const;

/** The status reason of a file that has lost its bytes. */
export const MISSING_BYTES = 'The stored file is missing. Please upload it again.';

export type FindingKind = keyof typeof findingKinds;

export interface Finding {
  kind: FindingKind;
  /** Empty if no user is known. */
  userId: string;
  /** Empty if it is not about an artifact. */
  artifactId: string;
  /** The revision of the artifact that was checked. */
  revision: number;
}

export interface Tally {
  kind: FindingKind;
  count: number;
  repaired: number;
  examples: string[];
}

const MAX_EXAMPLES = 3;

export function createTallies() {
  const tallies = new Map<FindingKind, Tally>();
  return {
    add(kind: FindingKind, example: string, repaired: boolean): void {
      const tally = tallies.get(kind) ?? { kind, count: 0, repaired: 0, examples: [] };
      tallies.set(kind, tally);
      tally.count += 1;
      if (repaired) tally.repaired += 1;
      if (example !== '' && tally.examples.length < MAX_EXAMPLES) tally.examples.push(example);
    },
    list: (): Tally[] => [...tallies.values()],
  };
}
