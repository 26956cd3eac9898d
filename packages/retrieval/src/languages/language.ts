/** Words for time that `Intl` lacks, as alternatives of a regular expression. */
export interface TimeWords {
  /** Other locales with different month names, such as de-AT. */
  locales?: readonly string[];
  /** More names of months from January and days from Sunday. '-' for none. */
  months?: string;
  weekdays?: string;
  units?: Partial<Record<Unit, string>>;
  /** More words for a past unit: 'tonight' for 'day 0'. */
  phrases?: Readonly<Record<string, string>>;
  /** 'This' and 'last' before or after a unit. 'Last' also before several units. */
  this?: string;
  last?: string;
  weekend?: string;
  seasons?: readonly string[];
  /** First to fourth. Third and fourth are for quarters. */
  ordinals?: readonly string[];
  /** A quarter and a half of a year, with `{}` for the ordinal. */
  quarter?: string;
  half?: string;
  /** Between a day, a month and a year. */
  of?: string;
  on?: string;
  /** Before the first or last day of a period. */
  before?: string;
  after?: string;
  since?: string;
  /** Month and season names that are also other words, and words before them when they are times. */
  ambiguous?: string;
  lead?: string;
}

interface PhraseWords {
  /** Words that are in no phrase, in addition to common words: greetings, page footers. */
  outside?: string;
  /** Words within names: 'date de naissance', 'Bank of England'. `nameJoins` are within personal names. */
  joins?: string;
  nameJoins?: string;
}

export type FileKind =
  'pdf' | 'picture' | 'spreadsheet' | 'presentation' | 'recording' | 'video' | 'archive' | 'text';

/** How users refer to uploaded files. Regex sources. */
export interface UploadWords extends Partial<Record<FileKind, string>> {
  files?: string;
  uploaded?: string;
  newest?: string;
  /** Words in requests for a list, in addition to stop words: 'show me', 'how many', 'my'. */
  list?: string;
}

/** How a question names a file. Regex sources, up to the name. */
export interface FileWords {
  /** Before a file name. `according` may also precede another name. */
  named?: string;
  according?: string;
  /** Before a quoted file name. */
  beforeQuoted?: string;
  /** Before or after a folder name. */
  folder?: string;
  article?: string;
}

export type Unit = 'day' | 'week' | 'month' | 'year';

export const KINDS = [
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
] as const;

export type DocumentKind = (typeof KINDS)[number];

/** How documents describe themselves. Alternatives of whole words. */
export interface DocumentWords {
  kinds: Readonly<Partial<Record<DocumentKind, string>>>;
  salutation: string;
  /** Before the date of a document: 'invoice date', 'as of'. */
  dated: string;
  /** Before another date: 'born', 'until', 'due'. */
  otherDay: string;
  /** Between these words and a date: 'on', 'the'. */
  beforeDay: string;
  subject: string;
  version: string;
  mailFrom: string;
  mailTo: string;
  /** The column that only bank statements have. */
  balance: string;
  /** First words of rows with sums and of rows with a carried balance. */
  sums: string;
  balances: string;
  money?: string;
}

/** Templates of recommended questions. `{}` is the subject, `{title}` the file name. */
export interface RecommendedQuestions {
  /** First words of headings that ask for steps, separated by '|'. */
  how: string;
  heading: string;
  amount: string;
  field: string;
  /** A column label with the row name, `{row}`. */
  ofRow: string;
  title: string;
  phrase: string;
  name?: string;
}

/** How to compare claims. Alternatives of a regular expression. */
interface ClaimWords {
  not: string;
  /** Phrases with a negation that negate nothing: 'not only'. */
  harmless?: string;
  /** Before a contrasting clause. */
  contrasts?: string;
  /** Before a name, in languages that capitalize nouns. */
  beforeName?: string;
  /** Endings of words that are not names at the start of a sentence. */
  commonEnding?: string;
  /** Opposite words: 'more/less fewer'. */
  opposites?: readonly string[];
  /** Words in this order in a sentence about missing information. */
  lacks?: readonly string[];
  knowsNothing?: string;
}

/** Data of a language. Fields are optional. Word lists are in lower case. */
export interface LanguagePack {
  code: string;
  /** Snowball algorithm (https://snowballstem.org). Without one words are only folded. */
  stemmer?: string;
  /** Base, then forms that the stemmer cannot map to it. Forms that are also other words are left out. */
  irregular?: readonly string[];
  /** ISO 639-3 code of a list in the library `stopword`, or the words. */
  stopWords?: string;
  /** Abbreviations, and those that may also end a sentence. */
  abbreviations?: string;
  finalAbbreviations?: string;
  /** Words after an initial or abbreviation that begin a sentence: 'the', 'he'. */
  sentenceOpeners?: string;
  /** Words after an ordinal number: '3. Mai'. */
  afterOrdinal?: string;
  /** Names of secrets. A regex source. */
  secrets?: string;
  /** Names of secrets that are common words unless they are labels: 'key'. */
  secretLabels?: string;
  /** A regex source for the script that identifies the language. */
  script?: string;
  /** Zero and up, forms of a number separated by '/'. '-' if the word has a more common meaning. */
  numbers?: string;
  one?: string;
  time?: TimeWords;
  /** Units that `Intl` lacks, by family (see text/measures.ts). */
  measures?: Readonly<Record<string, string>>;
  periods?: Readonly<Record<string, string>>;
  /** Words for kinds of answers: 'year' in 'in what year'. */
  answerKinds?: string;
  firstPerson?: string;
  /** 'Per' and 'each' before a unit. */
  each?: string;
  /** Pronouns that refer to the previous question. A regex source. */
  references?: string;
  phrases?: PhraseWords;
  uploads?: UploadWords;
  files?: FileWords;
  capitalNouns?: boolean;
  documents?: DocumentWords;
  recommended?: RecommendedQuestions;
  claims?: ClaimWords;
}
