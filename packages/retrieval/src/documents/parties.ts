import type { Fact } from './document.ts';
import { type Line, type Paper, SHORT_LINE } from './lines.ts';
import { lengthAtStart, wordPattern } from './words/paper-words.ts';

/** Names that are kept of one paper. */
const MOST = 12;
/** Lines of a letterhead and its address, and of a signature. */
const ADDRESS_LINES = 12;
const SIGNATURE_LINES = 3;
const LONGEST_NAME = 60;

/** What firms and clubs end with. */
const FIRM =
  /(?<![\p{L}\p{N}])(?:ltd|limited|llp|plc|inc|llc|corp|cic|gmbh|ag|kg|eg|ug|e\.\s?v|s\.?a\.?r\.?l|sarl|sas|s\.a|lda|s\.?l|b\.?v|n\.?v|spa|s\.p\.a|s\.r\.l|co-operative|cooperative|society|association|trust|council|bank|insurance|school|clinic|hospital|university|genossenschaft|verein|stiftung|stadt|gemeinde|mairie|câmara|ayuntamiento)(?![\p{L}\p{N}])/iu;
/** A person's or a firm's name: capitals, initials, and small words between. */
const WORD = String.raw`\p{Lu}(?:\p{L}{0,4}\.|[\p{L}'’&-]{0,40})(?![\p{L}])`;
const NAME = String.raw`(?<![\p{L}'’&-])${WORD}(?: (?:(?:de|da|do|dos|das|von|van|der|den|du|la|le|y|e|t\/a|trading as|&) )?${WORD}){0,5}`;
const NAMES = new RegExp(NAME, 'gu');
/** Every word begins with a capital: 'Pennine Renewables', 'Calder & Moor'. */
const ALL_NAMES =
  /^\p{Lu}[\p{L}'’.-]+(?: (?:(?:&|and|of|de|da|do|la|le|und|et|y|e|van|von) )?\p{Lu}[\p{L}'’.-]*){1,5}$/u;
/** Words that begin with a capital and are nobody's name. */
const NO_NAME =
  /^(?:Page|Seite|Invoice|Rechnung|Date|Datum|Total|Re|Dear|The|This|You|Your|We|I|And|All|Sir|Madam|Sirs|Both|Everyone|(?:Janu|Febru)ary|March|April|May|June|July|August|(?:Septem|Octo|Novem|Decem)ber|(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day)$/u;

/** Who wrote, signed, got or is bound by a paper, in the order of its text. */
export function partiesOf({ head, tail, languages }: Paper): Fact<string>[] {
  const lines = [...head, ...tail];
  const closing = lines.findLastIndex(
    ({ text }) => text.length < SHORT_LINE && lengthAtStart(text, languages, 'closing') > 0,
  );
  const found = lines.flatMap((line, at): Fact<string>[] => {
    const signed = closing !== -1 && at >= closing && at < closing + SIGNATURE_LINES;
    const names =
      signed && line.text.length <= LONGEST_NAME
        ? namesOf(line.text.slice(lengthAtStart(line.text, languages, 'closing')))
        : namesIn(line, lines[at + 1], at, languages);
    return names.map((value) => {
      const start = line.start + Math.max(0, line.text.indexOf(value));
      return { value, start, end: start + value.length };
    });
  });
  const first = new Map(found.toReversed().map((fact) => [fact.value.toLowerCase(), fact]));
  return found.filter((fact) => first.get(fact.value.toLowerCase()) === fact).slice(0, MOST);
}

/** The names behind a label or a salutation, and the firm at the begin of a letterhead's line. */
function namesIn(
  { text, heading }: Line,
  next: Line | undefined,
  at: number,
  languages: readonly string[],
): string[] {
  const between = wordPattern(languages, 'between').exec(text);
  if (between !== null) {
    const both = `${text.slice(between.index + between[0].length)} ${next?.text ?? ''}`;
    return namesOf(both).filter((name) => name.includes(' '));
  }
  const label = lengthAtStart(text, languages, 'parties');
  const rest = text.slice(label);
  const isLabelled = /^(?:\s?[:：\t·]|\s{2})/u.test(rest) || text.length < SHORT_LINE;
  if (label > 0 && isLabelled) return namesOf(rest);
  const salutation = lengthAtStart(text, languages, 'salutation');
  if (salutation > 0) return namesOf(text.slice(salutation).split(/[,!:;–]/u)[0] ?? '');
  if (at >= ADDRESS_LINES || text.length > SHORT_LINE) return [];
  if (lengthAtStart(text, languages, 'honorifics') > 0) return namesOf(text);
  const first = text.split(/ [–·|—-] |\t|, /u)[0] ?? '';
  const isSender = FIRM.test(first) || (at === 0 && !heading && ALL_NAMES.test(first));
  return isSender && !first.includes(':') && isName(first) ? [first] : [];
}

/** The names in a stretch; addresses of mail are left out. */
function namesOf(text: string): string[] {
  const plain = text
    .slice(0, 300)
    .replace(/<[^<>]*>|\([^()]*\)|"[^"]*"|(?<!\S)[^\s@]{1,100}@\S*/gu, ' ; ');
  return (plain.match(NAMES) ?? []).map((name) => name.replace(/[.]$/u, '')).filter(isName);
}

const isName = (name: string): boolean =>
  name.length >= 3 &&
  name.length <= LONGEST_NAME &&
  !/\d/u.test(name) &&
  !NO_NAME.test(name) &&
  /\p{Ll}/u.test(name);
