import type { Subject } from '../artifacts/library.repository.ts';

interface SharedPhrase {
  phrase: string;
  owner: number;
  files: number[];
}

/** Shared phrases that the newest of their files may have. */
const FIRST_SHARE = 2;

function gather(subjects: readonly Pick<Subject, 'phrases'>[]): Map<string, SharedPhrase> {
  const gathered = new Map<string, SharedPhrase>();
  for (const [file, { phrases }] of subjects.entries()) {
    for (const phrase of phrases) {
      const key = phrase.toLowerCase();
      const known = gathered.get(key);
      if (known === undefined) gathered.set(key, { phrase, owner: file, files: [file] });
      else if (known.files.at(-1) !== file) known.files.push(file);
    }
  }
  return gathered;
}

/**
 * Chooses phrases fairly: first those of several files, then one of each file that has none yet, then
 * the others round robin.
 * @param subjects newest first
 */
export function choosePhrases(
  subjects: readonly Pick<Subject, 'phrases'>[],
  limit: number,
): string[] {
  const gathered = gather(subjects);
  const chosen: string[] = [];
  const owned = subjects.map(() => 0);
  const spokenFor = new Set<number>();
  const take = (key: string, { phrase, owner, files }: SharedPhrase): void => {
    gathered.delete(key);
    chosen.push(phrase);
    owned[owner] = (owned[owner] ?? 0) + 1;
    for (const file of files) spokenFor.add(file);
  };

  const shared = [...gathered].filter(([, { files }]) => files.length > 1);
  for (const [key, phrase] of shared.sort(([, a], [, b]) => b.files.length - a.files.length)) {
    if ((owned[phrase.owner] ?? 0) < FIRST_SHARE) take(key, phrase);
  }
  const waiting = subjects.map(({ phrases }) => phrases.map((one) => one.toLowerCase()));
  for (let round = 0; chosen.length < limit && gathered.size > 0; round += 1) {
    for (const [file, keys] of waiting.entries()) {
      if (round === 0 && spokenFor.has(file)) continue;
      const key = keys.find((one) => gathered.has(one));
      const phrase = key === undefined ? undefined : gathered.get(key);
      if (key !== undefined && phrase) take(key, phrase);
    }
  }
  return chosen.slice(0, limit);
}
