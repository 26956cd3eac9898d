/**
 * Completes partial Markdown of a stream: closes open emphasis and code, and removes the beginning of a
 * citation.
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
 * Removes backslash escapes (CommonMark 0.31, 2.4). Everything else stays.
 */
export const unescapeMarkdown = (markdown: string): string => markdown.replace(ESCAPED, '$1');
