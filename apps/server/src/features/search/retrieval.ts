import { isTypo, type Passage, type Question, type SearchHint } from '@engram/retrieval';
import type { SearchIndex } from '../../platform/index/search-index.ts';
import type { NamedFile } from '../artifacts/artifacts.repository.ts';
import type { Library, Scope } from '../artifacts/library.ts';
import type { EmbeddingService } from '../embedding/embedding.service.ts';

export interface RetrievalDependencies {
  library: Library;
  index: SearchIndex;
  meaning: Pick<EmbeddingService, 'nearest' | 'join'>;
  /** The keywords as the person's list spells them. */
  spelledKeywords: (userId: string, keywords: readonly string[]) => Promise<string[]>;
}

export interface RetrievalRequest {
  question: Question;
  /** Only files with one of these; none mean all files. */
  keywords: readonly string[];
  /** Called when a stage has ended. */
  done: (stage: string) => void;
}

export interface Retrieved {
  /** In the order of the index. */
  passages: Passage[];
  /** The files of the passages, by id. */
  files: Map<string, NamedFile>;
  /** Looks again, also for what these terms may be misspellings of; the same where there is nothing. */
  respelled: (unfound: readonly string[]) => Promise<Retrieved>;
}

/** Chunks that are looked at closely for each question. */
const CANDIDATES = 50;

/** How many files' beginnings are read where no word of a question is in them, and how far. */
const MOST_BEGUN = 3;
const BEGUN_CHUNKS = 16;

/** What a term counts in the search that one of the question's may be a misspelling of. */
const SIMILAR_WEIGHT = 0.5;
/** … where nothing else was found to weigh it against. */
const ONLY_SIMILAR_WEIGHT = 0.75;

/** Terms of one question that are looked for otherwise: each takes the engine some milliseconds. */
const MOST_RESPELLED = 8;

/** Finds the passages of a person's files that a question is about. */
export function createRetrieval({
  library,
  index,
  meaning,
  spelledKeywords,
}: RetrievalDependencies) {
  /** The first chunks of a few files that a question means without having a word of theirs. */
  async function beginningsOf(userId: string, scope: Scope) {
    const ids = 'only' in scope && scope.only.size <= MOST_BEGUN ? [...scope.only] : [];
    const places = ids.flatMap((artifactId) =>
      Array.from({ length: BEGUN_CHUNKS }, (_, ordinal) => ({ artifactId, ordinal })),
    );
    const rows = await index.rowsAt(userId, places);
    return rows.map((row) => ({ row, score: 0 }));
  }

  const scopeOf = async (userId: string, keywords: readonly string[]): Promise<Scope> =>
    library.scope(userId, await spelledKeywords(userId, keywords));

  return {
    /** The ids of the files with one of some keywords, of which there is at least one. */
    async filesWith(userId: string, keywords: readonly string[]): Promise<ReadonlySet<string>> {
      const scope = await scopeOf(userId, keywords);
      return 'only' in scope ? scope.only : new Set();
    },

    /** The ids of the files that some questions mean, as their passages are looked for; null for all. */
    async filesMeant(
      userId: string,
      keywords: readonly string[],
      questions: readonly Question[],
    ): Promise<ReadonlySet<string> | null> {
      const all = await scopeOf(userId, keywords);
      let meant = new Set<string>();
      for (const { files } of questions) {
        const narrowed = await library.within(userId, all, files);
        const scope =
          narrowed !== null && 'only' in narrowed && narrowed.only.size > 0 ? narrowed : all;
        if (!('only' in scope)) return null;
        meant = meant.union(scope.only);
      }
      return meant;
    },

    /** The passages that the engines find for a question. */
    async find(userId: string, { question, keywords, done }: RetrievalRequest): Promise<Retrieved> {
      const all = await scopeOf(userId, keywords);
      const look = async (scope: Scope, more: readonly SearchHint[]) => {
        const words = index.search(userId, {
          terms: [...question.query.split(' ').filter(Boolean), ...question.hints, ...more],
          limit: CANDIDATES,
          ...scope,
        });
        const near = meaning.nearest(userId, {
          question: question.text,
          limit: CANDIDATES,
          limits: scope,
          done,
        });
        return meaning.join(userId, await words, await near);
      };
      const read = async (scope: Scope, more: readonly SearchHint[] = []): Promise<Retrieved> => {
        const hits = await look(scope, more);
        if (hits.length === 0 && scope !== all) hits.push(...(await beginningsOf(userId, scope)));
        done('index');
        // PostgreSQL has the last word on what exists, whatever the index still holds.
        const ids = hits.map(({ row }) => row.artifactId);
        const files = await library.answerable(userId, ids);
        done('files');
        const passages = hits.flatMap(({ row, ...hit }): Passage[] => {
          const file = files.get(row.artifactId);
          return file ? [{ ...row, fileName: file.fileName, ...hit }] : [];
        });
        const found: Retrieved = {
          files,
          passages,
          async respelled(unfound) {
            const similar = await index.similarTerms(
              userId,
              unfound.slice(0, MOST_RESPELLED),
              isTypo,
            );
            const weight = passages.length === 0 ? ONLY_SIMILAR_WEIGHT : SIMILAR_WEIGHT;
            const hints = similar.map((term) => ({ term, weight }));
            const again = hints.length > 0 ? await read(scope, hints) : found;
            done('spelling');
            return again;
          },
        };
        return found;
      };
      const meant = await library.within(userId, all, question.files);
      const found = await read(meant ?? all);
      // A file that is not there must not leave a question without any.
      return meant !== null && found.passages.length === 0 ? read(all) : found;
    },
  };
}

export type Retrieval = ReturnType<typeof createRetrieval>;
