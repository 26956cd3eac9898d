import type { SharedContent } from './share-inbox.ts';

/**
 * Title, text and address of what was shared, as a note of a line each. Apps disagree about where an
 * address goes, and some repeat the title in the text: nothing is said twice.
 */
export function noteOf({ title, text, url, files }: SharedContent): string {
  // A title alone is the name of the files that it came with.
  const parts = files.length > 0 && !text.trim() && !url.trim() ? [] : [title, text, url];
  const lines: string[] = [];
  for (const part of parts.map((part) => part.trim())) {
    if (part === '' || lines.some((line) => line.includes(part))) continue;
    if (lines.length > 0 && part.startsWith(lines.at(-1) ?? '')) lines.pop();
    lines.push(part);
  }
  return lines.join('\n');
}
