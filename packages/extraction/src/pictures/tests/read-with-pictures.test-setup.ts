import {
  extract,
  type Extraction,
  type FileType,
  type RecognizedPage,
  recognizePicture,
  type Recognizer,
} from '../../index.ts';

/** Extracts a file, recognizes its pictures, and extracts it again with their text. */
export async function readWithPictures(
  input: { bytes: Uint8Array; fileName: string; type: FileType },
  recognizer: Recognizer,
): Promise<Extraction> {
  const first = await extract(input);
  const pages: RecognizedPage[] = [];
  for (const request of first.requests) {
    if (request.kind !== 'page') continue;
    const { kind, ...ref } = request;
    if (kind === 'page') pages.push(await recognizePicture(input, ref, recognizer));
  }
  return pages.length === 0 ? first : extract({ ...input, supplements: { pages } });
}
