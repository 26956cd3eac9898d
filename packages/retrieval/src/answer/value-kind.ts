import { findDates } from '../scope/dates.ts';
import type { Question } from '../question/question.ts';
import type { Span } from '../analysis/sentences.ts';

/** What a value looks like that answers a question. */
export type ValueKind =
  | 'amount'
  | 'code'
  | 'date'
  | 'duration'
  | 'email'
  | 'iban'
  | 'measure'
  | 'number'
  | 'phone'
  | 'sum'
  | 'time'
  | 'url'
  | 'weekday';

/** What values of a kind look like; each takes linear time. */
const LOOKS: Readonly<Record<ValueKind, RegExp>> = {
  amount:
    /[€$£¥₽]\s?\d[\d.,' \u00a0]{0,20}(?:million|m|k|bn)?|(?<![\d.,])\d[\d.,']{0,20}(?:[ \u00a0]\d{3}){0,4}[ \u00a0]?(?:€|\$|£|円|(?:eur|euros?|usd|gbp|chf|dollars?|pounds?|pence|quid|cents?)(?!\p{L}))|(?<![\d.,])\d[\d.,]{0,20}\s?(?:%|per ?cent|percent|prozent)/giu,
  code: /(?<![\p{L}\p{N}])(?=[\p{L}\p{N}./-]{0,30}\d)[\p{L}\p{N}]+(?:[./-][\p{L}\p{N}]+)+(?![\p{L}\p{N}])|(?<![\p{L}\p{N}])(?=\p{L}{0,12}\d)[\p{L}\d]{5,30}(?![\p{L}\p{N}])/gu,
  date: /(?<!\d)(?:19|20)\d\d[-/.]\d{1,2}(?:[-/.]\d{1,2})?(?!\d)|(?<!\d)\d{1,2}[./-]\d{1,2}[./-]\d{2,4}(?!\d)|(?<!\d)\d{1,2}\/(?:20)\d\d(?!\d)|(?<![\p{L}\d])\d{1,2}(?:st|nd|rd|th|\.|er|º)?\s(?:de |of )?(?:jan|feb|fev|fév|mar|mär|mrz|apr|abr|avr|ma[iy]o?|jun|jui|jul|aug|ago|aoû|sep|set|oct|okt|out|ott|nov|dec|dez|déc|dic|gen|mag|giu|lug|ene)\p{L}*\.?(?:,? (?:de )?\d{4})?|(?<!\p{L})(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)\p{L}* \d{1,4}(?:st|nd|rd|th)?(?:,? \d{4})?|(?<![\d.,£€$])(?:19|20)\d\d(?![\d.,]\d|\d)|\d{1,4}[年月日]/giu,
  duration:
    /(?<![\p{L}\d.,])(?:\d[\d.,]{0,12}|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|\p{L}{2,6}teen|twenty|thirty|a|an|half an?|ein|eine|zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn|zwölf|deux|trois|quatre|dois|duas|três|oito|seis)[- ]?(?:seconds?|secs?|minutes?|mins?|m(?=\s|$)|hours?|hrs?|h(?!\p{L})|days?|nights?|weeks?|months?|years?|sekunden?|minuten?|stunden?|tagen?|wochen?|monaten?|jahren?|heures?|jours?|semaines?|mois|ans|horas?|minutos|dias?|días|semanas?|mes(?:es)?|anos?|años)(?!\p{L})/giu,
  email: /[^\s@<>()]{1,64}@[^\s@<>()]{1,190}\.\p{L}{2,}/gu,
  iban: /(?<![\p{L}\d])[A-Z]{2}\d{2}(?: ?[A-Z\d]{4}){3,7}(?: ?[A-Z\d]{1,3})?(?![\p{L}\d])/gu,
  measure:
    /(?<![\p{L}\d.,])\d[\d.,]{0,12}\s?(?:°\s?[cf]?|km\/h|mph|kwh|kw|nm|[kmg]i?b|bytes?|mbit|kg|mg|ml|cl|mm|cm|km|m²|m2|m³|m3|bar|psi|db|hz|khz|[gmlhvaw]|litres?|liters?|tonnes?|miles?|metres?|meters?|feet|inch(?:es)?|grams?|degrees?|watts?|volts?|amps?|points?|pages?|copies|percent|%)(?!\p{L})/giu,
  number:
    /(?<![\p{L}\d.,])\d[\d.,]*(?<=\d)|(?<!\p{L})(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|\p{L}{2,6}teen|twenty|thirty|forty|fifty|hundred|thousand|million|dozen|none|once|twice|zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn|deux|trois|quatre|cinq|dos|tres|cuatro|dois|duas|três|quatro)(?!\p{L})/giu,
  phone:
    /(?<![\p{L}\d./-])(?=(?:[\s()./+-]{0,3}\d){7})\+?\(?\d{2,5}\)?(?:[\s./-]\(?\d{2,6}\)?){1,5}(?![\d/-])|(?<![\p{L}\d./-])\+?\d{9,15}(?!\d)/gu,
  sum: /(?<![\p{L}\d.,])\d{1,3}(?:[.,' \u00a0]\d{3}){1,4}(?:[.,]\d{2})?(?![\d.,]*\d)|(?<![\p{L}\d.,])\d{1,9}[.,]\d{2}(?![\d.,]*\d)|(?<![\p{L}\d.,])\d{3,9}(?![\d.,]*\d)/gu,
  time: /(?<![\d.])(?:[01]?\d|2[0-4])[:.h][0-5]\d(?!\d)|(?<!\d)\d{1,2}(?::\d{2})?\s?(?:am|pm|uhr|o'clock)(?!\p{L})|(?<!\p{L})(?:noon|midnight)(?!\p{L})/giu,
  weekday:
    /(?<!\p{L})(?:(?:mon|tues|wednes|thurs|fri|satur|sun)days?|(?:mon|diens|donners|frei|sams|sonn)tags?|mittwochs?|(?:lun|mar|mercre|jeu|vendre|same)di|dimanche)(?!\p{L})/giu,
  url: /(?:https?:\/\/|www\.)[^\s<>"]+/giu,
};

/** What a question's words say of the value that it wants; the first that fits counts. */
const ASKED: readonly (readonly [RegExp, readonly ValueKind[]])[] = [
  [
    /\b(?:phone|telephone|mobile|tel|fax|telefon(?:nummer)?|téléphone|teléfono|telefone)\b/iu,
    ['phone'],
  ],
  [/\b(?:e-?mail|mail)[- ]?(?:address|adresse)\b|\be-?mail(?= of)/iu, ['email']],
  [/\b(?:web ?site|url|web address|homepage)\b/iu, ['url']],
  [
    /\b(?:serial|frame|policy|reference|account|order|invoice|registration|passport|model|part|tracking|customer|membership|member|licen[cs]e|contract|booking|meter|case|file|flight|vin|iban|tax|national insurance|ni|vat|utr|nhs)[- ](?:number|nr|no|num|code|id|ref|reference)\b|\bnumber of (?:\p{L}{1,30}['’]s|my|our|his|her|their) |\b(?:reference|iban|bic|postcode|zip code|seriennummer|aktenzeichen|kennzeichen|kontonummer|kundennummer|numéro de \p{L}+|número d[eo] \p{L}+)\b/iu,
    ['code', 'phone', 'number'],
  ],
  [
    /\b(?:what time|um wieviel uhr|wie viel uhr|à quelle heure|a que horas|a qué hora)\b/iu,
    ['time'],
  ],
  [
    /\bhow (?:long|many (?:seconds?|minutes?|hours?|days?|nights?|weeks?|months?|years?))\b|\bwie ?(?:lange|viele? (?:tage|wochen|monate|jahre|stunden))\b|\bcombien de (?:temps|jours|semaines|mois)\b|\bquanto tempo\b|\bcuánto tiempo\b/iu,
    ['duration', 'date', 'measure', 'number'],
  ],
  [/\bhow often\b|\bwie oft\b/iu, ['duration', 'number', 'date']],
  [/\bhow many\b|\bwie ?viele\b|\bcombien de\b|\bcuánt[oa]s\b|\bquant[oa]s\b/iu, ['number']],
  [
    /\b(?:what date|which date|what year|which year|which month|what month|deadline|expir\p{L}*|birthday|date of|due date|dates?(?: and time)?(?=\W*$)|date (?:and|\+|&) time|data de)\b/iu,
    ['date', 'time'],
  ],
  [
    /\b(?:when|(?:what|which) day(?! (?:rates?|trips?|tickets?|care))|by when|until when|on which \p{L}*day|wann|bis wann|quand|cuándo|quando)\b/iu,
    ['date', 'time', 'weekday'],
  ],
  [
    /\b(?:cost|costs|price|fee|rent|salary|wages?|deposit|premium|bill|fine|paid|pay|owe|owed|earn|charged?|quote[ds]?|miete|preis|kostet|kosten|gehalt|loyer|prix|renda|preço|quota|alquiler|precio|net pay|gross pay|grant|subscription|tender)\b/iu,
    ['amount', 'sum'],
  ],
  [
    /\bhow (?:much|big|large|high|tall|deep|wide|heavy|far|fast|hot|cold|warm|thick|thin|tight|strong|old|little|few)\b|\b(?:temperature|speed|weight|size|torque|pressure|strength|dose|dosage|limit|excess|threshold|percentage|rate|capacity|distance|height|width|length|depth)\b|\bwie ?(?:viel|hoch|groß|weit|schwer|alt|warm|schnell)\b|\bcombien\b|\bcuánto\b|\bquanto\b/iu,
    ['amount', 'measure', 'duration', 'number'],
  ],
];

/** 'What happens when …': no time is asked for. */
const ON_CONDITION = /^(\W*(?:what|which|who|whose|how|why|where)\b[^?]*?)\bwhen\b.*$/isu;

/** The kinds of value that a question asks for, the likeliest first; none where the kind is open. */
export function wantedKinds({ text, type }: Pick<Question, 'text' | 'type'>): readonly ValueKind[] {
  const asked = text.replace(ON_CONDITION, '$1');
  const kinds = ASKED.find(([words]) => words.test(asked))?.[1] ?? [];
  // 'Who paid for …' wants no amount.
  return type === 'person' && kinds[0] === 'amount' ? [] : kinds;
}

/** Numbers of these kinds are no counts and no codes. */
const OTHERS: Partial<Record<ValueKind, readonly ValueKind[]>> = {
  number: ['date', 'time', 'phone'],
  code: ['date', 'time'],
  phone: ['date', 'iban'],
  sum: ['date', 'time', 'phone'],
};

/** The number of an item of a list. */
const LIST_MARK = /^\s{0,9}\(?\d{1,3}[.)](?=\s)/u;

const spansOf = (text: string, kind: ValueKind): Span[] =>
  [...text.matchAll(LOOKS[kind])].map(({ index, 0: value }) => ({
    start: index,
    end: index + value.replace(/[\s.,]{1,4}$/u, '').length,
  }));

/** The values of one kind in a text, but for those that a question itself brings. */
function valuesOf(text: string, kind: ValueKind, asked: string): Span[] {
  const brought = asked.toLowerCase();
  const from = LIST_MARK.exec(text)?.[0].length ?? 0;
  const spans = spansOf(text, kind).filter(
    ({ start, end }) => start >= from && !brought.includes(text.slice(start, end).toLowerCase()),
  );
  if (spans.length === 0) return spans;
  const others = (OTHERS[kind] ?? []).flatMap((other) => spansOf(text, other));
  return spans.filter(
    (span) => !others.some((other) => span.start < other.end && other.start < span.end),
  );
}

/** The values of the likeliest kind that a text has some of; see wantedKinds. */
export function valuesIn(
  text: string,
  kinds: readonly ValueKind[],
  { text: asked }: Pick<Question, 'text'>,
): Span[] {
  for (const kind of kinds) {
    const spans = valuesOf(text, kind, asked);
    if (spans.length > 0) return spans;
  }
  return [];
}

/** How well the values in a text fit: 1 for the likeliest kind, 0 where there is none. */
export function kindFit(
  text: string,
  kinds: readonly ValueKind[],
  { text: asked }: Pick<Question, 'text'>,
): number {
  const at = kinds.findIndex((kind) => valuesOf(text, kind, asked).length > 0);
  return at === -1 ? 0 : 1 - (0.5 * at) / kinds.length;
}

const NAME = /\p{Lu}[\p{L}'’.-]+(?: \p{Lu}[\p{L}'’.-]+){0,3}/gu;

/** The names in a text that a question does not bring; a single word at a sentence's head is none. */
export function namesIn(text: string, { text: asked }: Pick<Question, 'text'>): Span[] {
  const brought = asked.toLowerCase();
  return [...text.matchAll(NAME)].flatMap((match) => {
    const [name] = match;
    const opens = match.index === 0 && !name.includes(' ');
    if (opens || brought.includes(name.toLowerCase())) return [];
    return [
      { start: match.index, end: match.index + name.replace(/(?<=\p{L}{2})\.$/u, '').length },
    ];
  });
}

/** Kinds of values that are told by their looks alone. */
const TOLD_BY_LOOKS: ReadonlySet<string> = new Set(['phone', 'email', 'url', 'time', 'code']);

/** Languages whose words for numbers are known here. */
const COUNTING: ReadonlySet<string> = new Set(['en', 'de', 'fr', 'es', 'pt']);

/** Words of a line at most; a longer text may name a time or people in other words. */
const LINE_WORDS = 12;

/** Whether a text has nothing of the kind that a question asks for: a line without a name, number or time. */
export function lacksKind(question: Question, text: string): boolean {
  const kinds = wantedKinds(question);
  const [likeliest] = kinds;
  if (likeliest !== undefined && valuesIn(text, kinds, question).length > 0) return false;
  if (likeliest !== undefined && TOLD_BY_LOOKS.has(likeliest)) return true;
  const isLine = text.split(/\s+/u, LINE_WORDS + 1).length <= LINE_WORDS;
  if (likeliest === undefined) {
    const asksName = question.type === 'person' || NAME_OF.test(question.text);
    return isLine && asksName && isCased(text) && namesIn(text, question).length === 0;
  }
  if (!COUNTING.has(question.language)) return false;
  if (question.type === 'quantity') return true;
  if (!isLine) return false;
  return likeliest === 'date'
    ? findDates(text, question.languages).length === 0
    : likeliest === 'amount';
}

const NAME_OF = /\bnames? of\b/iu;

const isCased = (text: string): boolean => /\p{Lu}/u.test(text);
