import { lazy, Suspense } from 'react';
import classes from './markdown.module.css';
import type { MarkdownProps } from './markdown.tsx';

const LoadedMarkdown = lazy(() => import('./markdown.tsx'));

/** Markdown whose parser is fetched when it is first needed; until then the text stands as it is. */
export function Markdown(props: MarkdownProps) {
  return (
    <Suspense fallback={<div className={`${classes.prose} ${classes.raw}`}>{props.children}</div>}>
      <LoadedMarkdown {...props} />
    </Suspense>
  );
}
