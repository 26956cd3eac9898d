import { RawText } from '../prose.tsx';
import { lazy, Suspense } from 'react';
import type { MarkdownProps } from './markdown.tsx';

const LoadedMarkdown = lazy(() => import('./markdown.tsx'));

/** Markdown whose parser is loaded on demand. */
export function Markdown(props: MarkdownProps) {
  return (
    <Suspense fallback={<RawText>{props.children}</RawText>}>
      <LoadedMarkdown {...props} />
    </Suspense>
  );
}
