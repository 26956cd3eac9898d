import {
  chooseQuestions,
  type LibraryDocument,
  type QuestionDraft,
  type Recommendation,
  type Section,
  chunk,
  writtenDrafts,
} from '@engram/retrieval';
import { LRUCache } from 'lru-cache';
import type { AnswerModel } from '../../platform/ai/answering/answer-model.ts';
import type { Background } from '../../platform/background.ts';
import type { Library } from '../artifacts/library.ts';
import type { SourceFile, SubjectsRepository } from '../artifacts/subjects.repository.ts';
import { preferenceOf, type Wish } from './wishes.ts';

export interface RecommendationsDependencies {
  library: Pick<Library, 'version' | 'languages'> & {
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
  /** Proposes questions in its own words; null where no model is wanted. */
  model: Pick<AnswerModel, 'propose'> | null;
  now: () => Date;
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

/** Files that a model is shown the beginnings of, and how often at most, in milliseconds. */
const PROPOSED_FILES = 12;
const PROPOSED_EVERY_MS = 10 * 60_000;

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
  model,
  now,
  background,
}: RecommendationsDependencies) {
  const proposals = new LRUCache<string, { drafts: QuestionDraft[]; at: number }>({ max: KEPT });
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

  /** Questions that a model wrote for the beginnings of files, now or in the last minutes. */
  const proposed = async (
    userId: string,
    beginnings: readonly LibraryDocument[],
  ): Promise<QuestionDraft[]> => {
    const before = proposals.get(userId);
    const at = now().getTime();
    if (before !== undefined && at - before.at < PROPOSED_EVERY_MS) return before.drafts;
    if (model === null) return [];
    const passages = beginnings
      .slice(0, PROPOSED_FILES)
      .flatMap(({ artifactId, fileName, ...document }) =>
        chunk(document)
          .slice(0, 1)
          .map((first) => ({ ...first, artifactId, fileName, score: 0 })),
      );
    if (passages.length === 0) return [];
    const questions = await model.propose({ userId, passages });
    const drafts = writtenDrafts(questions, await library.languages(userId));
    if (drafts.length > 0) proposals.set(userId, { drafts, at });
    return drafts;
  };

  /**
   * Makes questions of the newest files, by templates at once, and later with those of a model, which
   * are better and take seconds.
   */
  const make = async (userId: string, { wishes }: Basis) => {
    const files = await sourcesOf(userId, wishes);
    const beginnings = await beginningsOf(userId, files);
    const drafts = await draft(userId, beginnings);
    const choose = (from: readonly QuestionDraft[]): Promise<Recommendation[]> =>
      chooseQuestions(from, {
        limit: QUESTIONS,
        ask: (question) => ask(userId, question),
        prefer: preferenceOf(wishes, files),
      });
    return {
      found: await choose(drafts),
      async withProposed(): Promise<Recommendation[] | null> {
        const written = await proposed(userId, beginnings);
        return written.length === 0 ? null : choose([...written, ...drafts]);
      },
    };
  };

  const isOn = (one: Basis | undefined, other: Basis): boolean =>
    one?.version === other.version && one.taste === other.taste;

  /** Makes questions of the files as they are now; calls that come meanwhile share the work. */
  const refresh = (userId: string, basis: Basis): Promise<Recommendation[]> => {
    const running = underWay.get(userId);
    if (running && isOn(running, basis)) return running.found;
    const found = make(userId, basis).then(({ found: questions, withProposed }) => {
      // Whoever is gone meanwhile, or began anew, is not remembered by this.
      if (underWay.get(userId)?.found !== found) return questions;
      const before: Kept = { ...basis, found: questions };
      kept.set(userId, before);
      const better = withProposed().then((all) => {
        if (all !== null && kept.get(userId) === before) kept.set(userId, { ...basis, found: all });
      });
      void background.run(better, 'no questions could be proposed by the model', { userId });
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
      proposals.delete(userId);
      underWay.delete(userId);
    },
  };
}

export type RecommendationsService = ReturnType<typeof createRecommendationsService>;
