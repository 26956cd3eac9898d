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
  /** What a word of the sentence before counts, beside one of the sentence itself. */
  before: 0.8,
  /** Keeps the rarity of words that are nowhere finite. */
  rarityFloor: 0.5,
} as const;

/** How meaning is told beside words. */
export const MEANING = {
  /** Passages, best first by their words, whose sentences are compared. */
  passages: 12,
  /** Share of a question's words that must be in the table of word vectors. */
  leastKnown: 0.5,
  /** Cosine of a question and the usual sentence found: what is unknown counts as this. */
  usual: 0.35,
} as const;

/**
 * What each piece of evidence counts for a sentence (see SentenceFeatures) and for a passage (see
 * PassageFeatures): maximum likelihood of a softmax over what was found (ListNet, Cao et al., ICML
 * 2007), all sets counting alike. `npm run quality -- rules` fits them, and prints what each rule is
 * worth on sets that it was not fitted on.
 */
export const SENTENCES = { said: 7.87, type: 2.56, closeness: 4.75, index: 0.24 } as const;
export const PASSAGES = { index: 0.332, sentences: 0.63, context: 15.1 } as const;

/**
 * A question of more than `from` words describes a subject rather than asks for a fact: what single
 * sentences say counts less, by (from / words) ** power, and the file's name and headings count, in
 * full at `to` words.
 */
export const LONG_QUESTION = { from: 6, to: 11, power: 1.5 } as const;

/** How far a word counts as said that is not said letter for stem in the sentence itself. */
export const REPLY = {
  /** By a word that begins alike. */
  soft: 0.7,
  /** By another word for it. */
  alias: 0.8,
} as const;

/** What an extractive answer holds. */
export const ANSWER = {
  /** Words of the whole answer, its numbers in brackets included. */
  maxWords: 120,
  /** Characters of one sentence as it stands in the Markdown. */
  maxSentence: 298,
  /** Words of one sentence. */
  maxSentenceWords: 75,
} as const;
