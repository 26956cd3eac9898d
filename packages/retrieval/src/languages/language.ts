/** Words for time beyond what `Intl` knows, as alternatives of a regular expression. */
export interface TimeWords {
  /** Other locales that name months differently, such as de-AT. */
  locales?: readonly string[];
  /** More names of the months from January on, and of the days from Sunday on; '-' for none. */
  months?: string;
  weekdays?: string;
  units?: Partial<Record<Unit, string>>;
  /** More words for a whole unit so many back: 'tonight' for 'day 0'. */
  phrases?: Readonly<Record<string, string>>;
  /** 'This' and 'last' before or behind a unit, 'last' before so many of them, too. */
  this?: string;
  last?: string;
  weekend?: string;
  seasons?: readonly [string, string, string, string];
  /** First to fourth; third and fourth are those of quarters only. */
  ordinals?: readonly [string, string, string, string];
  /** A quarter and a half of a year, `{}` standing for the ordinal. */
  quarter?: string;
  half?: string;
  /** Between a day, a month and a year. */
  of?: string;
  on?: string;
  /** Before the day that a period begins or ends with. */
  before?: string;
  after?: string;
  since?: string;
  /** Names of months and seasons that are other words, too, and what stands before them as times. */
  ambiguous?: string;
  lead?: string;
}

export interface PhraseWords {
  /** Words that no phrase contains, beside common words: in greetings, at the foot of pages. */
  outside?: string;
  /** Words that join two names to one: 'date de naissance', 'Bank of England'. */
  joins?: string;
  /** … and such as join those of people. */
  nameJoins?: string;
}

export type FileKind =
  'pdf' | 'picture' | 'spreadsheet' | 'presentation' | 'recording' | 'video' | 'archive' | 'text';

/** How people speak of the files they uploaded; sources of expressions. */
export interface UploadWords extends Partial<Record<FileKind, string>> {
  files?: string;
  uploaded?: string;
  newest?: string;
  /** Words of a request for a list, beside stop words: 'show me', 'how many', 'my'. */
  list?: string;
}

/** How a question names a file; sources of expressions, up to where the name begins. */
export interface FileWords {
  /** After these a file's name stands; after `according` it may. */
  named?: string;
  according?: string;
  /** Before a word in quotation marks that is a file's name. */
  beforeQuoted?: string;
  /** Before or behind these a folder's name stands. */
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

/** How documents name themselves. Fields are alternatives, matched as whole words. */
export interface DocumentWords {
  kinds: Readonly<Partial<Record<DocumentKind, string>>>;
  salutation: string;
  /** Before the day that a document is of: 'invoice date', 'as of'. */
  dated: string;
  /** Before another day: 'born', 'until', 'due'. */
  otherDay: string;
  /** Between these words and a day: 'on', 'the'. */
  beforeDay: string;
  subject: string;
  /** A version by its name: 'version', 'edition', 'draft'. */
  version: string;
  mailFrom: string;
  mailTo: string;
  /** The column that only a bank statement has. */
  balance: string;
  /** The first words of rows that sum up other rows, and of those that carry a balance over. */
  sums: string;
  balances: string;
  money?: string;
}

/** Templates of recommended questions. `{}` is the source, `{title}` the name of the file. */
export interface RecommendedQuestions {
  /** The first words of headings that are questions for steps; alternatives parted by '|'. */
  how: string;
  heading: string;
  amount: string;
  field: string;
  /** The label of a column with the name of a row, `{row}`. */
  ofRow: string;
  title: string;
  phrase: string;
  name?: string;
}

export interface InstructionWords {
  toModels: readonly RegExp[];
  /** Orders that letters give to people, too. */
  orders?: readonly RegExp[];
  /** How words begin in questions about such sentences. */
  words?: string;
}

/** What tells whether a sentence says the same as another; alternatives of a regular expression. */
export interface ClaimWords {
  not: string;
  /** Phrases with one of these that negate nothing: 'not only'. */
  harmless?: string;
  /** Before a clause that is set against another. */
  contrasts?: string;
  /** What a name stands behind where all nouns have a capital. */
  beforeName?: string;
  /** How words end that are no names where they open a sentence. */
  commonEnding?: RegExp;
  /** Words that say the contrary of each other: 'more/less fewer'. */
  opposites?: readonly string[];
  /** What a model says that found nothing in files; words that follow each other with others between. */
  lacks?: readonly string[];
  knowsNothing?: string;
}

/** All that is known of a language. Missing fields are skipped. Word lists are in lower case. */
export interface LanguagePack {
  /** ISO 639-1. */
  code: string;
  /** Its Snowball algorithm (https://snowballstem.org); without one words are only folded. */
  stemmer?: string;
  irregular?: ReadonlyMap<string, string>;
  /** Its list in the library `stopword` (ISO 639-3), or the words themselves. */
  stopWords?: string;
  /** Words that end in a point within a sentence, and those that may end it, too. */
  abbreviations?: string;
  finalAbbreviations?: string;
  /** How a sentence begins after an initial or an abbreviation: 'the', 'he'. */
  sentenceOpeners?: string;
  /** What follows a number that has its point from being an ordinal: '3. Mai'. */
  afterOrdinal?: string;
  /** Names of what is to be kept secret; a source of an expression. */
  secrets?: string;
  /** The same, for names that are common words where they are no label: 'key'. */
  secretLabels?: string;
  /** The script that tells the language, where it does. */
  script?: RegExp;
  /** Zero and up, forms of one number parted by '/'; '-' where the word is common in another sense. */
  numbers?: string;
  /** More words for one: 'a'. */
  one?: string;
  time?: TimeWords;
  /** Words for units that `Intl` lacks, by the family's name (see text/measures.ts). */
  measures?: Readonly<Record<string, string>>;
  /** 'Weekly', by the name of the unit. */
  periods?: Readonly<Record<string, string>>;
  /** Words that name the kind of answer: 'year' in 'in what year'. */
  answerKinds?: string;
  firstPerson?: string;
  /** 'Per', 'each', before a unit. */
  each?: string;
  /** Pronouns and possessives that stand for what was said before; source of an expression. */
  references?: string;
  phrases?: PhraseWords;
  uploads?: UploadWords;
  files?: FileWords;
  /** Whether nouns are written with a capital. */
  capitalNouns?: boolean;
  documents?: DocumentWords;
  recommended?: RecommendedQuestions;
  instructions?: InstructionWords;
  claims?: ClaimWords;
}
