import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder of the evaluation data: next to the project, or ENGRAM_QUALITY_DATA. */
export const ALL_DATA =
  process.env['ENGRAM_QUALITY_DATA'] ??
  fileURLToPath(new URL('../../../../shared/evaldata', import.meta.url));

const EVALDATA = join(ALL_DATA, 'retrieval');

export interface EvalDocument {
  id: string;
  title: string;
  text: string;
}

interface EvalReference {
  doc_id: string;
  start: number;
  end: number;
  content: string;
}

export interface EvalQuery {
  id: string;
  text: string;
  answers?: string[];
  references?: EvalReference[];
}

export interface Dataset {
  name: string;
  documents: EvalDocument[];
  queries: EvalQuery[];
  /** Query id to document id to grade; a grade of 1 or more is relevant. */
  grades: Map<string, Map<string, number>>;
}

export interface Unanswerable {
  exclude_title: string;
  exclude_docs: string[];
  queries: { id: string; text: string }[];
}

/** Whether the files of a set exist. The data is not part of the project. */
export function hasDataset(name: string): boolean {
  return existsSync(join(EVALDATA, name, 'corpus.jsonl'));
}

/** Loads a set. Throws if it is missing (check {@link hasDataset} first). */
export function loadDataset(name: string): Dataset {
  const folder = join(EVALDATA, name);
  const grades = new Map<string, Map<string, number>>();
  for (const line of lines(join(folder, 'qrels.tsv'))) {
    const [query = '', document = '', grade = '0'] = line.split('\t');
    const ofQuery = grades.get(query) ?? new Map<string, number>();
    ofQuery.set(document, Number(grade));
    grades.set(query, ofQuery);
  }
  return {
    name,
    documents: records<EvalDocument>(join(folder, 'corpus.jsonl')),
    queries: records<EvalQuery>(join(folder, 'queries.jsonl')),
    grades,
  };
}

/** The questions whose answers are only in `exclude_docs`. */
export function loadUnanswerable(): Unanswerable[] {
  return records<Unanswerable>(join(EVALDATA, 'squad', 'unanswerable.jsonl'));
}

function lines(path: string): string[] {
  return readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line.trim() !== '');
}

function records<T>(path: string): T[] {
  return lines(path).map((line) => JSON.parse(line) as T);
}
