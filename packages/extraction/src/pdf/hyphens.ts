export type Vocabulary = ReturnType<typeof createVocabulary>;

const WORD = /\p{L}+(?:-\p{L}+)*/gu;
/** Maximum pages waiting to be learned, which most documents never need. */
const MAX_WAITING = 200;

/** Words of a document, to decide whether a hyphen belongs to a word. */
export function createVocabulary() {
  const words = new Set<string>();
  let waiting: (readonly string[])[] = [];
  const learn = (lines: readonly string[]): void => {
    let cut = false;
    for (const line of lines) {
      const uncut = cut ? line.replace(/^\S+/u, '') : line;
      cut = CUT.test(line);
      const text = cut ? uncut.replace(/(?<!\S)\S+$/u, '') : uncut;
      for (const [word] of text.matchAll(WORD)) words.add(word.toLowerCase());
    }
  };
  return {
    /** Adds lines in order. Parts of hyphenated words are not counted. */
    add(lines: readonly string[]): void {
      if (waiting.length >= MAX_WAITING) waiting = waiting.slice(MAX_WAITING / 2);
      waiting.push(lines);
    },
    has(word: string): boolean {
      waiting.forEach(learn);
      waiting = [];
      return words.has(word.toLowerCase());
    },
  };
}

const CUT = /(?:^|[\s\p{Ps}\p{Pi}"'/])((?:\p{L}+-)*\p{L}+)([-\u2010\u00ad])$/u;
const REST = /^(\p{Ll}+(?:-\p{L}+)*)(\S*)\s*/u;

/**
 * Joins the lines of a paragraph by line ends. A word cut by a hyphen becomes whole, unless the document
 * has it with the hyphen, or has both of its parts but not the whole.
 */
export function joinLines(lines: readonly string[], words: Vocabulary): string {
  const joined: string[] = [];
  for (const line of lines) {
    const previous = joined.at(-1);
    const cut = previous === undefined ? null : CUT.exec(previous);
    const remainder = cut === null ? null : REST.exec(line);
    if (previous === undefined || cut === null || remainder === null) {
      joined.push(line);
      continue;
    }
    const [, first = '', hyphen = ''] = cut;
    const [match, second = '', tail = ''] = remainder;
    const hyphenToWrite = hyphen !== '\u00ad' && belongsToWord(first, second, words) ? '-' : '';
    joined[joined.length - 1] = previous.slice(0, -hyphen.length) + hyphenToWrite + second + tail;
    if (match.length < line.length) joined.push(line.slice(match.length));
  }
  return joined.join('\n');
}

function belongsToWord(first: string, second: string, words: Vocabulary): boolean {
  if (words.has(`${first}-${second}`)) return true;
  if (words.has(first + second)) return false;
  const [head = second] = second.split('-');
  const tail = first.split('-').at(-1) ?? first;
  return (
    first.includes('-') ||
    (tail.length > 2 && words.has(tail) && head.length > 3 && words.has(head))
  );
}
