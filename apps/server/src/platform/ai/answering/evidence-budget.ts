import type { Evidence } from '@engram/retrieval';

export interface EvidenceItem extends Evidence {
  file?: {
    handle: string;
    version?: string | null;
    path?: string | null;
    added?: string | null;
  };
  /** The short file, table or section around it, which replaces it if the budget allows. */
  whole?: EvidenceItem;
}

const NAME_LIMIT = 120;

/** Estimates tokens, rather too high, because tokenizers differ. */
export function estimateTokens(text: string): number {
  let tokens = 0;
  for (const character of text) {
    const code = character.codePointAt(0) ?? 0;
    // A token is about four letters in English, two in other alphabets, and one in Han and kana.
    if (code < 0x80) tokens += 0.28;
    else tokens += code < 0x2e80 ? 0.5 : 1;
  }
  return Math.ceil(tokens);
}

/** Removes fences and chat-template tokens from file text, which could end a passage or change the speaker. */
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
  const attributes = {
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
  const pairs = Object.entries(attributes)
    .filter(([, value]) => typeof value === 'string' && value !== '')
    .map(([name, value]) => `${name}="${attribute(value ?? '')}"`);
  const tag = item.figure === undefined ? 'passage' : 'result';
  return `<${tag} ${pairs.join(' ')}>\n${defuse(item.text)}\n</${tag}>`;
}

/** The beginning of a text within a number of tokens, cut between words. */
function cutText(text: string, tokens: number): string {
  const total = estimateTokens(text);
  if (total <= tokens) return text;
  const withoutLastWord = (part: string): string => part.replace(/(?<!\s)\s+\S*$/u, '');
  let cut = withoutLastWord(text.slice(0, Math.floor((text.length * Math.max(0, tokens)) / total)));
  while (estimateTokens(cut) > tokens && cut.length > 1) {
    cut = withoutLastWord(cut.slice(0, Math.floor(cut.length * 0.9)));
  }
  return cut.toWellFormed();
}

/** The share of the tokens for parts of files, and for one whole file, table or section. */
const PARTS_SHARE = 0.5;
const WHOLE_SHARE = 0.5;

export const covers = (a: EvidenceItem, b: EvidenceItem): boolean =>
  a.figure === undefined &&
  b.figure === undefined &&
  a.artifactId === b.artifactId &&
  a.start <= b.start &&
  b.end <= a.end;

const tokensOf = (...items: readonly EvidenceItem[]): number =>
  items.reduce((sum, item) => sum + estimateTokens(fence(item, 1)), 0);

/**
 * Chooses the evidence for a model, best first. Half of the tokens go to the best parts of many files, so
 * that one file does not use up a small budget. The rest goes to the whole tables, sections and short
 * files around the best parts.
 */
export function chooseEvidence(evidence: readonly EvidenceItem[], tokens: number): EvidenceItem[] {
  const parts: EvidenceItem[] = [];
  for (const item of evidence) {
    if (parts.length > 0 && tokensOf(...parts, item) > tokens * PARTS_SHARE) break;
    parts.push(item);
  }
  const chosen = [...parts];
  let remaining = tokens - tokensOf(...parts);
  for (const item of parts) {
    const { whole } = item;
    const index = chosen.indexOf(item);
    if (whole === undefined || index === -1) continue;
    const inside = chosen.filter((other) => covers(whole, other));
    const cost = tokensOf(whole);
    const more = cost - tokensOf(...inside);
    if (cost > tokens * WHOLE_SHARE || more > remaining) continue;
    remaining -= more;
    chosen[index] = whole;
    for (const other of inside) if (other !== item) chosen.splice(chosen.indexOf(other), 1);
  }
  const rest = evidence.slice(parts.length);
  return [...chosen, ...rest.filter((item) => !chosen.some((other) => covers(other, item)))];
}

const SMALLEST_PASSAGE = 40;

/** The beginning of a passage that fits; null if too little of it would remain. */
function cutTo(item: EvidenceItem, n: number, tokens: number): EvidenceItem | null {
  const overhead = estimateTokens(fence({ ...item, text: '' }, n));
  if (overhead + estimateTokens(defuse(item.text)) <= tokens) return item;
  // A figure without its end is useless.
  if (item.figure !== undefined || tokens - overhead < SMALLEST_PASSAGE) return null;
  let text = cutText(item.text, tokens - overhead);
  // Defusing may add tokens.
  while (overhead + estimateTokens(defuse(text)) > tokens && text.length > 1) {
    text = cutText(text, estimateTokens(text) - 8);
  }
  const places = item.places.filter(({ offset }) => offset < text.length);
  return { ...item, text, end: item.start + text.length, places };
}

export function createEvidenceBudget(tokens: number) {
  const shown: EvidenceItem[] = [];
  let remaining = tokens;

  return {
    /** The shown evidence: `[n]` is the n-th. The last may be cut at its end. */
    shown: shown as readonly EvidenceItem[],

    left: (): number => remaining,

    /**
     * Adds evidence, best first, within `maxTokens` and the budget. Evidence that was already shown is
     * only referred to by its number. Returns the fenced text.
     */
    add(items: readonly EvidenceItem[], maxTokens = Infinity): string {
      let available = Math.min(remaining, maxTokens);
      const added: string[] = [];
      const shownBefore = new Set<number>();
      for (const item of items) {
        const index = shown.findIndex((other) => covers(other, item));
        if (index >= 0) {
          shownBefore.add(index + 1);
          continue;
        }
        const n = shown.length + 1;
        const cut = cutTo(item, n, available);
        if (cut === null) continue;
        shown.push(cut);
        const text = fence(cut, n);
        added.push(text);
        const cost = estimateTokens(text);
        available -= cost;
        remaining -= cost;
      }
      const numbers = [...shownBefore].join(', ');
      return [...added, ...(numbers === '' ? [] : [`Found again: ${numbers}.`])].join('\n\n');
    },

    addNote(text: string): string {
      if (text === '') return '';
      const note = `<note>\n${cutText(defuse(text), remaining - 10)}\n</note>`;
      remaining -= estimateTokens(note);
      return note;
    },
  };
}

export type EvidenceBudget = ReturnType<typeof createEvidenceBudget>;
