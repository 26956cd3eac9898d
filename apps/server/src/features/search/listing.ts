import { type Answer, type ListedFile, MOST_LISTED, type Question } from '@engram/retrieval';
import type { NamedFile } from '../artifacts/artifacts.repository.ts';
import type { Library, Narrowing } from '../artifacts/library.ts';
import type { ScopeOf } from './retrieval.ts';
import type { RunAnalysis } from './analysis/analysis-threads.ts';

export interface ListingDependencies {
  library: Library;
  scopeOf: ScopeOf;
  /** Where days are counted: an IANA time zone. */
  timeZone: string;
}

/** What answers a question for files instead of passages. */
export interface Listed {
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

/** Answers questions for files themselves: 'What did I upload last week?' */
export function createListing({ library, scopeOf, timeZone }: ListingDependencies) {
  return {
    async list(
      userId: string,
      question: Question,
      narrowing: Narrowing,
      runAnalysis: RunAnalysis,
    ): Promise<Listed> {
      const scope = await scopeOf(userId, narrowing);
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
          timeZone,
        },
      });
      const related = rows.map(({ id }) => ({ artifactId: id, score: 1, line: lines.get(id) }));
      return { answer, files, related };
    },
  };
}

export type Listing = ReturnType<typeof createListing>;
