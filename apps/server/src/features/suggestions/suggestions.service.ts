import { type Keyword, SUGGESTION_BYTES, SUGGESTION_LIMIT } from '@engram/contract';
import { LRUCache } from 'lru-cache';
import type { Subject } from '../artifacts/subjects.repository.ts';
import { choosePhrases } from './choose-phrases.ts';
import { readableName } from './readable-name.ts';

export interface SuggestionsDependencies {
  /** The person's own questions, the likeliest to be asked again first. */
  earlierQuestions: (userId: string) => Promise<string[]>;
  keywords: (userId: string) => Promise<Keyword[]>;
  /** The newest files that may be answered from. */
  newestSubjects: (userId: string, files: number, phrases: number) => Promise<Subject[]>;
  /** Another number after every change of a person's files. */
  libraryVersion: (userId: string) => Promise<number>;
}

/** Files whose names and phrases are looked at, newest first. */
const FILES = 1000;
const PHRASES_OF_ONE = 6;

/** Of each kind at first; what others leave free is filled up afterwards. */
const SHARES = { questions: 400, keywords: 200, titles: 500, phrases: 900 } as const;

/** People of whose files the suggestions are kept until the files change. */
const KEPT = 500;

type Kinds = Record<keyof typeof SHARES, readonly string[]>;

const KINDS = Object.keys(SHARES) as (keyof Kinds)[];

/** Bytes of a string in the JSON of a list. */
const bytesOf = (text: string): number => Buffer.byteLength(JSON.stringify(text)) + 1;

/**
 * Puts suggestions together, each once whatever its case: a share of each kind, then more of what is
 * left, within the number and the bytes of one answer. They come kind by kind.
 */
export function mixSuggestions(kinds: Kinds): string[] {
  const taken = new Set<string>();
  const chosen: Record<keyof Kinds, string[]> = {
    questions: [],
    keywords: [],
    titles: [],
    phrases: [],
  };
  let left = SUGGESTION_LIMIT;
  let bytes = SUGGESTION_BYTES - 2;
  const fill = (kind: keyof Kinds, most: number): void => {
    // No kind takes more than its share of the bytes before the others had theirs.
    let allowed = most === Infinity ? bytes : (SUGGESTION_BYTES * most) / SUGGESTION_LIMIT;
    for (const text of kinds[kind]) {
      if (left === 0 || chosen[kind].length >= most) break;
      const key = text.toLowerCase();
      const size = bytesOf(text);
      if (text === '' || taken.has(key) || size > Math.min(bytes, allowed)) continue;
      taken.add(key);
      chosen[kind].push(text);
      left -= 1;
      bytes -= size;
      allowed -= size;
    }
  };
  for (const kind of KINDS) fill(kind, SHARES[kind]);
  for (const kind of KINDS) fill(kind, Infinity);
  return KINDS.flatMap((kind) => chosen[kind]);
}

/** What a question may be completed to while somebody types it. */
export function createSuggestionsService(deps: SuggestionsDependencies) {
  const kept = new LRUCache<string, { version: number; titles: string[]; phrases: string[] }>({
    max: KEPT,
  });

  const ofFiles = async (userId: string) => {
    const version = await deps.libraryVersion(userId);
    const known = kept.get(userId);
    if (known?.version === version) return known;
    const subjects = await deps.newestSubjects(userId, FILES, PHRASES_OF_ONE);
    const titles = subjects.map(({ fileName }) => readableName(fileName));
    const found = { version, titles, phrases: choosePhrases(subjects, SUGGESTION_LIMIT) };
    kept.set(userId, found);
    return found;
  };

  return {
    /** To be called when a person is gone: nothing of theirs is remembered. */
    forget: (userId: string): void => void kept.delete(userId),

    async forUser(userId: string): Promise<string[]> {
      const [questions, keywords, { titles, phrases }] = await Promise.all([
        deps.earlierQuestions(userId),
        deps.keywords(userId),
        ofFiles(userId),
      ]);
      const active = keywords.filter(({ isActive }) => isActive).map(({ keyword }) => keyword);
      return mixSuggestions({ questions, keywords: active, titles, phrases });
    },
  };
}

export type SuggestionsService = ReturnType<typeof createSuggestionsService>;
