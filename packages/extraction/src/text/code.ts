import type { FormatInput } from '../format.ts';
import type { Extraction } from '../types.ts';
import { type Block, paragraphs, readPlainText } from './txt.ts';

/** Maximum length of a block of lines, in UTF-16 units. */
const MAX_BLOCK = 1500;

/** Source code and logs: the text as it is, in blocks of whole lines. */
export const read = (input: FormatInput): Extraction => readPlainText(input, lineBlocks);

function* lineBlocks(text: string, start: number, end: number): Generator<Block> {
  for (const paragraph of paragraphs(text, start, end)) {
    for (let from = paragraph.start; from < paragraph.end;) {
      const to = endOfLines(text, from, paragraph.end);
      yield { start: from, end: to, kind: 'code' };
      from = to;
    }
  }
}

/** The end of the last line that still fits, or of the first line. */
function endOfLines(text: string, from: number, end: number): number {
  if (end - from <= MAX_BLOCK) return end;
  const last = text.lastIndexOf('\n', from + MAX_BLOCK);
  const to = last > from ? last : text.indexOf('\n', from + 1);
  return to === -1 ? end : Math.min(to, end);
}
