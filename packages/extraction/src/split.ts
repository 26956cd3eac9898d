/** Maximum length of a segment in UTF-16 units, so its location is precise. */
const MAX_SEGMENT_LENGTH = 2000;

const SENTENCE_END = /[.!?…][)\]"'’”»」』]*\s|[。！？][)\]"'’”»」』]*\s?/gu;

/**
 * Ranges of up to 2,000 UTF-16 units without surrounding space. Cuts at the last sentence end in the
 * second half, else at a line end, white space or character.
 */
export function splitRange(
  text: string,
  start: number,
  end: number,
): [start: number, end: number][] {
  const ranges: [number, number][] = [];
  let from = skipSpace(text, start, end);
  while (from < end) {
    const cut =
      end - from <= MAX_SEGMENT_LENGTH ? end : cutPoint(text, from, from + MAX_SEGMENT_LENGTH);
    const to = trimEnd(text, from, cut);
    if (to > from) ranges.push([from, to]);
    from = skipSpace(text, cut, end);
  }
  return ranges;
}

function cutPoint(text: string, from: number, limit: number): number {
  const half = from + Math.floor((limit - from) / 2);
  const window = text.slice(half, limit);
  let sentence = -1;
  for (const match of window.matchAll(SENTENCE_END)) sentence = match.index + match[0].length;
  if (sentence > 0) return half + sentence;
  const line = window.lastIndexOf('\n');
  if (line > 0) return half + line + 1;
  const separator = window.lastIndexOf(' · ');
  if (separator > 0) return half + separator;
  const space = window.search(/\s\S*$/u);
  if (space > 0) return half + space;
  const code = text.charCodeAt(limit - 1);
  return code >= 0xd800 && code < 0xdc00 ? limit - 1 : limit;
}

function skipSpace(text: string, from: number, end: number): number {
  let index = from;
  while (index < end && isSpace(text.charCodeAt(index))) index += 1;
  return index;
}

function trimEnd(text: string, start: number, end: number): number {
  let index = end;
  while (index > start && isSpace(text.charCodeAt(index - 1))) index -= 1;
  return index;
}

function isSpace(code: number): boolean {
  if (code <= 0x20) return true;
  return code >= 0x85 && /\s/u.test(String.fromCharCode(code));
}
