import type { ArtifactsService } from '../artifacts/artifacts.service.ts';
import type { Library } from '../artifacts/library.ts';
import { type FilePlace, idOfRest, placeOf, type Stretch, urlOf } from './file-ids.ts';
import { noSuchFile, unfinishedFile, unreadableFile } from './mcp.errors.ts';
import type { Output } from './shapes.ts';
import { UNTRUSTED } from './untrusted.ts';
import type { Visit } from './visit.ts';

export interface ReadingDependencies {
  artifacts: Pick<ArtifactsService, 'text'>;
  library: Pick<Library, 'answerable'>;
}

/** Characters of a text that are read at once: about what a model takes in without losing its thread. */
const READ_AT_ONCE = 50_000;

/** What to read of a text of some length: the stretch with what is around it, or what is from it on. */
function partOf(length: number, stretch: FilePlace['stretch']): Stretch {
  const { start, end } = stretch ?? { start: 0, end: null };
  const before = end === null ? 0 : Math.floor((READ_AT_ONCE - (end - start)) / 2);
  const isWhole = end !== null && length <= READ_AT_ONCE;
  const from = isWhole ? 0 : Math.max(0, Math.min(start - Math.max(0, before), length));
  return { start: from, end: Math.min(length, from + READ_AT_ONCE) };
}

/**
 * A file that questions are answered from, and its text.
 * @throws HttpError 404 if the user has no such file or has archived it, 409 if it has no text yet
 */
export async function readFile(
  { artifacts, library }: ReadingDependencies,
  userId: string,
  artifactId: string,
) {
  const file = (await library.answerable(userId, [artifactId])).get(artifactId);
  if (file === undefined) throw noSuchFile();
  const text = await artifacts.text(userId, artifactId);
  if (text === '' && file.status === 'FAILED') throw unreadableFile();
  if (text === '' && file.status !== 'SUCCESS') throw unfinishedFile();
  return { file, text };
}

/** A file's text, or so much of it around a passage as can be read at once. */
export async function readPart(
  deps: ReadingDependencies,
  { caller, origin }: Visit,
  id: string,
): Promise<Output<'fetch'>> {
  const { artifactId, stretch } = placeOf(id);
  const { file, text } = await readFile(deps, caller.userId, artifactId);
  const part = partOf(text.length, stretch);
  return {
    id,
    title: file.fileName,
    text: text.slice(part.start, part.end).toWellFormed(),
    url: urlOf(origin, artifactId, stretch),
    metadata: {
      notice: UNTRUSTED,
      type: file.mediaType,
      uploaded: file.createdAt.toISOString(),
      status: file.status,
      ...(file.path === null ? {} : { path: file.path }),
      characters: String(text.length),
      part: `${part.start}-${part.end}`,
      ...(part.end < text.length ? { next_id: idOfRest(artifactId, part.end) } : {}),
    },
  };
}
