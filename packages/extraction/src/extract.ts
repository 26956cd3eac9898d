import { ExtractionError, toExtractionError } from './errors.ts';
import { formats } from './formats.ts';
import type { Budget } from './format.ts';
import type { HtmlWriter } from './html/writer.ts';
import { newBudget } from './archives/members.ts';
import { MAX_SEGMENTS, MAX_TEXT_LENGTH, TextBuilder } from './text-builder.ts';
import type { ExtractInput, Extraction, ExtractOptions, FileType } from './types.ts';

const byType = new Map(formats.map((format) => [format.type, format]));

export const READ_TYPES: ReadonlySet<FileType> = new Set(byType.keys());

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
  const format = byType.get(type);
  if (format === undefined) {
    throw new ExtractionError('unsupported', 'Files of this type cannot be read.');
  }
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

export async function preload(): Promise<void> {
  await Promise.all(formats.map((format) => format.preload?.()));
}
