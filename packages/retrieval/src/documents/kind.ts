import { isListItem } from '../analysis/sentences.ts';
import type { DocumentKind } from './document.ts';
import type { Paper } from './lines.ts';
import { kindPattern, wordPattern } from './words/paper-words.ts';

const KINDS = [
  'agenda',
  'amendment',
  'calendar',
  'certificate',
  'contract',
  'invoice',
  'journal',
  'letter',
  'list',
  'mail',
  'manual',
  'minutes',
  'offer',
  'payslip',
  'policy',
  'receipt',
  'recipe',
  'report',
  'rules',
  'statement',
  'talk',
] as const satisfies readonly DocumentKind[];

/** What each place counts that names a kind. */
const WORTH = {
  /** Nothing else can be: an e-mail's head, a calendar's first line. */
  sure: 20,
  title: 4,
  fileName: 3,
  heading: 3,
  /** The first lines: a letterhead, the name of the form. */
  opening: 2.5,
  /** Other lines of the head, when they are short. */
  line: 0.8,
  salutation: 2.2,
  closing: 0.8,
  attendees: 2,
  dayAsHeading: 2,
  /** 'Your invoice SR-1' heads a letter about it: what the kind counts then. */
  mentioned: 0.35,
  /** What a paper must have of a kind to be of it. */
  least: 2,
} as const;

const SHORT_LINE = 80;
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

/** Endings of files that are all table. */
export const TABLES: ReadonlySet<string> = new Set(['csv', 'xlsx', 'xls', 'ods']);
/** The column that only an account's statement has. */
const BALANCE = /(?<!\p{L})(?:balance|saldo|solde|kontostand)(?!\p{L})/iu;

/** A mail as text: its head names who wrote it to whom. */
export const isMailHead = ({ head }: Paper): boolean => {
  const opening = head.slice(0, 8).map(({ text }) => text);
  const has = (name: RegExp): boolean => opening.some((line) => name.test(line));
  return has(/^(?:From|Von|De|Da|Van):\s/u) && has(/^(?:To|An|À|Para|A|Aan|Date|Datum|Data):\s/u);
};

/** What a paper is, by how it names itself and how it is laid out; null where it does not say. */
export function kindOf(paper: Paper): DocumentKind | null {
  const { ending, head, tail, name, title, languages } = paper;
  const own = BY_ENDING[ending];
  if (own !== undefined) return own;
  if (isMailHead(paper)) return 'mail';
  const worth = new Map<DocumentKind, number>();
  const add = (kind: DocumentKind | null, value: number): void => {
    if (kind !== null) worth.set(kind, (worth.get(kind) ?? 0) + value);
  };
  const read = (line: string, value: number): void => {
    const named = kindNamedIn(line, languages);
    if (named !== null) add(named.kind, named.mentioned ? value * WORTH.mentioned : value);
  };
  read(name, WORTH.fileName);
  if (title !== null) read(title, WORTH.title);
  head.slice(0, NAMING_LINES).forEach(({ text, heading }, i) => {
    if (text.length > SHORT_LINE || isListItem(text)) return;
    const value = heading ? WORTH.heading : i < OPENING_LINES ? WORTH.opening : WORTH.line;
    read(text, value / (1 + i / 10));
  });
  const salutation = startsWith(languages, 'salutation');
  if (head.some(({ text }) => text.length < SHORT_LINE && salutation.test(text))) {
    add('letter', WORTH.salutation);
    const closing = startsWith(languages, 'closing');
    if ([...head, ...tail].some(({ text }) => closing.test(text))) add('letter', WORTH.closing);
  }
  const attendees =
    /^(?:present|attendees|there|anwesend|teilnehmer|présents?|presentes|asistentes|presenti|aanwezig)\s?:/iu;
  if (head.some(({ text }) => attendees.test(text))) add('minutes', WORTH.attendees);
  if (worth.size === 0 && isDayAlone(head[0]?.text ?? '')) add('journal', WORTH.dayAsHeading);
  if (TABLES.has(ending)) {
    if (head.slice(0, 5).some(({ text }) => BALANCE.test(text))) add('statement', WORTH.title);
    add('list', WORTH.least);
  }
  const [best] = [...worth].sort((a, b) => b[1] - a[1]);
  return best !== undefined && best[1] >= WORTH.least ? best[0] : null;
}

/** The kind that a line names first, and whether it names another paper by it. */
export function kindNamedIn(
  line: string,
  languages: readonly string[],
): { kind: DocumentKind; index: number; length: number; mentioned: boolean } | null {
  let best: { kind: DocumentKind; index: number; length: number } | null = null;
  for (const kind of KINDS) {
    const match = kindPattern(languages, kind).exec(line);
    if (match === null) continue;
    const { index } = match;
    const { length } = match[0];
    // 'User guide', not the 'guide' in it; but an 'insurance endorsement' amends.
    const first =
      best === null ||
      kind === 'amendment' ||
      (best.kind !== 'amendment' &&
        (index < best.index || (index === best.index && length > best.length)));
    if (first) best = { kind, index, length };
  }
  if (best === null) return null;
  const before = line.slice(0, best.index).trimEnd();
  const last = /(?<![\p{L}\p{N}])[\p{L}\p{N}]+$/u.exec(before)?.[0] ?? '';
  const possessive = wordPattern(languages, 'possessives');
  return { ...best, mentioned: last !== '' && possessive.exec(last)?.[0].length === last.length };
}

/** Every kind that a text names. */
export function kindsNamedIn(text: string, languages: readonly string[]): DocumentKind[] {
  return KINDS.filter((kind) => kindPattern(languages, kind).test(text));
}

const starts = new Map<string, RegExp>();

function startsWith(languages: readonly string[], name: 'salutation' | 'closing'): RegExp {
  const key = `${name} ${languages.join(' ')}`;
  const known = starts.get(key) ?? new RegExp(`^${wordPattern(languages, name).source}`, 'iu');
  starts.set(key, known);
  return known;
}

/** 'Sunday 2 January 2022' as the first line of a journal's page. */
const isDayAlone = (line: string): boolean =>
  /^(?:\p{L}{2,12},? )?(?:\d{1,2}(?:st|nd|rd|th|\.)? (?:de )?\p{L}{3,10}\.?(?: de)?|\p{L}{3,10} \d{1,2},?) ?\d{2,4}\b/u.test(
    line,
  ) && line.length < SHORT_LINE;
