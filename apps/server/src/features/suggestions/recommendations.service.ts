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
import { recommendedQuestions } from '@engram/contract';
import type { Mount } from '../../platform/http/mount.ts';
import type { AnswerModel } from '../../platform/ai/answering/answer-model.ts';
import type { Background } from '../../platform/background.ts';
import type { Library } from '../artifacts/library.ts';
import type { SourceFile } from '../artifacts/library.repository.ts';
import type { TextsRepository } from '../artifacts/texts.repository.ts';
import { preferenceOf, type UserPreference } from './preferences.ts';

interface RecommendationsDependencies {
  library: Pick<Library, 'version' | 'languages' | 'newestReadable' | 'oldestReadable'> & {
    answerable: (userId: string, ids: readonly string[]) => Promise<ReadonlyMap<string, unknown>>;
  };
  texts: Pick<TextsRepository, 'beginnings'>;
  preferences: (userId: string) => Promise<UserPreference[]>;
  draft: (userId: string, files: readonly LibraryDocument[]) => Promise<QuestionDraft[]>;
  ask: (userId: string, question: string) => Promise<readonly Section[]>;
  /** Null if no model is configured. */
  model: Pick<AnswerModel, 'propose'> | null;
  now: () => Date;
  background: Background;
}

const FILES = 24;

const SOURCE_LENGTH = 12_000;

const QUESTIONS = 6;

/** Maximum wait for new questions if earlier ones are still valid, in milliseconds. */
const WAIT_MS = 50;

/** Files of which the model reads the beginning, and the minimum interval, in milliseconds. */
const PROPOSAL_FILES = 12;
const PROPOSAL_INTERVAL_MS = 10 * 60_000;

const CACHED_USERS = 1000;

/** The version of the files and the preferences from which questions were generated. */
interface Basis {
  version: number;
  preferences: readonly UserPreference[];
  preferencesKey: string;
}

const delay = (ms: number): Promise<null> =>
  new Promise((resolve) => {
    setTimeout(resolve, ms, null).unref();
  });

/** Recommends questions that the user's files answer. Each one is tested before it is recommended. */
export function createRecommendationsService({
  library,
  texts,
  preferences: loadPreferences,
  draft,
  ask,
  model,
  now,
  background,
}: RecommendationsDependencies) {
  const proposals = new LRUCache<string, { drafts: QuestionDraft[]; at: number }>({
    max: CACHED_USERS,
  });
  const cache = new LRUCache<string, Basis & { questions: Recommendation[] }>({
    max: CACHED_USERS,
  });
  const running = new Map<string, Basis & { questions: Promise<Recommendation[]> }>();

  /** The newest files, or the newest and the oldest if the user prefers older ones. */
  const sourcesOf = async (
    userId: string,
    preferences: readonly UserPreference[],
  ): Promise<SourceFile[]> => {
    const newest = await library.newestReadable(userId, FILES);
    if (!preferences.some(({ older }) => older)) return newest;
    const oldest = await library.oldestReadable(userId, Math.floor(newest.length / 2));
    const isOld = new Set(oldest.map(({ id }) => id));
    const others = newest.filter(({ id }) => !isOld.has(id));
    return [...others.slice(0, FILES - oldest.length), ...oldest];
  };

  const beginningsOf = async (
    userId: string,
    files: readonly SourceFile[],
  ): Promise<LibraryDocument[]> => {
    const ids = files.map(({ id }) => id);
    const beginnings = await texts.beginnings(userId, ids, SOURCE_LENGTH);
    return files.flatMap(({ id, fileName }): LibraryDocument[] => {
      const { text = '', segments = [] } = beginnings.get(id) ?? {};
      const whole = segments.filter(({ end }) => end <= text.length);
      return text === '' ? [] : [{ text, segments: whole, artifactId: id, fileName }];
    });
  };

  /** Questions that a model wrote now or in the last minutes. */
  const proposed = async (
    userId: string,
    beginnings: readonly LibraryDocument[],
  ): Promise<QuestionDraft[]> => {
    const before = proposals.get(userId);
    const time = now().getTime();
    if (before !== undefined && time - before.at < PROPOSAL_INTERVAL_MS) return before.drafts;
    if (model === null) return [];
    const passages = beginnings
      .slice(0, PROPOSAL_FILES)
      .flatMap(({ artifactId, fileName, ...document }) =>
        chunk(document)
          .slice(0, 1)
          .map((first) => ({ ...first, artifactId, fileName, score: 0 })),
      );
    if (passages.length === 0) return [];
    const questions = await model.propose({ userId, passages });
    const drafts = writtenDrafts(questions, await library.languages(userId));
    if (drafts.length > 0) proposals.set(userId, { drafts, at: time });
    return drafts;
  };

  /** Generates questions from templates, and then with a model, which is better but takes seconds. */
  const generate = async (userId: string, { preferences }: Basis) => {
    const files = await sourcesOf(userId, preferences);
    const beginnings = await beginningsOf(userId, files);
    const drafts = await draft(userId, beginnings);
    const choose = (from: readonly QuestionDraft[]): Promise<Recommendation[]> =>
      chooseQuestions(from, {
        limit: QUESTIONS,
        ask: (question) => ask(userId, question),
        prefer: preferenceOf(preferences, files),
      });
    return {
      questions: await choose(drafts),
      async withProposed(): Promise<Recommendation[] | null> {
        const written = await proposed(userId, beginnings);
        return written.length === 0 ? null : choose([...written, ...drafts]);
      },
    };
  };

  const isSameBasis = (a: Basis | undefined, b: Basis): boolean =>
    a?.version === b.version && a.preferencesKey === b.preferencesKey;

  /** Generates questions from the current files. Concurrent calls share the work. */
  const refresh = (userId: string, basis: Basis): Promise<Recommendation[]> => {
    const current = running.get(userId);
    if (current && isSameBasis(current, basis)) return current.questions;
    const generated = generate(userId, basis).then(({ questions, withProposed }) => {
      // The account was deleted or the questions were generated again in the meantime.
      if (running.get(userId)?.questions !== generated) return questions;
      const before = { ...basis, questions };
      cache.set(userId, before);
      const better = withProposed().then((all) => {
        if (all !== null && cache.get(userId) === before)
          cache.set(userId, { ...basis, questions: all });
      });
      void background.run(better, 'the model could not propose questions', { userId });
      return questions;
    });
    running.set(userId, { ...basis, questions: generated });
    const forget = (): void => {
      if (running.get(userId)?.questions === generated) running.delete(userId);
    };
    void background.run(generated.finally(forget), 'no questions could be recommended', { userId });
    return generated;
  };

  const stillValid = async (userId: string, questions: readonly Recommendation[]) => {
    const ids = questions.map(({ artifactId }) => artifactId);
    const files = await library.answerable(userId, ids);
    return questions.filter(({ artifactId }) => files.has(artifactId));
  };

  /** The questions for the home page. Earlier ones are returned while new ones are generated. */
  async function forUser(userId: string): Promise<string[]> {
    const preferences = await loadPreferences(userId);
    const version = await library.version(userId);
    const basis = { version, preferences, preferencesKey: JSON.stringify(preferences) };
    const cached = cache.get(userId);
    let questions = cached?.preferencesKey === basis.preferencesKey ? cached.questions : [];
    if (!isSameBasis(cached, basis)) {
      const refreshed = refresh(userId, basis);
      const valid = await stillValid(userId, questions);
      const newer = await (valid.length < QUESTIONS
        ? refreshed
        : Promise.race([refreshed, delay(WAIT_MS)]));
      questions = newer ?? valid;
      if ((await library.version(userId)) !== version)
        questions = await stillValid(userId, questions);
    }
    return questions.map(({ question }) => question);
  }

  return {
    forUser,
    routes(mount: Mount): void {
      mount(recommendedQuestions, async ({ caller }) => ({ data: await forUser(caller.userId) }));
    },
    forget(userId: string): void {
      cache.delete(userId);
      proposals.delete(userId);
      running.delete(userId);
    },
  };
}

export type RecommendationsService = ReturnType<typeof createRecommendationsService>;
