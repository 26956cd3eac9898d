import { lazy, Suspense } from 'react';
import type { MarkdownProps } from './markdown.tsx';
import { RawText } from './raw-text.tsx';

const LoadedMarkdown = lazy(() => import('./markdown.tsx'));

/** Markdown whose parser is fetched when it is first needed. */
export function Markdown(props: MarkdownProps) {
  return (
    <Suspense fallback={<RawText>{props.children}</RawText>}>
      <LoadedMarkdown {...props} />
    </Suspense>
  );
}
