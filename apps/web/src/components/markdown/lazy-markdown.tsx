import { RawText } from '../prose.tsx';
import { lazy, Suspense } from 'react';
import type { MarkdownProps } from './markdown.tsx';

const LoadedMarkdown = lazy(() => import('./markdown.tsx'));

export const Markdown = (props: MarkdownProps) => (
  <Suspense fallback={<RawText>{props.children}</RawText>}>
    <LoadedMarkdown {...props} />
  </Suspense>
);
