import { isListItem } from '../text/sentences.ts';
import { type DocumentKind, KINDS } from '../languages/language.ts';
import {
  type DocumentHead,
  isMailHead,
  kindPattern,
  lengthAtStart,
  SHORT_LINE,
  wordPattern,
} from './document-head.ts';

const WEIGHT = {
  title: 4,
  fileName: 3,
  heading: 3,
  opening: 2.5,
  line: 0.8,
  salutation: 2.2,
} as const;
const LEAST = 2;

const OPENING_LINES = 4;
const NAMING_LINES = 14;
const BALANCE_LINES = 5;

const BY_EXTENSION: Readonly<Record<string, DocumentKind>> = {
  eml: 'mail',
  mbox: 'mail',
  msg: 'mail',
  ics: 'calendar',
  pptx: 'talk',
  ppt: 'talk',
  odp: 'talk',
};

export function kindOf(head: DocumentHead): DocumentKind | null {
  const { lines, name, title, languages, isTable } = head;
  const own = isMailHead(head) ? 'mail' : BY_EXTENSION[head.extension];
  if (own !== undefined) return own;
  const weights = new Map<DocumentKind, number>();
  const add = (kind: DocumentKind | null, weight: number): void => {
    if (kind !== null) weights.set(kind, (weights.get(kind) ?? 0) + weight);
  };
  add(kindNamedIn(name, languages), WEIGHT.fileName);
  add(kindNamedIn(title ?? '', languages), WEIGHT.title);
  for (const [at, { text, heading }] of lines.slice(0, NAMING_LINES).entries()) {
    if (text.length > SHORT_LINE || isListItem(text)) continue;
    const weight = heading ? WEIGHT.heading : at < OPENING_LINES ? WEIGHT.opening : WEIGHT.line;
    add(kindNamedIn(text, languages), weight / (1 + at / 10));
  }
  if (lines.some(({ text }) => lengthAtStart(text, languages, 'salutation') > 0))
    add('letter', WEIGHT.salutation);
  const balance = wordPattern(languages, 'balance');
  if (isTable && lines.slice(0, BALANCE_LINES).some(({ text }) => balance.test(text)))
    add('statement', WEIGHT.title);
  if (isTable) add('list', LEAST);
  const [best] = [...weights].sort((a, b) => b[1] - a[1]);
  return best !== undefined && best[1] >= LEAST ? best[0] : null;
}

export function kindNamedIn(line: string, languages: readonly string[]): DocumentKind | null {
  const found = KINDS.flatMap((kind) => {
    const match = kindPattern(languages, kind).exec(line);
    return match === null ? [] : [{ kind, index: match.index, length: match[0].length }];
  });
  // 'User guide' is better than 'guide', but an 'insurance endorsement' is an amendment.
  const amends = ({ kind }: { kind: DocumentKind }): number => Number(kind === 'amendment');
  const [best] = found.sort(
    (a, b) => amends(b) - amends(a) || a.index - b.index || b.length - a.length,
  );
  return best?.kind ?? null;
}
