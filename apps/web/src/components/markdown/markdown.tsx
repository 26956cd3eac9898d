import { Text } from '@mantine/core';
import { createContext, memo, use, type ReactNode } from 'react';
import ReactMarkdown, { type Components, type Options } from 'react-markdown';
import remarkGfm from 'remark-gfm';
import { isReadable } from './is-readable.ts';
import { Prose } from '../prose.tsx';
import { Tag } from '../tag.tsx';
import classes from './markdown.module.css';
import { RawText } from './raw-text.tsx';
import { remarkCitations } from './remark-citations.ts';
import { remarkFigures } from './remark-figures.ts';

export interface MarkdownProps {
  children: string;
  /** What stands for `[n]`; without it, or when it answers null, `[n]` itself stands there. */
  renderCitation?: (n: number) => ReactNode;
}

const CitationRenderer = createContext<MarkdownProps['renderCitation']>(undefined);

function Citation({ n }: { n: number }) {
  const render = use(CitationRenderer);
  return render?.(n) ?? ` [${n}]`;
}

const isWebAddress = (url: string | undefined): url is string => /^https?:\/\//iu.test(url ?? '');

const host = (url: string): string | null => URL.parse(url)?.host ?? null;

/** A link says where it leads, since its text may claim anything. */
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
  // An image would be fetched from wherever the text says, and tell that place who reads it.
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
    // Focusable, so that long lines can be scrolled by keyboard.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <section className={classes.wide} aria-label="Code" tabIndex={0}>
      <pre>{children}</pre>
    </section>
  ),
  cite: ({ node }) => <Citation n={Number(node?.properties['data-n'])} />,
  table: ({ children }) => (
    // Focusable, so that a wide table can be scrolled by keyboard.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <section className={classes.wide} aria-label="Table" tabIndex={0}>
      <table>{children}</table>
    </section>
  ),
};

// The citations first: their numbers are no figures.
const remarkPlugins: Options['remarkPlugins'] = [remarkGfm, remarkCitations, remarkFigures];
const keepWebAddresses = (url: string): string | null => (isWebAddress(url) ? url : null);

/** The parsed text, apart from what stands for citations, so that lighting one up parses nothing. */
const Body = memo(({ text }: { text: string }) =>
  isReadable(text) ? (
    <ReactMarkdown
      remarkPlugins={remarkPlugins}
      components={components}
      urlTransform={keepWebAddresses}
    >
      {text}
    </ReactMarkdown>
  ) : (
    <RawText>{text}</RawText>
  ),
);

/** Markdown that nobody vouches for: no raw HTML, no remote images, links only to the web. */
export default function Markdown({ children, renderCitation }: MarkdownProps) {
  return (
    <CitationRenderer value={renderCitation}>
      <Prose size="lg">
        <Body text={children} />
      </Prose>
    </CitationRenderer>
  );
}
