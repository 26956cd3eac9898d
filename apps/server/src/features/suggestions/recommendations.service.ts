import {
  chooseQuestions,
  type LibraryDocument,
  type QuestionDraft,
  type Recommendation,
  type Section,
} from '@engram/retrieval';
import { LRUCache } from 'lru-cache';
import type { Background } from '../../platform/background.ts';
import type { Library } from '../artifacts/library.ts';
import type { SourceFile, SubjectsRepository } from '../artifacts/subjects.repository.ts';
import { preferenceOf, type Wish } from './wishes.ts';

export interface RecommendationsDependencies {
  library: Pick<Library, 'version'> & {
    /** Of the given files those that may be answered from now, by id. */
    answerable: (userId: string, ids: readonly string[]) => Promise<ReadonlyMap<string, unknown>>;
  };
  subjects: Pick<SubjectsRepository, 'newestReadable' | 'oldestReadable' | 'beginnings'>;
  /** What a person would rather be recommended. */
  wishes: (userId: string) => Promise<Wish[]>;
  /** The questions that some files may answer. */
  draft: (userId: string, files: readonly LibraryDocument[]) => Promise<QuestionDraft[]>;
  /** The sections that a question finds, best first. */
  ask: (userId: string, question: string) => Promise<readonly Section[]>;
  background: Background;
}

/** Files that questions are made from, newest first. */
const FILES = 24;

/** Characters from the start of each file that are looked at. */
const SOURCE_LENGTH = 12_000;

/** Questions suggested at once. */
const QUESTIONS = 6;

/** How long newer questions are waited for where earlier ones still hold, in milliseconds. */
const PATIENCE_MS = 50;

/** People whose questions are kept until their files change. */
const KEPT = 1000;

/** What questions were made of: another version of the files, or other wishes, make others. */
interface Basis {
  version: number;
  wishes: readonly Wish[];
  /** Tells wishes apart. */
  taste: string;
}

interface Kept extends Basis {
  found: Recommendation[];
}

const after = (ms: number): Promise<null> =>
  new Promise((resolve) => {
    setTimeout(resolve, ms, null).unref();
  });

/** Questions that a person's own files answer, made from the newest of them and asked before. */
export function createRecommendationsService({
  library,
  subjects,
  wishes: wishesOf,
  draft,
  ask,
  background,
}: RecommendationsDependencies) {
  const kept = new LRUCache<string, Kept>({ max: KEPT });
  const underWay = new Map<string, Basis & { found: Promise<Recommendation[]> }>();

  /** The newest files; half of them are the oldest where those are wished for. */
  const sourcesOf = async (userId: string, wishes: readonly Wish[]): Promise<SourceFile[]> => {
    const newest = await subjects.newestReadable(userId, FILES);
    if (!wishes.some(({ older }) => older)) return newest;
    const oldest = await subjects.oldestReadable(userId, Math.floor(newest.length / 2));
    const isOld = new Set(oldest.map(({ id }) => id));
    const others = newest.filter(({ id }) => !isOld.has(id));
    return [...others.slice(0, FILES - oldest.length), ...oldest];
  };

  /** The beginnings of files, in the order of the files. */
  const beginningsOf = async (
    userId: string,
    files: readonly SourceFile[],
  ): Promise<LibraryDocument[]> => {
    const ids = files.map(({ id }) => id);
    const texts = await subjects.beginnings(userId, ids, SOURCE_LENGTH);
    const byId = new Map(texts.map((text) => [text.artifactId, text]));
    return files.flatMap(({ id, fileName }): LibraryDocument[] => {
      const source = byId.get(id);
      if (!source) return [];
      const segments = source.segments as LibraryDocument['segments'];
      return [{ text: source.text, segments, artifactId: id, fileName }];
    });
  };

  const make = async (userId: string, { wishes }: Basis): Promise<Recommendation[]> => {
    const files = await sourcesOf(userId, wishes);
    const drafts = await draft(userId, await beginningsOf(userId, files));
    return chooseQuestions(drafts, {
      limit: QUESTIONS,
      ask: (question) => ask(userId, question),
      prefer: preferenceOf(wishes, files),
    });
  };

  const isOn = (one: Basis | undefined, other: Basis): boolean =>
    one?.version === other.version && one.taste === other.taste;

  /** Makes questions of the files as they are now; calls that come meanwhile share the work. */
  const refresh = (userId: string, basis: Basis): Promise<Recommendation[]> => {
    const running = underWay.get(userId);
    if (running && isOn(running, basis)) return running.found;
    const found = make(userId, basis).then((questions) => {
      // Whoever is gone meanwhile, or began anew, is not remembered by this.
      if (underWay.get(userId)?.found === found) kept.set(userId, { ...basis, found: questions });
      return questions;
    });
    underWay.set(userId, { ...basis, found });
    const forget = (): void => {
      if (underWay.get(userId)?.found === found) underWay.delete(userId);
    };
    void background.run(found.finally(forget), 'no questions could be recommended', { userId });
    return found;
  };

  /** Of earlier questions those whose files may still be answered from. */
  const holding = async (userId: string, found: readonly Recommendation[]) => {
    const files = await library.answerable(
      userId,
      found.map(({ artifactId }) => artifactId),
    );
    return found.filter(({ artifactId }) => files.has(artifactId));
  };

  return {
    /**
     * The questions for the home page. Those of the files as they were before a change are answered
     * where newer ones take long and all of them still hold.
     */
    async forUser(userId: string): Promise<string[]> {
      const wishes = await wishesOf(userId);
      const version = await library.version(userId);
      const basis = { version, wishes, taste: JSON.stringify(wishes) };
      const known = kept.get(userId);
      // What was made for other wishes is what the person has just wished away.
      let found = known?.taste === basis.taste ? known.found : [];
      if (!isOn(known, basis)) {
        const fresh = refresh(userId, basis);
        const held = await holding(userId, found);
        const newer = await (held.length < QUESTIONS
          ? fresh
          : Promise.race([fresh, after(PATIENCE_MS)]));
        found = newer ?? held;
        // What was deleted while they were made is in none of them.
        if ((await library.version(userId)) !== version) found = await holding(userId, found);
      }
      return found.map(({ question }) => question);
    },

    /** To be called when a person is gone: nothing of theirs is remembered. */
    forget(userId: string): void {
      kept.delete(userId);
      underWay.delete(userId);
    },
  };
}

export type RecommendationsService = ReturnType<typeof createRecommendationsService>;
