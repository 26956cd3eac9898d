import { isTypo, correctTypos, type Passage, type Question, withRarity } from '@engram/retrieval';
import type { Storage } from '../../composition/storage.ts';
import type { RowPlace } from '../../platform/index/search-index.ts';
import type { NamedFile } from '../artifacts/artifacts.repository.ts';
import type { Narrowing, Scope } from '../artifacts/library.ts';

/** The files of a user that a question is limited to. */
export type ScopeOf = (userId: string, narrowing: Narrowing) => Promise<Scope>;

export interface Retrieved {
  question: Question;
  /** In the order of the index. */
  passages: Passage[];
  files: Map<string, NamedFile>;
  /** Searches again with these terms corrected. The same if no other terms are like them. */
  respelled: (unfound: readonly string[]) => Promise<Retrieved>;
}

/** Chunks that are ranked for each question. */
const CANDIDATES = 50;

/** If no word of a question is in its files, the first chunks of up to this many files are ranked. */
const MAX_BEGINNINGS = 3;
const BEGINNING_CHUNKS = 16;

/** Terms of one question that are corrected. Each takes the index some milliseconds. */
const MAX_RESPELLED = 8;

const keyOf = ({ artifactId, ordinal }: RowPlace): string => `${artifactId}:${ordinal}`;

/**
 * The chunks that were found by words, with their similarities, and then those that were found only by
 * meaning, with a score of 0.
 */
export function joinNearest<Row extends RowPlace>(
  hits: readonly { row: Row; score: number }[],
  near: readonly { row: Row; similarity: number }[],
): { row: Row; score: number; similarity?: number }[] {
  const similarities = new Map(near.map(({ row, similarity }) => [keyOf(row), similarity]));
  const foundByWords = new Set(hits.map(({ row }) => keyOf(row)));
  return [
    ...hits.map((hit) => {
      const similarity = similarities.get(keyOf(hit.row));
      return similarity === undefined ? hit : { ...hit, similarity };
    }),
    ...near
      .filter(({ row }) => !foundByWords.has(keyOf(row)))
      .map((each) => ({ ...each, score: 0 })),
  ];
}

/** Finds the passages of a user's files that a question is about, by words and by meaning. */
export function createRetrieval(
  { library, index, embedding }: Pick<Storage, 'library' | 'index' | 'embedding'>,
  scopeOf: ScopeOf,
) {
  async function beginningsOf(userId: string, scope: Scope) {
    const ids = 'only' in scope && scope.only.size <= MAX_BEGINNINGS ? [...scope.only] : [];
    const places = ids.flatMap((artifactId) =>
      Array.from({ length: BEGINNING_CHUNKS }, (_, ordinal) => ({ artifactId, ordinal })),
    );
    const rows = await index.rowsAt(userId, places);
    return rows.map((row) => ({ row, score: 0 }));
  }

  /** @param done is called at the end of each stage */
  return async (
    userId: string,
    question: Question,
    narrowing: Narrowing,
    done: (stage: string) => void,
  ): Promise<Retrieved> => {
    const all = await scopeOf(userId, narrowing);
    const isChosen = narrowing.artifactIds.length > 0;
    const look = async (asked: Question, scope: Scope) => {
      const words = index.search(userId, {
        terms: [...asked.query.split(' ').filter(Boolean), ...asked.hints],
        limit: CANDIDATES,
        ...scope,
      });
      const near = embedding.nearest(userId, {
        question: asked.text,
        limit: CANDIDATES,
        limits: scope,
        done,
      });
      const [{ passages, frequencies }, nearest] = await Promise.all([words, near]);
      return { hits: joinNearest(passages, nearest), frequencies };
    };
    const read = async (scope: Scope, asked = question): Promise<Retrieved> => {
      const { hits, frequencies } = await look(asked, scope);
      if (hits.length === 0 && (scope !== all || isChosen))
        hits.push(...(await beginningsOf(userId, scope)));
      done('index');
      // The index may still contain deleted files.
      const ids = hits.map(({ row }) => row.artifactId);
      const files = await library.answerable(userId, ids);
      done('files');
      const passages = hits.flatMap(({ row, ...hit }): Passage[] => {
        const file = files.get(row.artifactId);
        return file ? [{ ...row, fileName: file.fileName, path: file.path, ...hit }] : [];
      });
      const found: Retrieved = {
        question: withRarity(asked, frequencies),
        files,
        passages,
        async respelled(unfound) {
          const wrong = unfound.slice(0, MAX_RESPELLED);
          const similar = await index.similarTerms(userId, wrong, isTypo);
          const again =
            similar.length > 0 ? await read(scope, correctTypos(asked, wrong, similar)) : found;
          done('spelling');
          return again;
        },
      };
      return found;
    };
    const meant = await library.within(userId, all, question.files);
    const found = await read(meant ?? all);
    // If no file is as the question says, all files are searched.
    return meant !== null && found.passages.length === 0 ? read(all) : found;
  };
}

export type Retrieval = ReturnType<typeof createRetrieval>;
