import type { SearchIndex } from '../../platform/index/search-index.ts';
import type { HeldVectors, VectorModel, VectorStore } from '../../platform/vectors/vector-store.ts';

/** A file whose chunks get vectors. */
export interface ReadableFile {
  id: string;
  revision: number;
  fileName: string;
}

/** What is left to do for one person. */
export interface Plan {
  model: VectorModel;
  /** Files without all their vectors, newest first. */
  missing: ReadableFile[];
  /** What there is of each file. */
  held: Map<string, HeldVectors>;
  /** Chunks that have vectors, and chunks in all. */
  done: number;
  total: number;
}

export interface PlanningDependencies {
  vectors: VectorStore;
  index: Pick<SearchIndex, 'stats'>;
  /** A person's files that have text in the index, newest first. */
  readable: (userId: string) => Promise<ReadableFile[]>;
}

/** Whether all vectors of a file's newest reading are there. */
const isWhole = ({ revision }: ReadableFile, held: HeldVectors | undefined): boolean =>
  held !== undefined && held.revision === revision && held.rows >= held.of;

/**
 * Compares a person's files with the vectors of a model, and removes vectors of files that are gone.
 * So nothing has to be remembered: whatever a kill cut short is found missing.
 */
export async function planFor(
  { vectors, index, readable }: PlanningDependencies,
  userId: string,
  { model, held }: Pick<Plan, 'model' | 'held'>,
): Promise<Plan> {
  const files = await readable(userId);
  const present = new Set(files.map(({ id }) => id));
  const gone = [...held.keys()].filter((id) => !present.has(id));
  if (gone.length > 0) await vectors.remove(userId, gone);
  const { mainRows, deltaRows } = await index.stats(userId);
  const missing = files.filter((file) => !isWhole(file, held.get(file.id)));
  const done = files.reduce((sum, { id }) => sum + (held.get(id)?.rows ?? 0), 0);
  return { model, missing, held, done, total: Math.max(done, mainRows + deltaRows) };
}
