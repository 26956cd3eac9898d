import { ExtractionError, toExtractionError } from './errors.ts';
import { FILE_TYPES } from './file-types.ts';
import type { Budget, Format } from './format.ts';
import type { HtmlWriter } from './html/writer.ts';
import { newBudget } from './archives/members.ts';
import { MAX_SEGMENTS, MAX_TEXT_LENGTH, TextBuilder } from './text-builder.ts';
import type { ExtractInput, Extraction, ExtractOptions } from './types.ts';

const load = (module: string): Promise<Format> =>
  import(/* @vite-ignore */ `./${module}`) as Promise<Format>;

/** Extracts the text of a file. Throws only {@link ExtractionError}. The result is deterministic. */
export async function extract(
  input: ExtractInput,
  options: ExtractOptions & {
    html?: HtmlWriter;
  } = {},
): Promise<Extraction> {
  return extractWithin(input, { ...options, budget: newBudget() });
}

async function extractWithin(
  input: ExtractInput,
  options: ExtractOptions & { budget: Budget; html?: HtmlWriter },
): Promise<Extraction> {
  const { bytes, fileName, type, supplements = {} } = input;
  if (bytes.length === 0) throw new ExtractionError('empty', 'This file is empty.');
  const format = await load(FILE_TYPES[type].module);
  const limits = {
    maxLength: options.maxTextLength ?? MAX_TEXT_LENGTH,
    maxSegments: options.maxSegments ?? MAX_SEGMENTS,
  };
  const onProgress = options.onProgress ?? ((): void => {});
  try {
    const builder = new TextBuilder(limits, options.html);
    const ownBytes = options.ownBytes ?? false;
    const extraction = await format.read({
      bytes,
      type,
      ownBytes,
      fileName,
      supplements,
      limits,
      builder,
      extract: extractWithin,
      budget: options.budget,
      onProgress,
    });
    onProgress(100);
    return extraction;
  } catch (error) {
    if (error instanceof ExtractionError) throw error;
    throw toExtractionError(error, 'This file is damaged and could not be read.');
  }
}

/** Loads all formats, so that the first file does not wait for them. */
export async function preload(): Promise<void> {
  await Promise.all(
    Object.values(FILE_TYPES).map(async ({ module }) => (await load(module)).preload?.()),
  );
}
