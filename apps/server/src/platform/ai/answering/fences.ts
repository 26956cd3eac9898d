import type { Evidence } from '@engram/retrieval';

export interface EvidenceItem extends Evidence {
  file?: {
    /** The file's name in tool calls: f1, f2 … */
    handle: string;
    version?: string | null;
    path?: string | null;
    /** When it was added, as YYYY-MM-DD. */
    added?: string | null;
  };
  /** The short file, table or section around it, which is shown instead if there is room. */
  whole?: EvidenceItem;
}

const NAME_LIMIT = 120;

/** An estimate of tokens that is rather too high: providers have their own tokenizers. */
export function estimateTokens(text: string): number {
  let tokens = 0;
  for (const character of text) {
    const code = character.codePointAt(0) ?? 0;
    // English takes about four letters for a token, other alphabets two, Han and kana one.
    if (code < 0x80) tokens += 0.28;
    else tokens += code < 0x2e80 ? 0.5 : 1;
  }
  return Math.ceil(tokens);
}

/** Removes from file text what ends a passage or changes the speaker: fences and chat templates' tokens. */
export const defuse = (text: string): string =>
  text
    .replace(
      /<(?=\s*(?:\/\s*)?(?:passage|result|note|question|earlier|think|tool)|[|｜]|(?:start|end)_of_turn|\/?s>|\/?<?sys)/giu,
      '‹',
    )
    .replace(/\[(\/?INST)\]/giu, '($1)')
    .replaceAll('\0', '');

const attribute = (text: string): string =>
  defuse(text)
    .replace(/[\s"<>]+/gu, ' ')
    .trim()
    .slice(0, NAME_LIMIT)
    .toWellFormed();

export function fence(item: EvidenceItem, n: number): string {
  const { handle, version, path, added } = item.file ?? {};
  const place = Object.entries(item.location).map(([key, value]) => `${key} ${value}`);
  const known = {
    n: String(n),
    id: handle,
    file: item.figure === undefined ? item.fileName : undefined,
    path,
    kind: item.kind,
    date: item.date,
    version,
    added,
    place: item.figure === undefined ? place.join(', ') : undefined,
    under: item.headings.length > 0 ? item.headings.join(' / ') : undefined,
  };
  const about = Object.entries(known)
    .filter(([, value]) => typeof value === 'string' && value !== '')
    .map(([name, value]) => `${name}="${attribute(value ?? '')}"`);
  const tag = item.figure === undefined ? 'passage' : 'result';
  return `<${tag} ${about.join(' ')}>\n${defuse(item.text)}\n</${tag}>`;
}

/** The beginning of a text within a number of tokens, cut between words. */
export function cutText(text: string, tokens: number): string {
  const whole = estimateTokens(text);
  if (whole <= tokens) return text;
  const withoutLastWord = (part: string): string => part.replace(/(?<!\s)\s+\S*$/u, '');
  let cut = withoutLastWord(text.slice(0, Math.floor((text.length * Math.max(0, tokens)) / whole)));
  while (estimateTokens(cut) > tokens && cut.length > 1) {
    cut = withoutLastWord(cut.slice(0, Math.floor(cut.length * 0.9)));
  }
  return cut.toWellFormed();
}
