import { AnswerFailedError } from '../errors.ts';
import type { Answer, Citation, FoundSection, RelatedFile } from './models.ts';
import * as read from './readers.ts';
import { list, record, text } from './shape.ts';

/**
 * What was found. It comes before the answer, and where a model writes the answer it comes again at the
 * end, with the citations.
 */
export interface Sources {
  type: 'sources';
  citations: Citation[];
  /** Sections of files, best first. */
  found: FoundSection[];
  relatedFiles: RelatedFile[];
}

/** What is being looked for, where a model answers. */
export interface Step {
  type: 'step';
  text: string;
}

/** The next piece of the answer's text. */
export interface Delta {
  type: 'delta';
  text: string;
}

/** The whole answer; the last event. */
export interface Done {
  type: 'done';
  answer: Answer;
}

/** What a stream yields. */
export type Event = Sources | Step | Delta | Done;

const sources = record<Omit<Sources, 'type'>>({
  citations: ['citations', list(read.citation)],
  found: ['found', list(read.foundSection)],
  relatedFiles: ['similar_vectors', list(read.relatedFile)],
});
const piece = record<{ text: string }>({ text: ['text', text] });
const failure = record<{ message: string; code: string }>({
  message: ['message', text],
  code: ['code', text],
});

/**
 * An event as the server sent it; null for one that is not known yet. Throws an AnswerFailedError for
 * the server's own, a MalformedResponseError for what is none.
 */
export function readEvent(event: string, data: unknown): Event | null {
  switch (event) {
    case 'sources':
      return { ...sources(data, event), type: event };
    case 'step':
    case 'delta':
      return { ...piece(data, event), type: event };
    case 'done':
      return { type: event, answer: read.answer(data, event) };
    case 'error': {
      const { message, code } = failure(data, event);
      throw new AnswerFailedError(message, { code });
    }
    default:
      return null;
  }
}
