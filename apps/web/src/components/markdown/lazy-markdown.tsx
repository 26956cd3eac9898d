import { RawText } from '../prose.tsx';
import { lazy, Suspense } from 'react';
import type { MarkdownProps } from './markdown.tsx';

const LoadedMarkdown = lazy(() => import('./markdown.tsx'));

export function Markdown(props: MarkdownProps) {
  return (
    <Suspense fallback={<RawText>{props.children}</RawText>}>
      <LoadedMarkdown {...props} />
    </Suspense>
  );
}
