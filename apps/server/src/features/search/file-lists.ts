import { type Answer, type ListedFile, MOST_LISTED, type Question } from '@engram/retrieval';
import type { NamedFile } from '../artifacts/artifacts.repository.ts';
import type { Core } from '../../composition/core.ts';
import type { Library, Scope } from '../artifacts/library.ts';
import type { RunAnalysis } from './analysis/analysis-threads.ts';

/** A list of files as an answer. */
interface FileList {
  answer: Answer;
  /** The files that it names, by id. */
  files: ReadonlyMap<string, NamedFile>;
  /** With the line of the answer that names the file. */
  related: { artifactId: string; score: number; line?: number | undefined }[];
}

/** Files that 'the latest ones' are. */
const NEWEST = 5;

type Openings = Awaited<ReturnType<Library['openings']>>;

function listedFile({ id, fileName, path, createdAt }: NamedFile, openings: Openings): ListedFile {
  const { text, segments } = openings.get(id) ?? { text: '', segments: [] };
  const first = segments.find(({ start, end }) => text.slice(start, end).trim() !== '');
  const beginning = first && {
    text: text.slice(first.start, first.end),
    start: first.start,
  };
  return { artifactId: id, fileName, path, createdAt, beginning: beginning ?? null };
}

/** Answers a question for files themselves: 'What did I upload last week?' */
export async function listFiles(
  { storage, config }: Core,
  userId: string,
  { question, scope, runAnalysis }: { question: Question; scope: Scope; runAnalysis: RunAnalysis },
): Promise<FileList> {
  const { library } = storage;
  const all = await library.wanted(userId, scope, question.files);
  const ids = question.files.list?.newest ? all.slice(0, NEWEST) : all;
  const shown = ids.slice(0, MOST_LISTED);
  const [files, openings] = await Promise.all([
    library.answerable(userId, shown),
    library.openings(userId, shown),
  ]);
  const rows = shown.flatMap((id) => files.get(id) ?? []);
  const { answer, lines } = await runAnalysis('list', {
    files: rows.map((row) => listedFile(row, openings)),
    options: {
      // Without those that were deleted or archived meanwhile.
      total: ids.length - shown.length + rows.length,
      timed: question.files.uploaded.length > 0,
      timeZone: config.timeZone,
    },
  });
  const related = rows.map(({ id }) => ({ artifactId: id, score: 1, line: lines.get(id) }));
  return { answer, files, related };
}
