/** Passages with a text: a file that is found by its name alone has nothing to quote. */
export const quotable = <T extends { text: string }>(passages: readonly T[]): T[] =>
  passages.filter(({ text }) => text !== '');
