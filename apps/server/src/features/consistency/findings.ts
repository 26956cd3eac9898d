export const findingKinds = {
  'unknown-user': {
    found: 'stored bytes or index folders without an account',
    repaired: 'removed',
  },
  'stray-bytes': { found: 'stored files that nothing refers to', repaired: 'removed' },
  'missing-bytes': {
    found: 'files whose stored bytes are missing',
    repaired: 'marked as failed, so that users upload them again',
  },
  'returned-bytes': {
    found: 'files marked as missing whose bytes exist again',
    repaired: 'queued for extraction',
  },
  'abandoned-writes': { found: 'half-written uploads', repaired: 'removed' },
  'stray-index-rows': {
    found: 'files in the search index that do not exist',
    repaired: 'removed from the index',
  },
  'missing-index-rows': {
    found: 'files that are not in the search index',
    repaired: 'queued for indexing',
  },
  'unreadable-index': {
    found: 'search indexes that cannot be opened',
    repaired: 'removed, to be rebuilt',
  },
  'missing-text': {
    found: 'searchable files whose text is missing',
    repaired: 'queued for extraction again',
  },
  'forgotten-reading': {
    found: 'unread files that are not in a queue',
    repaired: 'queued for extraction',
  },
  'missing-thumbnail': {
    found: 'files whose thumbnail is missing',
    repaired: 'shown without it',
  },
  'stray-supplements': {
    found: 'files with leftover supplements of a finished extraction',
    repaired: 'removed',
  },
  'stray-thumbnail': { found: 'thumbnails that no file shows', repaired: 'removed' },
  'open-to-others': {
    found: 'files and folders that other users of this machine may open',
    repaired: 'made private',
  },
} as const;

export const MISSING_BYTES = 'The stored file is missing. Please upload it again.';

export type FindingKind = keyof typeof findingKinds;

export interface Finding {
  kind: FindingKind;
  userId: string;
  artifactId: string;
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
