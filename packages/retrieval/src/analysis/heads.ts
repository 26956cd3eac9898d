import { ENGLISH_BASES } from '../languages/en-forms.ts';
import { stemWord } from './languages.ts';
import { COMPLEX, headOf, HEADS } from './tokens.ts';

/** Tells of a word by its head (see Tokens) that it cannot be any of those wanted. */
export interface HeadFilter {
  /** 1 for each head that a wanted word may have. */
  heads: Uint8Array;
  /** Bits (HAS_DIGIT, HAS_CAPITAL) of which any makes a word wanted. */
  bits: number;
}

/** Whether a word with this head may be wanted. */
export function mayBe({ heads, bits }: HeadFilter, head: number): boolean {
  return (head & bits) !== 0 || heads[head & (HEADS - 1)] === 1;
}

export function createHeadFilter(bits = 0): HeadFilter {
  const heads = new Uint8Array(HEADS);
  heads[COMPLEX] = 1;
  return { heads, bits };
}

const SECONDS = 1 << 7;

/** The head of a text's first two units; null where they are not ASCII, so no plain word has them. */
function textHead(text: string): number | null {
  const first = text.charCodeAt(0);
  const second = text.length > 1 ? text.charCodeAt(1) : 0;
  return first < SECONDS && second < SECONDS ? headOf(first, second) : null;
}

/** Lets words pass that begin like `text`. */
export function addWord({ heads }: HeadFilter, text: string): void {
  const head = textHead(text);
  if (head !== null) heads[head] = 1;
}

/** Languages whose stemmer undoes changes of a word's initial (Irish: 'bhfear' is 'fear'). */
const CHANGED_INITIALS = new Set(['ga']);
/** Languages whose stemmer may change a word's second letter ('tte' is 'te', Turkish 'aba' is 'ap'). */
const CHANGED_SECONDS = new Set(['fi', 'tr']);

/**
 * Lets words pass that may have the index term in one of the languages, or one that begins like it.
 * Most stemmers leave the beginning of a plain word alone; English forms such as 'bought' do not
 * begin like their base.
 */
export function addTerm(filter: HeadFilter, term: string, languages: readonly string[]): void {
  if (term.length < 2 || languages.some((language) => CHANGED_SECONDS.has(language))) {
    addInitial(filter, term, languages);
    return;
  }
  if (languages.some((language) => CHANGED_INITIALS.has(language))) filter.heads.fill(1);
  addWord(filter, term);
  const head = textHead(term);
  for (const form of irregularHeads().get(head ?? COMPLEX) ?? []) filter.heads[form] = 1;
}

/** Lets words pass that may have an index term with the same first letter. */
export function addInitial(
  { heads }: HeadFilter,
  term: string,
  languages: readonly string[],
): void {
  if (languages.some((language) => CHANGED_INITIALS.has(language))) heads.fill(1);
  const first = term.charCodeAt(0);
  if (!(first < SECONDS)) return;
  const from = headOf(first, 0);
  heads.fill(1, from, from + SECONDS);
  for (const [head, forms] of irregularHeads()) {
    if (head < from || head >= from + SECONDS) continue;
    for (const form of forms) heads[form] = 1;
  }
}

let irregular: Map<number, number[]> | undefined;

/** The heads of irregular forms by the head of their term, where these differ. */
function irregularHeads(): ReadonlyMap<number, readonly number[]> {
  if (irregular !== undefined) return irregular;
  irregular = new Map();
  for (const form of ENGLISH_BASES.keys()) {
    const own = textHead(form);
    const head = textHead(stemWord(form, 'en'));
    if (own === null || head === null || own === head) continue;
    irregular.set(head, [...(irregular.get(head) ?? []), own]);
  }
  return irregular;
}
