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
