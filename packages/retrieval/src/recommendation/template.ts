/** A question as it was made from one sentence. */
export interface Made {
  question: string;
  /** The pattern it was made by: too many of one kind are dull. */
  template: string;
}

/** Makes a question of a sentence that answers it; null where the sentence is not of its kind. */
export interface Template {
  name: string;
  make: (sentence: string) => string | null;
}

/** The question of the first template that fits. */
export function firstMade(templates: readonly Template[], sentence: string): Made | null {
  for (const { name, make } of templates) {
    const question = make(sentence);
    if (question !== null) return { question, template: name };
  }
  return null;
}

/** A template of one pattern whose first group is what the question is about. */
export function template(
  name: string,
  pattern: RegExp,
  subjectOf: (text: string) => string | null,
  make: (subject: string, groups: readonly string[]) => string | null,
): Template {
  return {
    name,
    make(sentence) {
      const match = pattern.exec(sentence);
      const subject = match === null ? null : subjectOf(match[1] ?? '');
      if (match === null || subject === null) return null;
      return make(
        subject,
        match.slice(2).map((group = '') => group.trim()),
      );
    },
  };
}

/** A set of words written in one string. */
export const wordSet = (words: string): ReadonlySet<string> =>
  new Set(words.split(/\s+/u).filter((word) => word !== ''));

/** What most sentences give a question too much of: points, brackets, quotes. */
export const SIMPLE = /^[^,;:()[\]"“”„«»]*$/u;

export const countOf = (text: string): number => text.split(/\s+/u).length;
