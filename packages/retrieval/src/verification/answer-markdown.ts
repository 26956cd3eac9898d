import { addressesAsCode } from '../answers/markdown.ts';

/** The ways models write a source: `[1]`, `[1, 2]`, `[1][2]`, `[^1]`, `[Passage 1]`, `【1】`. */
export const MARKER =
  /[[【] ?\^?(?:passages?|sources?|files?|documents?|n)? ?#?\d{1,4}(?: ?(?:,|;|-|–|and|&) ?\d{1,4}){0,8} ?(?:†[^\]】]{0,20})?[\]】]/iu;

export type Prefix = 'none' | 'bullet' | 'number';

export type Part = { text: string } | { code: string } | { sources: number[] };

const MARKERS = new RegExp(String.raw`(?:${MARKER.source}(?:\([^()\s]*\))?)`, 'giu');
const INVISIBLE = /[\p{Cc}\p{Co}\u202a-\u202e\u2066-\u2069]/gu;
const LINE_PREFIX = /^(?:\s|>|#{1,6}\s|(?:[-*+•–]|\d{1,3}[.)])(?=\s))+/u;
const CODE = /`([^`]{1,300})`/gu;

export function lineOf(raw: string): { prefix: Prefix; rest: string } | null {
  const row = /^\s*\|/u.test(raw);
  const marker = LINE_PREFIX.exec(raw)?.[0] ?? '';
  // A heading makes no claim.
  if (marker.includes('#')) return null;
  const rest = raw.slice(marker.length);
  if (row) {
    const cells = rest.replace(/^\s*\||\|\s*$/gu, '').replace(/(?:(?<!\s)\s+)?\|\s*/gu, ', ');
    return { prefix: 'bullet', rest: cells };
  }
  if (/\d/u.test(marker)) return { prefix: 'number', rest };
  return { prefix: /[-*+•–]/u.test(marker) ? 'bullet' : 'none', rest };
}

export function partsOf(raw: string): Part[] {
  const text = raw
    .toWellFormed()
    .replace(INVISIBLE, ' ')
    .replace(/\\([[\]])/gu, '$1');
  const bold = (text.split('**').length - 1) % 2 === 0;
  const clean = (segment: string): string =>
    segment
      .replace(/[[【][^\]】]{0,20}$/u, '')
      .replace(/!?\[([^[\]]*)\]\([^()]*(?:\([^()]*\)[^()]*)*\)/gu, '$1')
      .replace(/[[【]/gu, '(')
      .replace(/[\]】]/gu, ')')
      .replace(/~{2,}/gu, '')
      .replace(bold ? /`|(?<!\*)\*(?!\*)/gu : /[`*]/gu, '')
      .replace(/\s+/gu, ' ');
  const parts: Part[] = [];
  const addText = (segment: string): void => {
    let copied = 0;
    for (const match of segment.matchAll(CODE)) {
      parts.push({ text: clean(segment.slice(copied, match.index)) });
      parts.push({ code: match[1]?.replace(/\s+/gu, ' ') ?? '' });
      copied = match.index + match[0].length;
    }
    parts.push({ text: clean(segment.slice(copied)) });
  };
  let copied = 0;
  for (const match of text.matchAll(MARKERS)) {
    addText(text.slice(copied, match.index));
    parts.push({ sources: numbersIn(match[0]) });
    copied = match.index + match[0].length;
  }
  addText(text.slice(copied));
  return parts;
}

function numbersIn(marker: string): number[] {
  const inside = marker.replace(/†.*|\(.*/gu, '');
  const range = /(?<!\d)(\d+) ?[-–] ?(\d+)/u.exec(inside);
  const [from, to] = [Number(range?.[1]), Number(range?.[2])];
  if (range !== null && to > from && to - from < 10) {
    return Array.from({ length: to - from + 1 }, (_, i) => from + i);
  }
  return (inside.match(/\d+/gu) ?? []).map(Number);
}

export const plainText = (parts: readonly Part[]): string =>
  parts
    .map((part) => ('text' in part ? part.text : 'code' in part ? part.code : ''))
    .join('')
    .replace(/(?<!\s)\s+([.,;:!?])/gu, '$1')
    .replace(/\s+/gu, ' ')
    .trim();

export type Shown = { text: string } | { code: string } | { marks: string };

/** The Markdown of a sentence. Sources at its end follow the full stop: `So it is. [1]` */
export function renderSentence(parts: readonly Shown[]): string {
  const codes = parts.flatMap((part) => ('code' in part ? part.code : []));
  let codeIndex = 0;
  // The text has no square brackets. Code is replaced by a private-use character meanwhile.
  return parts
    .map((part) => {
      if ('code' in part) return '\uE000';
      return 'text' in part ? addressesAsCode(part.text.replaceAll('<', '&lt;')) : part.marks;
    })
    .join('')
    .trim()
    .replace(/(?:(?<!\s)\s+)?(\[\d+\])/gu, ' $1')
    .replace(/(\[\d+\]) (?=\[)/gu, '$1')
    .replace(/(\[\d+\])\1+/gu, '$1')
    .replace(/(?<!\s)\s+([.,;:!?。！？])/gu, '$1')
    .replace(/ ((?:\[\d+\])+)([.!?…。！？]+[*_"'”’»)」』]*)$/u, '$2 $1')
    .trim()
    .replace(/\uE000/gu, () => `\`${codes[codeIndex++] ?? ''}\``);
}
