import { SUGGESTION_BYTES, SUGGESTION_LIMIT, suggestions } from '@engram/contract';
import { LRUCache } from 'lru-cache';
import type { Storage } from '../../composition/storage.ts';
import type { Mount } from '../../platform/http/mount.ts';
import type { Subject } from '../artifacts/library.repository.ts';
import type { History } from '../history/history.module.ts';
import type { KeywordsService } from '../keywords/keywords.service.ts';

export const MAX_CHARACTERS = 80;

const CAMERA = /^(?:img|dsc[nf]?|pxl|vid|mov|scan|gopr|dji|screenshot|bildschirmfoto)[\s\d]/iu;
const CODE = /^(?=.*\d)[\da-f]{6,}$|^(?=.*\d)(?=.*\p{L})[\p{L}\d]{12,}$/iu;

function oneLine(text: string): string {
  const line = text
    .toWellFormed()
    .replaceAll(/[\p{Cc}\p{Cf}\p{Co}\p{Cn}\s]+/gu, ' ')
    .trim();
  return [...line].slice(0, MAX_CHARACTERS).join('').trim();
}

/**
 * A file name without its extension and with spaces instead of underscores and hyphens. Empty for names
 * that cameras or programs generate.
 */
export function readableName(fileName: string): string {
  const bare = fileName.replace(/(?<=.)\.[\p{L}\d]{1,5}$/u, '');
  const spaced = oneLine(
    bare
      .replaceAll(/_+|%20|(?<=\p{L})[-‐‑]+|(?<![-‐‑])[-‐‑]+(?=\p{L})/gu, ' ')
      .replaceAll(/\s+/gu, ' '),
  );
  const words = spaced.split(' ').filter((word) => !CODE.test(word));
  return CAMERA.test(spaced) || !words.some((word) => /\p{L}{2}/u.test(word)) ? '' : spaced;
}

interface SharedPhrase {
  phrase: string;
  owner: number;
  files: number[];
}

/** Shared phrases that count for the newest of their files. */
const MAX_SHARED_PHRASES = 2;

function groupPhrases(subjects: readonly Pick<Subject, 'phrases'>[]): Map<string, SharedPhrase> {
  const byPhrase = new Map<string, SharedPhrase>();
  for (const [file, { phrases }] of subjects.entries()) {
    for (const phrase of phrases) {
      const key = phrase.toLowerCase();
      const shared = byPhrase.get(key);
      if (shared === undefined) byPhrase.set(key, { phrase, owner: file, files: [file] });
      else if (shared.files.at(-1) !== file) shared.files.push(file);
    }
  }
  return byPhrase;
}

/**
 * Chooses phrases fairly: first those shared by several files, then one of each file without a phrase,
 * then the others round robin.
 * @param subjects newest first
 */
export function choosePhrases(
  subjects: readonly Pick<Subject, 'phrases'>[],
  limit: number,
): string[] {
  const byPhrase = groupPhrases(subjects);
  const chosen: string[] = [];
  const owned = subjects.map(() => 0);
  const represented = new Set<number>();
  const take = (key: string, { phrase, owner, files }: SharedPhrase): void => {
    byPhrase.delete(key);
    chosen.push(phrase);
    owned[owner] = (owned[owner] ?? 0) + 1;
    for (const file of files) represented.add(file);
  };

  const shared = [...byPhrase].filter(([, { files }]) => files.length > 1);
  for (const [key, phrase] of shared.sort(([, a], [, b]) => b.files.length - a.files.length)) {
    if ((owned[phrase.owner] ?? 0) < MAX_SHARED_PHRASES) take(key, phrase);
  }
  const waiting = subjects.map(({ phrases }) => phrases.map((phrase) => phrase.toLowerCase()));
  for (let round = 0; chosen.length < limit && byPhrase.size > 0; round += 1) {
    for (const [file, keys] of waiting.entries()) {
      if (round === 0 && represented.has(file)) continue;
      const key = keys.find((key) => byPhrase.has(key));
      const phrase = key === undefined ? undefined : byPhrase.get(key);
      if (key !== undefined && phrase) take(key, phrase);
    }
  }
  return chosen.slice(0, limit);
}

/** Files whose names and phrases are suggested, newest first. */
const FILES = 1000;
const PHRASES_PER_FILE = 6;

/** Suggestions of each kind. Unused shares are filled with other kinds. */
const SHARES = { questions: 400, keywords: 200, titles: 500, phrases: 900 } as const;

const CACHED_USERS = 500;

type Kinds = Record<keyof typeof SHARES, readonly string[]>;

const KINDS = Object.keys(SHARES) as (keyof Kinds)[];

const bytesOf = (text: string): number => Buffer.byteLength(JSON.stringify(text)) + 1;

/**
 * Combines suggestions up to the limits of a response: first the share of each kind, then more of any
 * kind. Duplicates that differ only in case are removed. The result is ordered by kind.
 */
export function mixSuggestions(kinds: Kinds): string[] {
  const usedTexts = new Set<string>();
  const chosen: Record<keyof Kinds, string[]> = {
    questions: [],
    keywords: [],
    titles: [],
    phrases: [],
  };
  let remaining = SUGGESTION_LIMIT;
  let bytes = SUGGESTION_BYTES - 2;
  const fill = (kind: keyof Kinds, maxCount: number): void => {
    let allowed = maxCount === Infinity ? bytes : (SUGGESTION_BYTES * maxCount) / SUGGESTION_LIMIT;
    for (const text of kinds[kind]) {
      if (remaining === 0 || chosen[kind].length >= maxCount) break;
      const key = text.toLowerCase();
      const size = bytesOf(text);
      if (text === '' || usedTexts.has(key) || size > Math.min(bytes, allowed)) continue;
      usedTexts.add(key);
      chosen[kind].push(text);
      remaining -= 1;
      bytes -= size;
      allowed -= size;
    }
  };
  for (const kind of KINDS) fill(kind, SHARES[kind]);
  for (const kind of KINDS) fill(kind, Infinity);
  return KINDS.flatMap((kind) => chosen[kind]);
}

export function createSuggestionsService(
  { library }: Pick<Storage, 'library'>,
  earlierQuestions: History['earlierQuestions'],
  keywordsService: Pick<KeywordsService, 'list'>,
) {
  const cache = new LRUCache<string, { version: number; titles: string[]; phrases: string[] }>({
    max: CACHED_USERS,
  });

  const ofFiles = async (userId: string) => {
    const version = await library.version(userId);
    const cached = cache.get(userId);
    if (cached?.version === version) return cached;
    const subjects = await library.newestSubjects(userId, FILES, PHRASES_PER_FILE);
    const titles = subjects.map(({ fileName }) => readableName(fileName));
    const current = { version, titles, phrases: choosePhrases(subjects, SUGGESTION_LIMIT) };
    cache.set(userId, current);
    return current;
  };

  return {
    forget: (userId: string): void => void cache.delete(userId),

    routes(mount: Mount): void {
      mount(suggestions, async ({ caller: { userId } }) => {
        const [questions, keywords, { titles, phrases }] = await Promise.all([
          earlierQuestions(userId),
          keywordsService.list(userId),
          ofFiles(userId),
        ]);
        const active = keywords.filter(({ isActive }) => isActive).map(({ keyword }) => keyword);
        return { data: mixSuggestions({ questions, keywords: active, titles, phrases }) };
      });
    },
  };
}
