import { Fragment, type ReactNode } from 'react';
import { Link } from 'react-router';

/** The sections below headings such as `# General {#general}`, with the given mark before each. */
export const sectionsOf = (markdown: string, mark: '# ' | '## ') =>
  `\n${markdown}`
    .split(`\n${mark}`)
    .slice(1)
    .map((section) => {
      const [, title = '', id = '', body = ''] =
        /^([^{]+) \{#([^}]+)\}\n([^]*)$/u.exec(section) ?? [];
      return { title, id, body };
    });

/** Values of a text's placeholders. Null, false and empty values count as not set. */
export type TextValues = Readonly<Record<string, string | number | boolean | null>>;

interface AppTextProps {
  /** Markdown with headings, lists, bold, code and links. */
  children: string;
  /**
   * Replaces `{name}` by a value. A paragraph that begins with `{if name}` or `{unless name}` is shown
   * only if the value is set, or is not set.
   */
  values?: TextValues;
  /** Replaces a paragraph that is only `[[name]]`. */
  blocks?: Readonly<Record<string, ReactNode>>;
  level?: 2 | 3;
  /** The target of links, such as '_blank' in a dialog. */
  target?: string;
}

const CONDITION = /^\{(if|unless) (\w+)\} /u;

function fillPlaceholders(text: string, values: TextValues): string[] {
  return text
    .trim()
    .split('\n\n')
    .filter((block) => {
      const [, word, name] = CONDITION.exec(block) ?? [];
      return name === undefined || Boolean(values[name]) === (word === 'if');
    })
    .map((block) =>
      block
        .replace(CONDITION, '')
        .replaceAll(/\{(\w+)\}/gu, (_, name: string) => String(values[name])),
    );
}

const INLINE = /(\[[^[\]]*\]\([^()]*\)|`[^`]*`|\*\*[^*]*\*\*)/u;

function renderInline(text: string, target: string | undefined): ReactNode[] {
  return text.split(INLINE).map((part) => {
    const [, label, to = ''] = /^\[([^[\]]*)\]\(([^()]*)\)$/u.exec(part) ?? [];
    if (label === undefined) {
      if (part.startsWith('`')) return <code key={part}>{part.slice(1, -1)}</code>;
      if (part.startsWith('**')) return <strong key={part}>{part.slice(2, -2)}</strong>;
      return part;
    }
    return (
      <Link key={part} to={to} {...(target && { target })}>
        {label}
      </Link>
    );
  });
}

/** A text that ships with the app, such as the terms. Set it in `Prose`. */
export function AppText({ children, values, blocks, level = 2, target }: AppTextProps) {
  const Heading = `h${level}` as const;
  return fillPlaceholders(children, values ?? {}).map((block) => {
    const [, name] = /^\[\[(\w+)\]\]$/u.exec(block) ?? [];
    if (name !== undefined) return <Fragment key={name}>{blocks?.[name]}</Fragment>;
    if (block.startsWith('## ')) return <Heading key={block}>{block.slice(3)}</Heading>;
    const isNumbered = block.startsWith('1. ');
    if (!isNumbered && !block.startsWith('- ')) {
      return <p key={block}>{renderInline(block, target)}</p>;
    }
    const List = isNumbered ? 'ol' : 'ul';
    return (
      <List key={block}>
        {block.split('\n').map((item) => (
          <li key={item}>{renderInline(item.replace(/^\S+ /u, ''), target)}</li>
        ))}
      </List>
    );
  });
}
