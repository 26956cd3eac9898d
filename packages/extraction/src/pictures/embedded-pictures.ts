import { ExtractionError } from '../errors.ts';
import type { FormatInput } from '../format.ts';
import { writeRecognized } from '../pdf/recognized.ts';
import { openRaster } from './raster.ts';
import type { Location, RecognizedPage } from '../types.ts';
import { inflateMember, listZip, memberHead, type ZipMember } from '../archives/zip-archive.ts';

/** Pictures that can be recognized, and drawings, which cannot. */
const PICTURE = /\.(?:png|jpe?g|jfif|gif|bmp|webp|tiff?)$/i;
const DRAWING = /\.(?:emf|wmf|emz|wmz)$/i;
const MAX_OPENED = 2000;
/** The size of a picture is in its first bytes. */
const HEAD_BYTES = 65_536;
/** Smaller pictures are icons and rules, in pixels. */
const MIN_SIDE = 24;
const MIN_AREA = 12_000;
/** A document with less text may consist of drawings. */
const MIN_TEXT_LENGTH = 200;

export type EmbeddedPictures = Awaited<ReturnType<typeof openEmbeddedPictures>>;

export const isWorthReading = ({ width, height }: { width: number; height: number }): boolean =>
  Math.min(width, height) >= MIN_SIDE && width * height >= MIN_AREA;

/** Opens the pictures of a zipped document within the upload's budget. */
export async function openEmbeddedPictures(input: FormatInput) {
  const { builder, budget, supplements } = input;
  const members = await membersOf(input.bytes);
  const byPath = new Map(members.map((member) => [member.path, member]));
  const sizes = await worthReading(members.filter(({ path }) => PICTURE.test(path)));
  const results = new Map<string, RecognizedPage | string>();
  for (const page of supplements.pages ?? []) {
    if (page.path !== undefined) results.set(page.path, 'missing' in page ? page.missing : page);
  }
  const written = new Set<string>();
  const missing = new Map<string, number>();
  let leftOutCount = 0;
  return {
    paths: new Set(sizes.keys()),
    /** Writes a picture's recognized text, or requests it once for each large picture. */
    write(path: string, location?: Location): void {
      const content = sizes.get(path);
      if (content === undefined || written.has(content) || builder.full) return;
      written.add(content);
      const member = byPath.get(path);
      if (member !== undefined) builder.html?.picture(() => inflateMember(member));
      if (budget.left.pictures <= 0) {
        leftOutCount += 1;
        return;
      }
      budget.left.pictures -= 1;
      const page = results.get(path);
      if (page === undefined) builder.request({ kind: 'page', page: 1, path });
      else if (typeof page === 'string') missing.set(page, (missing.get(page) ?? 0) + 1);
      else writeRecognized(builder, page, location);
    },
    /** Notes how many pictures were left out. Call it after the last picture. */
    end(): void {
      for (const [reason, count] of missing) {
        const pictures = count === 1 ? 'A picture' : `${count} pictures`;
        builder.note(`${pictures} in this document could not be read: ${reason}`);
      }
      if (leftOutCount > 0) {
        const pictures =
          leftOutCount === 1
            ? '1 picture was'
            : `${leftOutCount.toLocaleString('en-US')} pictures were`;
        builder.note(`Of many pictures, the first were read; ${pictures} left out.`);
      }
      const drawn = members.some(({ path }) => DRAWING.test(path));
      if (drawn && written.size === 0 && builder.length < MIN_TEXT_LENGTH) {
        builder.note('The text in the drawings of this document cannot be read.');
      }
    },
  };
}

async function membersOf(bytes: Uint8Array): Promise<ZipMember[]> {
  try {
    return (await listZip(bytes)).members;
  } catch (error) {
    if (error instanceof ExtractionError) return [];
    throw error;
  }
}

/** Paths of large pictures with a key of their content. */
async function worthReading(pictures: readonly ZipMember[]): Promise<Map<string, string>> {
  const keys = new Map<string, string>();
  for (const picture of pictures.slice(0, MAX_OPENED)) {
    if (await isLarge(picture)) {
      const { path, crc, size } = picture;
      keys.set(path, crc === null ? path : `${crc} ${size}`);
    }
  }
  return keys;
}

async function isLarge(picture: ZipMember): Promise<boolean> {
  // A long description may precede the size.
  for (const bytesOf of [
    (): Uint8Array => memberHead(picture, HEAD_BYTES),
    () => inflateMember(picture),
  ]) {
    try {
      return isWorthReading(await openRaster(bytesOf()));
    } catch (error) {
      if (!(error instanceof ExtractionError)) throw error;
      if (error.code === 'too_large') return true;
    }
  }
  return false;
}
