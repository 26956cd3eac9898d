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
  /** Keeps the rarity of words that are nowhere finite. */
  rarityFloor: 0.5,
} as const;
