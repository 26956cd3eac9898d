import { detectLanguage } from '@engram/retrieval';
import type { Nodes, RootContent, Table } from 'mdast';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { gfmFromMarkdown } from 'mdast-util-gfm';
import { gfm } from 'micromark-extension-gfm';
import { SPOKEN_CHARACTERS } from '../../platform/speech/speaker.ts';
import { readableText } from './readable-text.ts';

/** An answer as a voice reads it. */
export interface SpokenAnswer {
  /** Prose without any markup; sentences end with a mark, paragraphs with an empty line. */
  text: string;
  /** ISO 639-1. */
  language: string;
}

const CITATION = /^\d+$/u;
const ENDED = /[.!?…:;。！？؟।]["')\]]*$/u;
const LAST_SENTENCE =
  /^[^]*[.!?。！？؟।\n](?=\s|\p{Script=Han}|\p{Script=Hiragana}|\p{Script=Katakana}|$)/u;

/** The words within a paragraph, a heading or a cell, with the citation marks still in them. */
function inline(node: Nodes): string {
  switch (node.type) {
    case 'text':
    case 'inlineCode':
      return node.value;
    case 'image':
    case 'imageReference':
      return node.alt ?? '';
    case 'break':
      return ' ';
    case 'html':
      return node.value.replaceAll(/<[^<>]*>/gu, ' ');
    case 'link':
    case 'linkReference': {
      const label = node.children.map(inline).join('');
      return CITATION.test(label.trim()) ? '' : label;
    }
    default:
      return 'children' in node ? node.children.map(inline).join('') : '';
  }
}

/** The Markdown as lines of speech. */
function createWriter(language: string) {
  const sentence = (text: string): string[] => {
    const said = readableText(text, language);
    if (!/[\p{L}\p{N}]/u.test(said)) return [];
    return [ENDED.test(said) ? said : `${said.replace(/(?<![,;])[,;]+$/u, '')}.`];
  };

  const table = ({ children: [head, ...rows] }: Table): string[] => {
    const titles = (head?.children ?? []).map((cell) => readableText(inline(cell), language));
    if (rows.length === 0) return sentence(titles.filter(Boolean).join(', '));
    return rows.flatMap((row) => {
      const cells = row.children.flatMap((cell, column) => {
        const value = readableText(inline(cell), language);
        const title = titles[column];
        if (value === '') return [];
        return [title ? `${title}: ${value}` : value];
      });
      return sentence(cells.join(', '));
    });
  };

  const block = (node: RootContent): string[] => {
    switch (node.type) {
      case 'paragraph':
      case 'heading':
      case 'html':
        return sentence(inline(node));
      case 'code':
        return node.value.split('\n').flatMap(sentence);
      case 'table':
        return table(node);
      case 'list':
        return node.children.flatMap((item, at) => {
          const lines = item.children.flatMap(block);
          const [first] = lines;
          if (!node.ordered || first === undefined) return lines;
          return [`${(node.start ?? 1) + at}: ${first}`, ...lines.slice(1)];
        });
      case 'blockquote':
        return node.children.flatMap(block);
      default:
        return [];
    }
  };

  return { block };
}

/** At most {@link SPOKEN_CHARACTERS}, to the end of a sentence or else of a word. */
function capped(text: string): string {
  if (text.length <= SPOKEN_CHARACTERS) return text;
  const head = text.slice(0, SPOKEN_CHARACTERS);
  const whole = LAST_SENTENCE.exec(head)?.[0] ?? head.replace(/\s\S*$/u, '');
  return whole.trim().toWellFormed();
}

/** What a voice says of an answer in Markdown: citations left out, lists and tables as sentences. */
export function spokenAnswer(markdown: string): SpokenAnswer {
  const tree = fromMarkdown(markdown, {
    extensions: [gfm()],
    mdastExtensions: [gfmFromMarkdown()],
  });
  const language = detectLanguage(tree.children.map(inline).join('\n'));
  const { block } = createWriter(language);
  const paragraphs = tree.children.map((node) => block(node).join('\n')).filter(Boolean);
  return { text: capped(paragraphs.join('\n\n')), language };
}
