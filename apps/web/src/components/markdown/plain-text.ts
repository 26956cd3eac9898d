const ESCAPED = /\\([!-/:-@[-`{-~])/gu;

/**
 * Markdown as a person would type it into a mail: the backslashes that keep punctuation from being
 * read as formatting are gone (CommonMark 0.31, 2.4 Backslash escapes), the rest stays.
 */
export const withoutEscapes = (markdown: string): string => markdown.replace(ESCAPED, '$1');
