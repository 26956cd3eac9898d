/** Weights of a question's words before their rarity is known. */
export const TERM_WEIGHTS = {
  /** Names (capital inside the sentence), numbers and codes. */
  name: 1,
  /** Words such as 'year' in 'in what year', which name the kind of answer. */
  frame: 0.4,
  /** A part of a code or address: INV of INV-2024-001. */
  part: 0.3,
} as const;

/** How words are taken for one another, and what is close. */
export const MATCHING = {
  /** Letters two stems must share at their head before they are compared at all. */
  softHead: 4,
  /** The share of the longer stem that the common beginning must make up. */
  softShare: 0.7,
  /** What such a likeness counts beside a full match. */
  soft: 0.5,
  /** Letters of a stem from which on a word a letter away may be the same one, misspelt. */
  typoLength: 5,
  /** … and two letters away. */
  longTypoLength: 9,
  /** Words from one of a pair to the other. */
  pairDistance: 3,
  /** Keeps the rarity of words that are nowhere finite. */
  rarityFloor: 0.5,
  /** Words from which on a sentence says something by itself. */
  fullSentence: 6,
} as const;

/**
 * What each piece of evidence counts for a sentence (see SentenceFeatures). Fitted by maximum
 * likelihood of a softmax over all sentences of the fifty best passages, the right ones being those
 * that hold the answer (as in ListNet, Cao et al., ICML 2007), on squad's even articles and, apart,
 * on its odd ones. Single weights of the two fits differ by up to two times (the features overlap),
 * each fit's figures on the other half hardly do; the means are written here rounded. The index's
 * weight was chosen by hand over squad, cranfield and financebench: it counts for each word of the
 * question, as the more words there are, the less can one sentence hold them.
 */
export const RANKING = {
  coverage: 4,
  inContext: 2,
  nearby: 3.7,
  adjacent: 2.3,
  /** Not fitted, as hardly a question has one: who quotes a phrase wants it. */
  phrases: 3,
  type: 1.6,
  substance: 2,
  /** Times the question's weight in words. */
  index: 1.2,
} as const;

/**
 * What the index's score counts more for a passage than for its sentences, times the question's
 * weight in words: which file is about something (cranfield) is less a matter of single sentences.
 */
export const PASSAGE_INDEX = 1.8;

/**
 * The logistic model of whether the files answer a question: 7,900 questions on squad, asked of
 * libraries of 1, 3, some 40, 670 and 2,700 chunks, half of them with the right article left out;
 * fitted on even articles and checked on odd ones and the other way round, means rounded. `bias`,
 * `missingNames` and `librarySize` were then set by hand so that libraries of every size refuse 2 to
 * 5% of what they could answer. With the best sentence's confidence under `threshold` the answer is
 * that the files don't seem to say.
 */
export const CONFIDENCE = {
  bias: -4.25,
  inContext: 3,
  nearby: 3.7,
  adjacent: 2.6,
  missingNames: -1,
  /**
   * In a form, a list or a table (times ReplyFeatures.terse) facts stand under their names: a word
   * that is missing there is hardly paraphrased. Fitted on half of the everyday questions and squad.
   */
  terse: 0.7,
  terseMissing: -8.8,
  terseLabel: 5,
  terseCounted: 2,
  /** Times ln(1 + the question's weight in words). */
  questionMass: 1.4,
  /** Times BM25 for each word of the question over ln(1 + chunks), the rarest word's worth. */
  rarity: 3.5,
  /** Times ln(1 + chunks). */
  librarySize: -2 / 7,
  /** Chunks from which on a larger library asks for no more. */
  largeLibrary: 2500,
  /** Chunks assumed when nobody says how many there are. */
  usualLibrary: 600,
  /** The fewest assumed when nobody says: passages that were not found are there, too. */
  smallLibrary: 5,
  threshold: 0.5,
} as const;

/** What each piece of evidence counts for a sentence as a reply (see ReplyFeatures). */
export const REPLY_WEIGHTS = {
  key: 3,
  focus: 3,
  rest: 4,
  counted: 2.5,
  missing: -8,
  label: 5,
  value: 1.5,
  echo: -4,
  /** Nothing of the asked kind is in the sentence. */
  untyped: -1,
} as const;

/** How far a word counts as said that is not said letter for stem in the sentence itself. */
export const REPLY = {
  /** By a word that begins alike. */
  soft: 0.7,
  /** By another word for it. */
  alias: 0.8,
  /** Elsewhere in the passage, its file name or its headings. */
  around: 0.9,
  /** In another passage of the file, as a share of that. */
  elsewhere: 0.85,
  /** What each further word in a field's name takes from its likeness. */
  extraWord: 0.5,
  /** What the name of a table's first column counts. */
  keyColumn: 0.5,
  /** What all of it counts in prose beside lists, forms and tables. */
  inProse: 0.25,
  /** A sentence with something of the asked kind goes before one without that says hardly more. */
  directCoverage: 0.3,
  directMissing: 0.1,
  /** What naming the wanted thing counts where nothing of the asked kind is. */
  ofOtherType: 0.3,
  /** Share of lines that prose has, too: headings, a date. */
  linesInProse: 0.15,
  /** What a field's name must say of the question to count in full. */
  leastLabel: 0.2,
  /** Words of a question up to which what it wants counts in full. */
  fewWords: 3.5,
  /** … and from which on it counts no more. */
  manyWords: 7,
} as const;

/** What an extractive answer holds. */
export const ANSWER = {
  /** Words of the whole answer, its numbers in brackets included. */
  maxWords: 120,
  /** Characters of the whole answer, for scripts without spaces. */
  maxLength: 1200,
  /** Characters of one sentence as it stands in the Markdown. */
  maxSentence: 298,
  /** Words of one sentence. */
  maxSentenceWords: 75,
  maxSentences: 4,
  /** A second sentence must score this share of the first; right answers often come second. */
  secondShare: 0.6,
  /** Any further one. */
  supportShare: 0.85,
  /** What a supporting sentence must itself name of the question, as a share of what the first does. */
  supportCoverage: 0.2,
  /** … and of the values that the first row is found by. */
  supportKey: 0.9,
  /** What more of the question may be missing. */
  supportMissing: 0.2,
  /** The label from which on a field is what was asked for. */
  surely: 0.8,
  /** Passages that sentences are taken from. */
  passages: 10,
  /** Share of a sentence's words that another must not already have said. */
  overlap: 0.8,
} as const;
