import { countWords, TEXT_WORD_LIMIT } from '@engram/contract/browser';

/** Content from other apps. */
export interface PanelContent {
  /** The id in the browser's share inbox; null if it is not stored there. */
  id: string | null;
  files: readonly File[];
  text: string;
  /** The name of the file if the text is too long for a note. */
  title: string;
  leftOut: readonly string[];
  /** The web page to save; '' if it is something else. */
  page: string;
}

const NAME_LENGTH = 60;

export const fileNameFor = (title: string): string => {
  const words = title
    .replaceAll(/[\p{Cc}/\\:*?"<>|]+/gu, ' ')
    .replaceAll(/\s+/gu, ' ')
    .trim();
  return `${[...words].slice(0, NAME_LENGTH).join('').trim() || 'Shared text'}.txt`;
};

/**
 * Merges content from other apps into the text and web address of the panel. Text that would exceed
 * the limit becomes a file. `notice` says what was changed or left out, if anything.
 */
export function mergeContent(
  content: readonly PanelContent[],
  current: { text: string; page: string },
) {
  const files = content.flatMap((item) => item.files);
  const notices: string[] = [];
  let { text, page } = current;
  for (const item of content) {
    const addition = page === '' || page === item.page ? item.text : item.text || item.page;
    page ||= item.page;
    const longer = [text.trim(), addition].filter(Boolean).join('\n\n');
    if (addition !== '' && countWords(longer) > TEXT_WORD_LIMIT) {
      const name = fileNameFor(item.title);
      files.push(new File([addition], name, { type: 'text/plain' }));
      notices.push(
        `Maximum word limit reached of ${TEXT_WORD_LIMIT} words, so the shared text became the file ${name}.`,
      );
    } else if (addition !== '') {
      text = longer;
    }
    if (item.leftOut.length > 0) {
      notices.push(
        `There was no space for ${item.leftOut.join(', ')}. Choose these files here instead.`,
      );
    }
  }
  return { files, text, page, notice: notices.join(' ') || null };
}
