import type { Fact } from './document.ts';
import { kindNamedIn } from './kind.ts';
import type { Line, Paper } from './lines.ts';
import { wordPattern } from './words/paper-words.ts';

/** Names that are kept of one paper. */
const MOST = 12;
const SHORT_LINE = 90;
/** Lines of a letterhead and its address. */
const ADDRESS_LINES = 12;
const LONGEST_NAME = 60;
const SIGNATURE_LINES = 3;

/** What firms and clubs end with. */
const FIRM =
  /(?<![\p{L}\p{N}])(?:ltd|limited|llp|plc|inc|llc|corp|cic|gmbh|ag|kg|eg|ug|e\.\s?v|s\.?a\.?r\.?l|sarl|sas|s\.a|lda|s\.?l|b\.?v|n\.?v|spa|s\.p\.a|s\.r\.l|co-operative|cooperative|society|association|trust|council|bank|insurance|school|clinic|hospital|university|genossenschaft|verein|stiftung|stadt|gemeinde|mairie|câmara|ayuntamiento)(?![\p{L}\p{N}])/iu;
/** A person's or a firm's name: capitals, initials, and small words between. */
const WORD = String.raw`\p{Lu}(?:\p{L}{0,4}\.|[\p{L}'’&-]{0,40})(?![\p{L}])`;
const NAME = String.raw`(?<![\p{L}'’&-])${WORD}(?: (?:(?:de|da|do|dos|das|von|van|der|den|du|la|le|y|e|t\/a|trading as|&) )?${WORD}){0,5}`;
const NAMES = new RegExp(NAME, 'gu');

/** Who wrote, signed, got or is bound by a paper, in the order of its text. */
export function partiesOf(paper: Paper): Fact<string>[] {
  const { head, tail, languages } = paper;
  const found: Fact<string>[] = [];
  const add = (line: Line, value: string): void => {
    const name = tidy(value);
    if (!isName(name) || found.length >= MOST) return;
    if (found.some((other) => other.value.toLowerCase() === name.toLowerCase())) return;
    // A name may go on in the next line.
    const at = line.text.indexOf(name);
    const start =
      line.start + Math.max(0, at === -1 ? line.text.indexOf(name.split(' ')[0] ?? '') : at);
    found.push({ value: name, start, end: at === -1 ? line.end : start + name.length });
  };
  head.forEach((line, i) => {
    for (const name of namesIn(line, i, head, languages)) add(line, name);
  });
  const lines = [...head, ...tail];
  const from = lines.findLastIndex(
    ({ text }) => matchAtStart(text, languages, 'closing') !== null && text.length < SHORT_LINE,
  );
  for (const line of from === -1 ? [] : lines.slice(from, from + SIGNATURE_LINES)) {
    for (const name of signersIn(line, languages)) add(line, name);
  }
  return found;
}

function namesIn(
  { text, heading }: Line,
  index: number,
  head: readonly Line[],
  languages: readonly string[],
): string[] {
  const between = wordPattern(languages, 'between').exec(text);
  if (between !== null) {
    const rest = text.slice(between.index + between[0].length);
    const both = `${rest} ${head[index + 1]?.text ?? ''}`;
    if (/^[ :]*(?:the |dem |der |den |la |le |o |a |il )?\p{Lu}/u.test(rest))
      return inFull(namesOf(both)).slice(0, 4);
  }
  const label = labelled(text, languages);
  if (label !== null) return namesOf(label);
  const salutation = matchAtStart(text, languages, 'salutation');
  if (salutation !== null) {
    const addressed = text.slice(salutation, salutation + SHORT_LINE).split(/[,!:;–]/u)[0] ?? '';
    return namesOf(addressed).slice(0, 3);
  }
  if (index >= ADDRESS_LINES || text.length > SHORT_LINE) return [];
  const honorific = matchAtStart(text, languages, 'honorifics');
  if (honorific !== null) return inFull(namesOf(text.split(/\.\s(?=\p{Lu}\p{Ll}{3})/u)[0] ?? ''));
  // A letterhead: the sender's name before what it does or where it is.
  const first = text.split(/ [–·|—-] |\t|, /u)[0] ?? '';
  if (FIRM.test(first) && !/:/u.test(first)) return [first];
  return index === 0 && !heading && isAllNames(first) ? [first] : [];
}

/** Every word of it begins with a capital: 'Pennine Renewables', 'Calder & Moor'. */
const isAllNames = (text: string): boolean =>
  /^\p{Lu}[\p{L}'’.-]+(?: (?:(?:&|and|of|de|da|do|la|le|und|et|y|e|van|von) )?\p{Lu}[\p{L}'’.-]*){1,5}$/u.test(
    text,
  ) && kindNamedIn(text, ['en']) === null;

const inFull = (names: readonly string[]): string[] => names.filter((name) => name.includes(' '));

/** What stands behind 'Tenant:', 'Policyholders<tab>', 'To ' at a line's begin; null for other lines. */
function labelled(text: string, languages: readonly string[]): string | null {
  const after = matchAtStart(text, languages, 'parties');
  if (after === null) return null;
  const rest = text.slice(after);
  const value = /^(?:\s?[:：\t·]|\s{2})\s*(\S.*)$/u.exec(rest)?.[1];
  if (value !== undefined) return value;
  // 'To Gareth Bowes, Tannery': the name follows at once, and nothing but names.
  return text.length < SHORT_LINE && /^ \p{Lu}\p{L}+(?: \p{Lu}|,|$)/u.test(rest) ? rest : null;
}

function signersIn(line: Line, languages: readonly string[]): string[] {
  const after = matchAtStart(line.text, languages, 'closing') ?? 0;
  const rest = line.text.slice(after).replace(/^[,\s]+/u, '');
  return rest.length > LONGEST_NAME ? [] : namesOf(rest.split(/ [·|–] /u)[0] ?? '');
}

function matchAtStart(
  text: string,
  languages: readonly string[],
  name: 'parties' | 'closing' | 'salutation' | 'honorifics',
): number | null {
  const match = wordPattern(languages, name).exec(text.slice(0, SHORT_LINE));
  return match?.index === 0 ? match[0].length : null;
}

/** The names in a stretch; addresses of mail are left out. */
function namesOf(text: string): string[] {
  const plain = text
    .slice(0, 300)
    .replace(/<[^<>]*>|\([^()]*\)|"[^"]*"|(?<!\S)[^\s@]{1,100}@\S*/gu, ' ; ');
  return plain.match(NAMES) ?? [];
}

const tidy = (value: string): string => value.trim().replace(/(?<![\s.,;:–-])[\s.,;:–-]+$/u, '');

/** Words that begin with a capital and are nobody's name. */
const NO_NAME =
  /^(?:Page|Seite|Invoice|Rechnung|Date|Datum|Total|Re|Dear|The|This|You|Your|We|I|And|All|Sir|Madam|Sirs|Both|Everyone|January|February|March|April|May|June|July|August|September|October|November|December|Monday|Tuesday|Wednesday|Thursday|Friday|Saturday|Sunday)$/u;

const isName = (name: string): boolean =>
  name.length >= 3 &&
  name.length <= LONGEST_NAME &&
  !/\d/u.test(name) &&
  !NO_NAME.test(name) &&
  /\p{Ll}/u.test(name);
