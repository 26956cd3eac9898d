import type { QuoteRange } from './locate-quote.ts';

/**
 * Marks ranges in a PDF's text layer. The letters there are invisible and only lie over the drawn
 * ones, so a mark holds the quote's own text: white space and hyphens that the page sets otherwise
 * neither show nor get lost.
 */
export function markTextLayer(
  spans: readonly HTMLElement[],
  ranges: readonly QuoteRange[],
): HTMLElement[] {
  return ranges.flatMap(({ item, start, end, text }) => {
    const span = spans[item];
    if (!span) return [];
    const whole = span.textContent;
    const mark = document.createElement('mark');
    mark.dataset['testid'] = 'quote';
    mark.textContent = text;
    span.replaceChildren(whole.slice(0, start), mark, whole.slice(end));
    return [mark];
  });
}
