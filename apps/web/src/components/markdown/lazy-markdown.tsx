import { lazy, Suspense } from 'react';
import classes from './markdown.module.css';
import type { MarkdownProps } from './markdown.tsx';

const LoadedMarkdown = lazy(() => import('./markdown.tsx'));

/** The text as it is, its paragraphs as far apart as they will be. */
function RawText({ children }: Pick<MarkdownProps, 'children'>) {
  const paragraphs = children.trim().split(/\n{2,}/u);
  return (
    <div className={`${classes.prose} ${classes.raw}`}>
      {paragraphs.map((text, index) => (
        // Paragraphs only ever come at the end.
        // oxlint-disable-next-line react/no-array-index-key
        <p key={index}>{text}</p>
      ))}
    </div>
  );
}

/** Markdown whose parser is fetched when it is first needed. */
export function Markdown(props: MarkdownProps) {
  return (
    <Suspense fallback={<RawText>{props.children}</RawText>}>
      <LoadedMarkdown {...props} />
    </Suspense>
  );
}
