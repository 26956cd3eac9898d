import { type Citation, locationText, type SearchData } from '@engram/contract';
import { escapeMarkdown } from '@engram/retrieval';
import { estimateTokens } from '../../platform/ai/answering/evidence-budget.ts';
import { sourceUrl } from '../../platform/http/hosts.ts';
import { type CompletionRequest, MODEL, textOf } from './messages.ts';

/** A citation in OpenAI's format. Indexes are UTF-16 units of the content. */
interface Annotation {
  type: 'url_citation';
  url_citation: { url: string; title: string; start_index: number; end_index: number };
}

const CLOSEST = 'Not an answer, but the closest passages:';

const titleOf = (citation: Citation): string =>
  `${citation.fileName}, ${locationText(citation.location, citation)}`;

const linkTo = (origin: string, citation: Citation): string =>
  `[${escapeMarkdown(titleOf(citation))}](${sourceUrl(origin, citation.artifactId, citation)})`;

/** The part after the text of an answer: a notice, and a list of links to its sources. */
function appendix({ notice, citations, nearest }: SearchData, origin: string): string {
  const blocks = [
    notice === null ? '' : `*${escapeMarkdown(notice)}*`,
    citations.map((cited) => `\\[${cited.n}\\] ${linkTo(origin, cited)}`).join('  \n'),
    nearest.length === 0 ? '' : CLOSEST,
    nearest.map((near) => `- ${linkTo(origin, near)}: ${escapeMarkdown(near.quote)}`).join('\n'),
  ];
  return blocks.filter(Boolean).join('\n\n');
}

export const contentOf = (data: SearchData, origin: string): string =>
  [data.answers.join('\n\n'), appendix(data, origin)].filter(Boolean).join('\n\n');

/**
 * The rest of a streamed completion. If a model failed while it wrote, the final answer differs from what
 * was sent and follows in full.
 */
export function restOf(content: string, sent: string): string {
  return content.startsWith(sent) ? content.slice(sent.length) : `\n\n---\n\n${content}`;
}

export function annotationsOf(
  content: string,
  { citations }: SearchData,
  origin: string,
): Annotation[] {
  const byNumber = new Map(citations.map((citation) => [citation.n, citation]));
  return [...content.matchAll(/\[(\d{1,4})\]/gu)].flatMap(({ 0: mark, 1: n, index }) => {
    const citation = byNumber.get(Number(n));
    if (citation === undefined) return [];
    const url_citation = {
      url: sourceUrl(origin, citation.artifactId, citation),
      title: titleOf(citation),
      start_index: index,
      end_index: index + mark.length,
    };
    return [{ type: 'url_citation' as const, url_citation }];
  });
}

/** Estimated tokens, because the answer may not come from a model. */
function usageOf(messages: CompletionRequest['messages'], content: string) {
  const prompt = messages.reduce((sum, message) => sum + estimateTokens(textOf(message)), 0);
  const completion = estimateTokens(content);
  return {
    prompt_tokens: prompt,
    completion_tokens: completion,
    total_tokens: prompt + completion,
  };
}

interface CompletionHead {
  id: string;
  created: number;
}

export function completionOf(
  head: CompletionHead,
  data: SearchData,
  { messages, origin }: { messages: CompletionRequest['messages']; origin: string },
) {
  const content = contentOf(data, origin);
  const annotations = annotationsOf(content, data, origin);
  return {
    ...head,
    object: 'chat.completion',
    model: MODEL,
    choices: [
      {
        index: 0,
        message: { role: 'assistant', content, refusal: null, annotations },
        logprobs: null,
        finish_reason: 'stop',
      },
    ],
    usage: usageOf(messages, content),
  };
}

export function chunksOf(head: CompletionHead, withUsage: boolean) {
  const chunk = (choices: object[], usage: object | null = null) => ({
    ...head,
    object: 'chat.completion.chunk',
    model: MODEL,
    choices,
    ...(withUsage ? { usage } : {}),
  });
  return {
    part: (delta: object, finish_reason: 'stop' | null = null) =>
      chunk([{ index: 0, delta, logprobs: null, finish_reason }]),
    usage: (messages: CompletionRequest['messages'], content: string) =>
      chunk([], usageOf(messages, content)),
  };
}
