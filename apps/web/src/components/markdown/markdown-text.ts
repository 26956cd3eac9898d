/**
 * Markdown that is still coming in, as it will most likely go on: emphasis and code that are not
 * closed yet are closed, and the beginning of a citation waits for its end.
 */
export function completeMarkdown(partial: string): string {
  const text = partial.replace(/(?:(?<!\s)\s+)?\[\d*$/u, '').replace(/(?<!\*)\*+$/u, '');
  const line = text.slice(text.lastIndexOf('\n\n') + 1);
  if ((line.match(/`/gu)?.length ?? 0) % 2 === 1) return `${text}\``;
  const isOpen = (line.match(/\*\*/gu)?.length ?? 0) % 2 === 1;
  return isOpen ? `${text.trimEnd()}**` : text;
}

const ESCAPED = /\\([!-/:-@[-`{-~])/gu;

/**
 * Markdown as a person would type it into a mail: without the backslashes that keep punctuation
 * from being read as formatting (CommonMark 0.31, 2.4 Backslash escapes). The rest stays.
 */
export const unescapeMarkdown = (markdown: string): string => markdown.replace(ESCAPED, '$1');
