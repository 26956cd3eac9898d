import type { Citation } from '@engram/contract';
import { typesOfKind } from '@engram/contract';
import type { RankedPassage } from '@engram/retrieval';
import type { ArtifactsService } from '../artifacts/artifacts.service.ts';
import type { Library } from '../artifacts/library.ts';
import type { SearchService } from '../search/search.service.ts';
import { idOf, urlOf } from './file-ids.ts';
import { connectionOnlyReads, keyOnlyReads } from './mcp.errors.ts';
import { describePlace } from './places.ts';
import { readPart } from './reading.ts';
import type { Input, Output, ToolName } from './shapes.ts';
import { UNTRUSTED } from './untrusted.ts';
import type { Visit } from './visit.ts';

export interface ToolDependencies {
  search: Pick<SearchService, 'ask' | 'find'>;
  artifacts: Pick<ArtifactsService, 'addText' | 'some' | 'text'>;
  library: Pick<Library, 'answerable'>;
}

/** A tool at work: for one call, until whoever made it goes away. */
export type Tools = {
  [Name in ToolName]: (input: Input<Name>, signal: AbortSignal) => Promise<Output<Name>>;
};

/** Passages that a search answers: as many as a model reads before it asks again. */
const PASSAGES = 10;
/** Files on one page of a list. */
const LISTED = 50;

/** Score of a passage that is shown as a half match. */
const HALF_SCORE = 5;

/** What the history says that a question was asked with. */
const DEVICE = 'MCP';

/** The stretch of a passage that a person is to see: its best sentence. */
function bestOf({ start, end, text, sentences, places, location }: RankedPassage) {
  const [best] = sentences;
  if (best === undefined) return { stretch: { start, end }, location };
  const place = places.findLast(({ offset }) => offset <= best.start);
  const stretch = { start: start + best.start, end: start + Math.min(best.end, text.length) };
  return { stretch, location: place?.location ?? location };
}

/** The tools for one call of an assistant. */
export function createTools({ search, artifacts, library }: ToolDependencies, visit: Visit): Tools {
  const { caller, ip, origin } = visit;
  const { userId } = caller;

  const presentPassage = (passage: RankedPassage) => {
    const { stretch, location } = bestOf(passage);
    return {
      id: idOf(passage.artifactId, passage),
      title: passage.fileName,
      path: passage.path ?? null,
      url: urlOf(origin, passage.artifactId, stretch),
      text: passage.text,
      place: describePlace(location),
      score: Number((passage.score / (passage.score + HALF_SCORE)).toFixed(3)),
    };
  };

  const presentCitation = (citation: Citation) => {
    const { n, artifactId, fileName, path, location, quote, start, end } = citation;
    return {
      n,
      id: idOf(artifactId, { start, end }),
      title: fileName,
      path,
      url: urlOf(origin, artifactId, { start, end }),
      place: describePlace(location),
      quote,
    };
  };

  return {
    async search({ query, keywords = [] }) {
      const { passages } = await search.find(userId, query, keywords);
      return { notice: UNTRUSTED, results: passages.slice(0, PASSAGES).map(presentPassage) };
    },

    fetch: ({ id }) => readPart({ artifacts, library }, visit, id),

    async ask({ question, keywords = [] }, signal) {
      const request = { text: question, keywords, audio: false, explain: false, device: DEVICE };
      const data = await search.ask({ ...caller, ip }, request, signal);
      return {
        notice: UNTRUSTED,
        answer: data.answers.join('\n\n'),
        grounded: data.grounded,
        citations: data.citations.map(presentCitation),
        nearest: data.nearest.map(presentCitation),
        remark: data.notice,
      };
    },

    async list_files({ query, keyword, kind, since, cursor }) {
      const listed = await artifacts.some(caller, {
        q: query || undefined,
        keyword,
        types: kind && [...typesOfKind(kind)],
        since: since === undefined ? undefined : new Date(since),
        cursor,
        limit: LISTED,
        // What is put away is kept out of answers, and so of what an assistant is told.
        archived: false,
      });
      return {
        notice: UNTRUSTED,
        files: listed.files.map((file) => ({
          id: file.artifactId,
          title: file.artifactFileName,
          path: file.path,
          url: urlOf(origin, file.artifactId, null),
          type: file.artifactFileType,
          bytes: file.artifactFileSize,
          uploaded: file.artifactCreatedDate,
          keywords: file.keywords,
          status: file.uploadStatus,
        })),
        next_cursor: listed.nextCursor,
      };
    },

    async add_text({ title, text, keywords = [] }) {
      if (caller.readOnly) {
        throw caller.connectionId === null ? keyOnlyReads() : connectionOnlyReads();
      }
      const [added] = await artifacts.addText(caller, { title, text, keywords });
      if (added === undefined) throw new Error('The text was not kept.');
      const { artifactId, fileName, duplicate } = added;
      return {
        id: artifactId,
        title: fileName,
        url: urlOf(origin, artifactId, null),
        duplicate,
      };
    },
  };
}
