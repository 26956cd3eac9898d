export const findingKinds = {
  'unknown-user': {
    problem: 'stored bytes or index folders without an account',
    repair: 'removed',
  },
  'stray-bytes': { problem: 'stored files that nothing refers to', repair: 'removed' },
  'missing-bytes': {
    problem: 'files whose stored bytes are missing',
    repair: 'marked as failed, so that users upload them again',
  },
  'returned-bytes': {
    problem: 'files marked as missing whose bytes exist again',
    repair: 'queued for extraction',
  },
  'abandoned-writes': { problem: 'half-written uploads', repair: 'removed' },
  'stray-index-rows': {
    problem: 'files in the search index that do not exist',
    repair: 'removed from the index',
  },
  'missing-index-rows': {
    problem: 'files that are not in the search index',
    repair: 'queued for indexing',
  },
  'unreadable-index': {
    problem: 'search indexes that cannot be opened',
    repair: 'removed, to be rebuilt',
  },
  'missing-text': {
    problem: 'searchable files whose text is missing',
    repair: 'queued for extraction again',
  },
  'forgotten-reading': {
    problem: 'unread files that are not in a queue',
    repair: 'queued for extraction',
  },
  'missing-thumbnail': {
    problem: 'files whose thumbnail is missing',
    repair: 'shown without it',
  },
  'stray-supplements': {
    problem: 'files with leftover supplements of a finished extraction',
    repair: 'removed',
  },
  'stray-thumbnail': { problem: 'thumbnails that no file uses', repair: 'removed' },
  'open-to-others': {
    problem: 'files and folders that other users of this machine may open',
    repair: 'made private',
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
