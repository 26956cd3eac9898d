import { isListItem } from '../analysis/sentences.ts';
import { type DocumentKind, KINDS } from '../languages/language.ts';
import { kindPattern, lengthAtStart, wordPattern } from './document-words.ts';
import { isMailHead, type Paper, SHORT_LINE } from './lines.ts';

/** What each place counts that names a kind. */
const WORTH = {
  title: 4,
  fileName: 3,
  heading: 3,
  /** The first lines: a letterhead, the name of the form. */
  opening: 2.5,
  /** Other lines of the head, when they are short. */
  line: 0.8,
  salutation: 2.2,
  /** What a paper must have of a kind to be of it. */
  least: 2,
} as const;

const OPENING_LINES = 4;
const NAMING_LINES = 14;

/** Endings that nearly always hold the same kind of thing. */
const BY_ENDING: Readonly<Record<string, DocumentKind>> = {
  eml: 'mail',
  mbox: 'mail',
  msg: 'mail',
  ics: 'calendar',
  pptx: 'talk',
  ppt: 'talk',
  odp: 'talk',
};

/** What a paper is, by how it names itself and how it is laid out; null where it does not say. */
export function kindOf(paper: Paper): DocumentKind | null {
  const { ending, head, name, title, languages } = paper;
  const own = isMailHead(paper) ? 'mail' : BY_ENDING[ending];
  if (own !== undefined) return own;
  const worth = new Map<DocumentKind, number>();
  const add = (kind: DocumentKind, value: number): void => {
    worth.set(kind, (worth.get(kind) ?? 0) + value);
  };
  const read = (line: string, value: number): void => {
    const kind = kindNamedIn(line, languages);
    if (kind !== null) add(kind, value);
  };
  read(name, WORTH.fileName);
  read(title ?? '', WORTH.title);
  head.slice(0, NAMING_LINES).forEach(({ text, heading }, i) => {
    if (text.length > SHORT_LINE || isListItem(text)) return;
    const value = heading ? WORTH.heading : i < OPENING_LINES ? WORTH.opening : WORTH.line;
    read(text, value / (1 + i / 10));
  });
  if (head.some(({ text }) => lengthAtStart(text, languages, 'salutation') > 0))
    add('letter', WORTH.salutation);
  if (paper.isTable) {
    const balance = wordPattern(languages, 'balance');
    if (head.slice(0, 5).some(({ text }) => balance.test(text))) add('statement', WORTH.title);
    add('list', WORTH.least);
  }
  const [best] = [...worth].sort((a, b) => b[1] - a[1]);
  return best !== undefined && best[1] >= WORTH.least ? best[0] : null;
}

/** The kind that a line names first; null for a line that names none. */
export function kindNamedIn(line: string, languages: readonly string[]): DocumentKind | null {
  const found = KINDS.flatMap((kind) => {
    const match = kindPattern(languages, kind).exec(line);
    return match === null ? [] : [{ kind, index: match.index, length: match[0].length }];
  });
  // 'User guide', not the 'guide' in it; but an 'insurance endorsement' amends.
  const amends = ({ kind }: { kind: DocumentKind }): number => Number(kind === 'amendment');
  const [best] = found.sort(
    (a, b) => amends(b) - amends(a) || a.index - b.index || b.length - a.length,
  );
  return best?.kind ?? null;
}
