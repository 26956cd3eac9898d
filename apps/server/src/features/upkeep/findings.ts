/** What can be inconsistent: what is told of it, and what mends it. */
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

export type FindingKind = keyof typeof findingKinds;

/** One thing that is inconsistent. */
export interface Finding {
  kind: FindingKind;
  /** Whose it is; null for what belongs to nobody yet. */
  userId: string | null;
  artifactId: string | null;
  /** The artifact's reading at which this was seen; 0 where there is no artifact. */
  revision: number;
}

/** What was found of one kind, and how much of it was mended. */
export interface Tally {
  kind: FindingKind;
  count: number;
  mended: number;
  /** Ids of the first few, or their paths in the data folder. */
  examples: string[];
}

/** Ids that a tally names. */
const EXAMPLES = 3;

/** Counts findings by kind. */
export function createTallies() {
  const tallies = new Map<FindingKind, Tally>();
  return {
    add({ kind, userId, artifactId }: Finding, mended: boolean): void {
      this.count(kind, artifactId ?? userId, mended);
    },

    count(kind: FindingKind, example: string | null, mended: boolean): void {
      const tally = tallies.get(kind) ?? { kind, count: 0, mended: 0, examples: [] };
      tallies.set(kind, tally);
      tally.count += 1;
      if (mended) tally.mended += 1;
      if (example !== null && tally.examples.length < EXAMPLES) tally.examples.push(example);
    },
    list: (): Tally[] => [...tallies.values()],
  };
}

export type Tallies = ReturnType<typeof createTallies>;

/** One line that says what was mended: '3 stored files that nothing refers to: removed; …'. */
export const describeMended = (tallies: readonly Tally[]): string =>
  tallies
    .filter(({ mended }) => mended > 0)
    .map(
      ({ kind, mended }) => `${mended} ${findingKinds[kind].found}: ${findingKinds[kind].mended}`,
    )
    .join('; ');
