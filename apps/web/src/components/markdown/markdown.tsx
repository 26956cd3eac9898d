import { Text } from '@mantine/core';
import { createContext, memo, use, type ReactNode } from 'react';
import ReactMarkdown, { type Components, type Options } from 'react-markdown';
import remarkGfm from 'remark-gfm';
import { Prose, RawText } from '../prose.tsx';
import { Tag } from '../tag.tsx';
import classes from './markdown.module.css';
import { remarkCitations, remarkFigures } from './remark-plugins.ts';
import { ANSWER_LIMIT, MARKDOWN_DEPTH_LIMIT, markdownDepth } from '@engram/contract/browser';

export interface MarkdownProps {
  children: string;
  /** Renders `[n]`. Without it, or if it returns null, `[n]` itself is shown. */
  renderCitation?: (n: number) => ReactNode;
}

const CitationRenderer = createContext<MarkdownProps['renderCitation']>(undefined);

function Citation({ n }: { n: number }) {
  const render = use(CitationRenderer);
  return render?.(n) ?? ` [${n}]`;
}

const isWebAddress = (url: string | undefined): url is string => /^https?:\/\//iu.test(url ?? '');

const host = (url: string): string | null => URL.parse(url)?.host ?? null;

/** A link with its host, because its text may claim anything. */
function SafeLink({ href, children }: { href?: string | undefined; children?: ReactNode }) {
  if (!isWebAddress(href)) return children;
  const target = host(href);
  const named = typeof children === 'string' && target !== null && children.includes(target);
  return (
    <>
      <a href={href} target="_blank" rel="noopener noreferrer nofollow">
        {children}
      </a>
      {!named && target && (
        <Text span inherit fz="0.85em" c="dimmed">
          {' '}
          ({target})
        </Text>
      )}
    </>
  );
}

const components: Components = {
  a: ({ href, children }) => <SafeLink href={href}>{children}</SafeLink>,
  // Loading an image would reveal the reader to its host.
  img: ({ alt, src }) => (
    <SafeLink href={typeof src === 'string' ? src : undefined}>{alt || 'Image'}</SafeLink>
  ),
  small: () => (
    <small>
      <Tag tone="warning">
        not verified
        <span className="eg-visually-hidden">: this could not be found in your files</span>
      </Tag>
    </small>
  ),
  pre: ({ children }) => (
    // Focusable, so that the keyboard can scroll it.
    <section className={classes.wide} aria-label="Code" tabIndex={0}>
      <pre>{children}</pre>
    </section>
  ),
  cite: ({ node }) => <Citation n={Number(node?.properties['data-n'])} />,
  table: ({ children }) => (
    // Focusable, so that the keyboard can scroll it.
    <section className={classes.wide} aria-label="Table" tabIndex={0}>
      <table>{children}</table>
    </section>
  ),
};

// Citations first, as their numbers are not figures.
const remarkPlugins: Options['remarkPlugins'] = [remarkGfm, remarkCitations, remarkFigures];
const allowWebAddress = (url: string): string | null => (isWebAddress(url) ? url : null);

/** Memoized, so that highlighting a citation does not parse the text again. */
const Body = memo(({ text }: { text: string }) =>
  isFastToParse(text) ? (
    <ReactMarkdown
      remarkPlugins={remarkPlugins}
      components={components}
      urlTransform={allowWebAddress}
    >
      {text}
    </ReactMarkdown>
  ) : (
    <RawText>{text}</RawText>
  ),
);

/** Untrusted Markdown: no raw HTML, no remote images, links only to the web. */
export default function Markdown({ children, renderCitation }: MarkdownProps) {
  return (
    <CitationRenderer value={renderCitation}>
      <Prose size="lg">
        <Body text={children} />
      </Prose>
    </CitationRenderer>
  );
}

/** For each of these characters the parser searches all text before it. */
const SLOW_CHARACTERS = /[\]~=]/gu;
const MAX_SLOW_CHARACTERS = 1000;

/** Whether the parser is fast for a text. Only malicious text fails this. */
const isFastToParse = (text: string): boolean =>
  text.length <= ANSWER_LIMIT &&
  (text.match(SLOW_CHARACTERS)?.length ?? 0) <= MAX_SLOW_CHARACTERS &&
  markdownDepth(text) <= MARKDOWN_DEPTH_LIMIT;
