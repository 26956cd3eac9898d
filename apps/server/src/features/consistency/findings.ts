/** What can be inconsistent, and how it is repaired. */
export const findingKinds = {
  'unknown-user': {
    found: 'stored bytes or index folders of people who have no account',
    mended: 'removed',
  },
  'stray-bytes': { found: 'stored files that nothing refers to', mended: 'removed' },
  'missing-bytes': {
    found: 'files whose stored bytes are missing',
    mended: 'marked as failed, with the request to upload them again',
  },
  'returned-bytes': {
    found: 'files that failed because their bytes were missing, and whose bytes are there again',
    mended: 'queued to be read',
  },
  'abandoned-writes': { found: 'half-written uploads', mended: 'removed' },
  'stray-index-rows': {
    found: 'files in the search index that do not exist',
    mended: 'removed from the index',
  },
  'missing-index-rows': {
    found: 'files that are not in the search index',
    mended: 'queued to be indexed',
  },
  'unreadable-index': {
    found: 'search indexes that cannot be opened',
    mended: 'removed, to be made again',
  },
  'missing-text': {
    found: 'searchable files whose text is missing',
    mended: 'queued to be read again',
  },
  'forgotten-reading': {
    found: 'files that wait to be read and are in no queue',
    mended: 'queued to be read',
  },
  'missing-thumbnail': {
    found: 'files whose small picture is missing',
    mended: 'shown without it',
  },
  'stray-supplements': {
    found: 'files that keep what was recognised in them beyond their reading',
    mended: 'removed',
  },
  'stray-thumbnail': { found: 'small pictures that no file shows', mended: 'removed' },
  'open-to-others': {
    found: 'files and folders that other users of this machine may open',
    mended: 'closed to them',
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
  mended: number;
  examples: string[];
}

const MAX_EXAMPLES = 3;

export function createTallies() {
  const tallies = new Map<FindingKind, Tally>();
  return {
    add(kind: FindingKind, example: string, mended: boolean): void {
      const tally = tallies.get(kind) ?? { kind, count: 0, mended: 0, examples: [] };
      tallies.set(kind, tally);
      tally.count += 1;
      if (mended) tally.mended += 1;
      if (example !== '' && tally.examples.length < MAX_EXAMPLES) tally.examples.push(example);
    },
    list: (): Tally[] => [...tallies.values()],
  };
}
