import { type Citation, locationText, typesOfKind } from '@engram/contract';
import type { RankedPassage } from '@engram/retrieval';
import type { ArtifactsService } from '../artifacts/artifacts.service.ts';
import type { Library } from '../artifacts/library.ts';
import type { SearchService } from '../search/search.service.ts';
import { idOf, urlOf } from './file-ids.ts';
import { connectionOnlyReads, keyOnlyReads } from './mcp.errors.ts';
import { readPart } from './reading.ts';
import type { Input, Output, ToolName } from './shapes.ts';
import { UNTRUSTED } from './untrusted.ts';
import type { Visit } from './visit.ts';

export interface ToolDependencies {
  search: Pick<SearchService, 'ask' | 'find'>;
  artifacts: Pick<ArtifactsService, 'addText' | 'some' | 'text'>;
  library: Pick<Library, 'answerable' | 'locate'>;
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

/** The best sentence of a passage, or all of it. */
function bestOf({ artifactId, start, text, sentences }: RankedPassage) {
  const best = sentences[0] ?? { start: 0, end: text.length };
  const quote = text.slice(best.start, best.end);
  const from = start + best.start;
  return { artifactId, quote, start: from, end: from + quote.length };
}

/** The tools for one call of an assistant. */
export function createTools({ search, artifacts, library }: ToolDependencies, visit: Visit): Tools {
  const { caller, ip, origin } = visit;
  const { userId } = caller;

  const presentPassages = async (passages: readonly RankedPassage[]) => {
    const best = await library.locate(
      userId,
      passages.map((passage) => ({ ...bestOf(passage), passage })),
    );
    return best.map(({ passage, location, start, end }) => ({
      id: idOf(passage.artifactId, passage),
      title: passage.fileName,
      path: passage.path ?? null,
      url: urlOf(origin, passage.artifactId, { start, end }),
      text: passage.text,
      place: locationText(location, passage),
      score: Number((passage.score / (passage.score + HALF_SCORE)).toFixed(3)),
    }));
  };

  const presentCitation = (citation: Citation) => {
    const { n, artifactId, fileName, path, location, quote, start, end } = citation;
    return {
      n,
      id: idOf(artifactId, { start, end }),
      title: fileName,
      path,
      url: urlOf(origin, artifactId, { start, end }),
      place: locationText(location, { fileName }),
      quote,
    };
  };

  return {
    async search({ query, keywords = [] }) {
      const { passages } = await search.find(userId, query, keywords);
      const results = await presentPassages(passages.slice(0, PASSAGES));
      return { notice: UNTRUSTED, results };
    },

    fetch: ({ id }) => readPart({ artifacts, library }, visit, id),

    async ask({ question, keywords = [] }, signal) {
      const request = { text: question, keywords, audio: false, explain: false, device: DEVICE };
      const data = await search.ask({ ...caller, ip }, request, signal);
      return {
        notice: UNTRUSTED,
        answer: data.answers.join('\n\n'),
        grounded: data.grounded,
        mode: data.mode,
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
