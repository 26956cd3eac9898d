import { ANSWER_LIMIT, MARKDOWN_DEPTH_LIMIT, markdownDepth } from '@engram/contract/browser';

/** Signs for whose partners the parser looks through all that is before them. */
const SOUGHT = /[\]~=]/gu;
const MOST_SOUGHT = 1000;

/** Whether a text is such as the Markdown parser is soon through with; what nobody wrote is not. */
export const isReadable = (text: string): boolean =>
  text.length <= ANSWER_LIMIT &&
  (text.match(SOUGHT)?.length ?? 0) <= MOST_SOUGHT &&
  markdownDepth(text) <= MARKDOWN_DEPTH_LIMIT;
