/** What counts how much where a question says which files are meant; chosen on the development half. */
export const SCOPE = {
  /** The weight of a word that only says which file is meant. */
  aside: 0.02,
  /** The weight in the search of a part of a date, and of a date written as one word. */
  hintPart: 0.3,
  hintWhole: 1,
  /** A fit (see fitOf) below it is none. */
  leastFit: 0.3,
  /** What a passage's score gains where its file is of the date asked for, and loses for another. */
  file: 5,
  /** … a sentence's. */
  sentence: 2,
  /** Shares of a fit: a date somewhere in the text of a file that is of another date, or of none. */
  inText: 0.6,
  yearInText: 0.3,
} as const;
