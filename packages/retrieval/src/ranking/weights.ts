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
  /** What a word of the sentence before counts, beside one of the sentence itself. */
  before: 0.8,
  /** Keeps the rarity of words that are nowhere finite. */
  rarityFloor: 0.5,
  /** Words from which on a sentence says something by itself. */
  fullSentence: 6,
} as const;

/** How meaning is told beside words. */
export const MEANING = {
  /** Passages, best first by their words, whose sentences are compared. */
  passages: 12,
  /** Share of a question's words that must be in the table of word vectors. */
  leastKnown: 0.5,
  /** Cosine of a question and the usual sentence found: what is unknown counts as this. */
  usual: 0.35,
  /** Weight by frequency from which on a word is looked at by itself: the 90 most frequent are not. */
  leastWeight: 0.5,
  /** Cosine from which on a word is like another. */
  leastLikeness: 0.5,
} as const;

/**
 * What each piece of evidence counts for a sentence (see SentenceFeatures). Fitted by
 * `tests/quality/fitting/ranking.ts`: maximum likelihood of a softmax over the forty best sentences of
 * the fifty passages found, the right ones being those that hold the answer (as in ListNet, Cao et
 * al., ICML 2007), on squad's even articles and checked on its odd ones, and the other way round;
 * written here are the weights over all articles. Trees boosted on top of them (LambdaMART's, 100 to
 * 150) gained 0.002, rarity in the whole library instead of among the passages found nothing.
 */
export const SENTENCES = {
  coverage: 0.21,
  inContext: 0.54,
  nearby: 1.56,
  before: 2.33,
  others: -0.52,
  whole: 1.65,
  plain: 1.66,
  named: 0.17,
  order: 1.23,
  adjacent: 1.2,
  /** Not fitted, as hardly a question has one: who quotes a phrase wants it. */
  phrases: 3,
  type: 1.12,
  nearness: 1.77,
  /** Not fitted: squad is prose, where fragments never answer, and forms are made of short lines. */
  substance: 2,
  index: 1.55,
  /** Times the question's weight in words. */
  indexByMass: 0.3,
  rank: -0.28,
  missingNames: -1.41,
  /** Fitted 3.4, and 3.1 for the next; lowered, as what is said outright goes first. */
  closeness: 2.6,
  akin: 2.4,
} as const;

/**
 * What each piece of evidence counts for a passage (see PassageFeatures), fitted as SENTENCES are, the
 * right ones being the passages of the files that answer: squad's and, three times, cranfield's.
 */
export const PASSAGES = {
  best: 0.31,
  all: 0.31,
  index: 3.67,
  rank: -0.52,
  whole: 2.28,
  adjacent: 4.42,
  order: 2.4,
  nearness: 2.03,
  coverage: 2.77,
  mean: -3.57,
  scoreByMass: 1.16,
} as const;

/** Words of a question from which on, and up to which, its length tells more and more. */
export const LONG_QUESTION = { from: 6, to: 11 } as const;

/**
 * What is added to PASSAGES for a question that describes a subject (cranfield) rather than asks for
 * a fact: which file is about something is less a matter of single sentences.
 */
export const LONG_QUESTION_PASSAGES = {
  best: 0.02,
  all: 0.02,
  index: 4.19,
  rank: -0.44,
  whole: -0.66,
  adjacent: 12.36,
  order: -3.5,
  nearness: -3.72,
  coverage: -4.49,
  mean: -9.03,
  scoreByMass: 2.03,
} as const;

/**
 * The logistic model of whether the files answer a question (see ConfidenceFeatures), fitted by
 * `tests/quality/fitting/confidence.ts` on even articles and checked on odd ones, the other way round,
 * and then on all: squad's questions asked of libraries of 3, 50, 600 and 10,000 files, as they are,
 * without the article that answers and, weighing less, without its paragraph; and the tuned half of
 * the everyday questions. What is answered wrongly although the files say it is not learnt from.
 * `bias` is the fitted one, raised so that `threshold` stands for a fitted chance of 0.13: of what
 * they could answer, libraries of 3, 50, 600 and 10,000 files refuse some 1, 2, 4 and 8%. `terse` was
 * lowered so that forms and tables refuse what they did before. Meaning beside words (closeness and
 * akin of SentenceFeatures) told nothing more.
 */
export const CONFIDENCE_WEIGHTS = {
  bias: -1.45,
  coverage: -0.08,
  inContext: 0.09,
  nearby: 0.92,
  before: 0.32,
  whole: -0.01,
  plain: 1.35,
  order: -0.88,
  adjacent: 1,
  type: 0.33,
  nearness: 0.16,
  missingNames: -1.81,
  missing: -5.52,
  terse: -1.9,
  terseMissing: -7.37,
  terseLabel: 6.08,
  terseCounted: 3.49,
  questionMass: 2.4,
  rarity: 7.6,
  librarySize: -0.5,
} as const;

/** How confidence is used. */
export const CONFIDENCE = {
  /** Chunks from which on a larger library asks for no more; set by hand. */
  largeLibrary: 800,
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
  /** … of prose. */
  maxProse: 3,
  /** How much less than the first a further sentence may score, in prose and in lines. */
  margins: { prose: 10, secondLine: 4, furtherLine: 1.5 },
  /** What a supporting sentence must itself name of the question, as a share of what the first does. */
  supportCoverage: 0.1,
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
