import type { Evidence } from '@engram/retrieval';

export interface EvidenceItem extends Evidence {
  file?: {
    handle: string;
    version?: string | null;
    path?: string | null;
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
function cutText(text: string, tokens: number): string {
  const whole = estimateTokens(text);
  if (whole <= tokens) return text;
  const withoutLastWord = (part: string): string => part.replace(/(?<!\s)\s+\S*$/u, '');
  let cut = withoutLastWord(text.slice(0, Math.floor((text.length * Math.max(0, tokens)) / whole)));
  while (estimateTokens(cut) > tokens && cut.length > 1) {
    cut = withoutLastWord(cut.slice(0, Math.floor(cut.length * 0.9)));
  }
  return cut.toWellFormed();
}

/** Share of the tokens for parts of files, and for one whole file, table or section. */
const PARTS_SHARE = 0.5;
const WHOLE_SHARE = 0.5;

export const covers = (one: EvidenceItem, other: EvidenceItem): boolean =>
  one.figure === undefined &&
  other.figure === undefined &&
  one.artifactId === other.artifactId &&
  one.start <= other.start &&
  other.end <= one.end;

const tokensOf = (...items: readonly EvidenceItem[]): number =>
  items.reduce((sum, item) => sum + estimateTokens(fence(item, 1)), 0);

/**
 * Chooses the evidence that a model is shown, best first. Half of the tokens go to the best parts of
 * many files, so that a small budget is not spent on one file. The rest goes to the whole tables,
 * sections and short files that the best of them belong to.
 */
export function chooseEvidence(evidence: readonly EvidenceItem[], tokens: number): EvidenceItem[] {
  const parts: EvidenceItem[] = [];
  for (const item of evidence) {
    if (parts.length > 0 && tokensOf(...parts, item) > tokens * PARTS_SHARE) break;
    parts.push(item);
  }
  const chosen = [...parts];
  let left = tokens - tokensOf(...parts);
  for (const item of parts) {
    const { whole } = item;
    const at = chosen.indexOf(item);
    if (whole === undefined || at === -1) continue;
    const inside = chosen.filter((other) => covers(whole, other));
    const cost = tokensOf(whole);
    const more = cost - tokensOf(...inside);
    if (cost > tokens * WHOLE_SHARE || more > left) continue;
    left -= more;
    chosen[at] = whole;
    for (const other of inside) if (other !== item) chosen.splice(chosen.indexOf(other), 1);
  }
  const rest = evidence.slice(parts.length);
  return [...chosen, ...rest.filter((item) => !chosen.some((other) => covers(other, item)))];
}

const SMALLEST_PASSAGE = 40;

/** The beginning of a passage that fits; null when too little would be left. */
function cutTo(item: EvidenceItem, n: number, tokens: number): EvidenceItem | null {
  const around = estimateTokens(fence({ ...item, text: '' }, n));
  if (around + estimateTokens(defuse(item.text)) <= tokens) return item;
  // A figure without its end is useless.
  if (item.figure !== undefined || tokens - around < SMALLEST_PASSAGE) return null;
  let text = cutText(item.text, tokens - around);
  // Defusing may lengthen a text by some tokens.
  while (around + estimateTokens(defuse(text)) > tokens && text.length > 1) {
    text = cutText(text, estimateTokens(text) - 8);
  }
  const places = item.places.filter(({ offset }) => offset < text.length);
  return { ...item, text, end: item.start + text.length, places };
}

export function createEvidenceBudget(tokens: number) {
  const shown: EvidenceItem[] = [];
  let left = tokens;

  return {
    /** What was shown: `[n]` is the n-th. The last may be cut at its end. */
    shown: shown as readonly EvidenceItem[],

    left: (): number => left,

    /**
     * Adds evidence, the best first, up to `most` tokens and to what is left of the budget. Evidence
     * that was shown before is referred to by its number. Returns the fenced text.
     */
    add(items: readonly EvidenceItem[], most = Infinity): string {
      let room = Math.min(left, most);
      const added: string[] = [];
      const known = new Set<number>();
      for (const item of items) {
        const before = shown.findIndex((other) => covers(other, item));
        if (before >= 0) {
          known.add(before + 1);
          continue;
        }
        const n = shown.length + 1;
        const cut = cutTo(item, n, room);
        if (cut === null) continue;
        shown.push(cut);
        const text = fence(cut, n);
        added.push(text);
        const taken = estimateTokens(text);
        room -= taken;
        left -= taken;
      }
      const found = [...known].join(', ');
      return [...added, ...(found === '' ? [] : [`Found again: ${found}.`])].join('\n\n');
    },

    addNote(text: string): string {
      if (text === '') return '';
      const note = `<note>\n${cutText(defuse(text), left - 10)}\n</note>`;
      left -= estimateTokens(note);
      return note;
    },
  };
}

export type EvidenceBudget = ReturnType<typeof createEvidenceBudget>;
