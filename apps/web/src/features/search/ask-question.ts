import { ApiError } from '@engram/client';
import type { ChosenFile, Citation, FoundSection, RelatedFile, SearchData } from '@engram/contract';
import { search } from '@engram/contract/browser';
import { api } from '../../api/api.ts';
import { deviceLabel } from '../../browser/device.ts';
import { heldPosition } from '../../browser/position.ts';

export interface Question {
  text: string;
  /** Only files with one of these are asked; empty for all. */
  keywords: string[];
  /** Only these are asked; none for all files. */
  files: ChosenFile[];
  /** The history entry that the question follows up on. */
  after: string | null;
}

export interface Sources {
  /** The id that the question will have in the history. */
  history_id: string;
  citations: Citation[];
  found: FoundSection[];
  similar_vectors: RelatedFile[];
}

export interface AnswerListener {
  /** Called with what was found, and again with what a written answer cites. */
  onSources: (sources: Sources) => void;
  /** Told what is being looked for. */
  onStep: (text: string) => void;
  onText: (text: string) => void;
}

/**
 * Asks a question and tells of the answer as it comes in; the whole answer is the result. Throws an
 * {@link ApiError} when the server refuses or gives up, a TypeError when it cannot be reached.
 */
export async function askQuestion(
  { text, keywords, files, after }: Question,
  { onSources, onStep, onText }: AnswerListener,
  signal: AbortSignal,
): Promise<SearchData> {
  const body = {
    text,
    keywords,
    artifactIds: files.map(({ artifactId }) => artifactId),
    location: heldPosition(),
    device: deviceLabel(),
    audio: false,
    explain: true,
    ...(after === null ? {} : { after }),
  };
  for await (const { event, data } of api.stream(search, { body }, { signal })) {
    if (event === 'sources') onSources(data);
    else if (event === 'step') onStep(data.text);
    else if (event === 'delta') onText(data.text);
    else if (event === 'error') throw new ApiError(503, data);
    else return data;
  }
  throw new ApiError(503, {
    code: 'cut_off',
    message: 'The answer was cut off before it was complete.',
  });
}
