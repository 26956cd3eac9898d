import { ExtractionError, toExtractionError } from './errors.ts';
import { FILE_TYPES } from './file-types.ts';
import type { Budget, Format } from './format.ts';
import type { HtmlWriter } from './html/writer.ts';
import { createKeyring, type Keyring, PasswordFits } from './keyring.ts';
import { openProtected } from './open-protected.ts';
import { newBudget } from './archives/members.ts';
import { MAX_SEGMENTS, MAX_TEXT_LENGTH, TextBuilder } from './text-builder.ts';
import type { ExtractInput, Extraction, ExtractOptions } from './types.ts';

const load = (module: string): Promise<Format> =>
  import(/* @vite-ignore */ `./${module}`) as Promise<Format>;

/**
 * Extracts the text of a file. The result is deterministic. `locked` is true if a password would open more of it.
 * Throws only {@link ExtractionError}.
 */
export async function extract(
  input: ExtractInput,
  options: ExtractOptions & {
    html?: HtmlWriter;
  } = {},
): Promise<Extraction & { locked: boolean }> {
  const keyring = createKeyring(input.passwords);
  const extraction = await extractWithin(input, { ...options, budget: newBudget(), keyring });
  return { ...extraction, locked: keyring.locked };
}

/**
 * Whether a password opens something in a file that is locked without it. Stops as soon as it does.
 * The file's other passwords are tried too, because it may contain files with different ones.
 */
export async function opensWith(input: ExtractInput, password: string): Promise<boolean> {
  const keyring = createKeyring([password, ...(input.passwords ?? [])], (opened) => {
    if (opened === password) throw new PasswordFits();
  });
  try {
    await extractWithin(input, { budget: newBudget(), keyring });
  } catch (error) {
    if (error instanceof PasswordFits) return true;
    if (!(error instanceof ExtractionError)) throw error;
  }
  return false;
}

async function extractWithin(
  input: ExtractInput,
  options: ExtractOptions & { budget: Budget; keyring: Keyring; html?: HtmlWriter },
): Promise<Extraction> {
  const { fileName, type, supplements = {} } = input;
  const { budget, keyring } = options;
  if (input.bytes.length === 0) throw new ExtractionError('empty', 'This file is empty.');
  const format = await load(FILE_TYPES[type].module);
  const limits = {
    maxLength: options.maxTextLength ?? MAX_TEXT_LENGTH,
    maxSegments: options.maxSegments ?? MAX_SEGMENTS,
  };
  const onProgress = options.onProgress ?? ((): void => {});
  try {
    const builder = new TextBuilder(limits, options.html);
    const bytes = openProtected(input.bytes, keyring);
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
      budget,
      keyring,
      onProgress,
    });
    onProgress(100);
    return extraction;
  } catch (error) {
    if (error instanceof ExtractionError || error instanceof PasswordFits) throw error;
    throw toExtractionError(error, 'This file is damaged and could not be read.');
  }
}
