/** One word of a question that counts, with the index terms it may be found as. */
export interface QuestionTerm {
  /** As it stands in the question. */
  surface: string;
  /** Its terms in each of the asker's languages; a passage has the word when it has one of them. */
  variants: string[];
  /** Its share of the question before rarity is known; 1 is a plain content word. */
  weight: number;
  /** A name, number or code: nothing else can stand for it. */
  name: boolean;
  /** Written with a capital where no sentence begins. */
  capital: boolean;
}

/** Weights of a question's words before their rarity is known. */
export const TERM_WEIGHTS = {
  /** Names (capital inside the sentence), numbers and codes. */
  name: 1,
  /** Words such as 'year' in 'in what year', which name the kind of answer. */
  answerKind: 0.4,
  /** A part of a code or address: INV of INV-2024-001. */
  part: 0.3,
} as const;
