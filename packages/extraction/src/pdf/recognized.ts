import type { TextBuilder } from '../text-builder.ts';
import type { Location, PictureRef, RecognizedLine, RecognizedPage } from '../types.ts';

/** Relative height of headings. */
const HEADING_RATIO = 1.45;
const MAX_HEADING_WORDS = 14;

/** The median word height, because punctuation is lower or higher. */
function heightOf({ words }: RecognizedLine): number {
  return median(words.map((word) => word.height));
}

export function median(numbers: number[]): number {
  const sorted = numbers.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}

/** A key of the text without white space, punctuation and case. */
export function squeezed(text: string): string {
  return text
    .normalize('NFKC')
    .replace(/[\s\p{P}]+/gu, '')
    .toLowerCase();
}

export function recognizedText({ lines }: RecognizedPage): string {
  return squeezed(lines.map(({ words }) => words.map((word) => word.text).join(' ')).join(' '));
}

/** Writes recognized lines, larger ones as headings. */
export function writeRecognized(
  builder: TextBuilder,
  page: RecognizedPage,
  location: Location | undefined,
): void {
  const lines = page.lines.filter(({ words }) => words.length > 0);
  const usual = median(lines.flatMap((line) => line.words.map(() => heightOf(line))));
  const isHeading = (line: RecognizedLine): boolean =>
    lines.length > 2 &&
    line.words.length <= MAX_HEADING_WORDS &&
    heightOf(line) >= usual * HEADING_RATIO &&
    /\p{L}{3}/u.test(line.words.map((word) => word.text).join(' '));
  writeGroups(builder, lines, { page, location, isHeading });
}

/** Writes the lines of each block together. */
export function writeGroups(
  builder: TextBuilder,
  lines: readonly RecognizedLine[],
  {
    page: { page, path },
    location,
    isHeading = () => false,
  }: {
    page: PictureRef;
    location: Location | undefined;
    isHeading?: (line: RecognizedLine) => boolean;
  },
): void {
  const picture = { page, ...(path === undefined ? {} : { path }) };
  let group: RecognizedLine[] = [];
  let heading = false;
  const close = (): void => {
    if (group.length > 0) {
      builder.recognized(heading ? 'heading' : 'prose', group, picture, location);
    }
    group = [];
  };
  for (const line of lines) {
    const large = isHeading(line);
    if (large !== heading || group.at(-1)?.block !== line.block) close();
    heading = large;
    group.push(line);
  }
  close();
}
