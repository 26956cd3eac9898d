import { chunk, curateQuestions, type Passage } from '@engram/retrieval';
import { LRUCache } from 'lru-cache';
import type { Library } from '../artifacts/library.ts';

export interface RecommendationsDependencies {
  library: Pick<Library, 'newest' | 'beginning' | 'languages'>;
}

/** Files that questions are made from, newest first. */
const FILES = 12;

/** Characters from the start of each file that are looked at, and the chunks made of them. */
const SOURCE_LENGTH = 12_000;
const CHUNKS_PER_FILE = 4;

/** Questions suggested at once. */
const QUESTIONS = 6;

/** People whose questions are kept until their files change. */
const KEPT = 1000;

/** Questions that a person's own files answer, made from the newest of them. */
export function createRecommendationsService({ library }: RecommendationsDependencies) {
  const kept = new LRUCache<string, { version: string; questions: string[] }>({ max: KEPT });

  const passagesOf = async ({ id, fileName }: { id: string; fileName: string }) => {
    const source = await library.beginning(id);
    if (!source) return [];
    const text = source.text.slice(0, SOURCE_LENGTH);
    const segments = source.segments.filter(({ end }) => end <= text.length);
    const document = { text, segments: segments as Parameters<typeof chunk>[0]['segments'] };
    return chunk(document)
      .slice(0, CHUNKS_PER_FILE)
      .map((piece): Passage => ({ ...piece, artifactId: id, fileName, score: 1 }));
  };

  return {
    async forUser(userId: string): Promise<string[]> {
      const files = await library.newest(userId, FILES);
      const version = files.map(({ id, revision }) => `${id}:${revision}`).join();
      const known = kept.get(userId);
      if (known?.version === version) return known.questions;
      const passages = (await Promise.all(files.map(passagesOf))).flat();
      const questions = curateQuestions(passages, await library.languages(userId), QUESTIONS).map(
        ({ question }) => question,
      );
      kept.set(userId, { version, questions });
      return questions;
    },
  };
}

export type RecommendationsService = ReturnType<typeof createRecommendationsService>;
