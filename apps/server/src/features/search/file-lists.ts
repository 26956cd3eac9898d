import { type Answer, type ListedFile, MAX_LISTED, type Question } from '@engram/retrieval';
import type { Core } from '../../composition/core.ts';
import type { ArtifactRow } from '../artifacts/artifacts.tables.ts';
import type { Library, Scope } from '../artifacts/library.ts';
import type { StoredRelated } from '../history/history.tables.ts';
import type { RunAnalysis } from './analysis/analysis-threads.ts';

const NEWEST = 5;

type Openings = Awaited<ReturnType<Library['openings']>>;

function listedFile(
  { id, fileName, path, createdAt }: ArtifactRow,
  openings: Openings,
): ListedFile {
  const { text, segments } = openings.get(id) ?? { text: '', segments: [] };
  const first = segments.find(({ start, end }) => text.slice(start, end).trim() !== '');
  const beginning = first ? { text: text.slice(first.start, first.end), start: first.start } : null;
  return { artifactId: id, fileName, path, createdAt, beginning };
}

/** Answers a question about files, such as 'What did I upload last week?', with a list. */
export async function listFiles(
  { storage: { library }, config: { timeZone } }: Core,
  userId: string,
  { question, scope, runAnalysis }: { question: Question; scope: Scope; runAnalysis: RunAnalysis },
): Promise<{ answer: Answer; files: ReadonlyMap<string, ArtifactRow>; related: StoredRelated[] }> {
  const matchingIds = await library.matchingIds(userId, scope, question.files);
  const ids = question.files.list?.newest ? matchingIds.slice(0, NEWEST) : matchingIds;
  const shown = ids.slice(0, MAX_LISTED);
  const [files, openings] = await Promise.all([
    library.answerable(userId, shown),
    library.openings(userId, shown),
  ]);
  const rows = shown.flatMap((id) => files.get(id) ?? []);
  const listed = rows.map((row) => listedFile(row, openings));
  const { answer, lines } = await runAnalysis('list', listed, {
    // Excludes files that were just deleted or archived.
    total: ids.length - shown.length + rows.length,
    timed: question.files.uploaded.length > 0,
    timeZone,
  });
  const related = rows.map(({ id }) => ({ artifactId: id, score: 1, line: lines.get(id) }));
  return { answer, files, related };
}
