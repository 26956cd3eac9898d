import {
  attribute,
  children,
  descendant,
  descendants,
  localName,
  type MarkupNode,
  walk,
} from '../html/markup.ts';
import { quoted } from '../html/writer.ts';
import { signedComment } from './notes-and-comments.ts';

interface OdfMarkup {
  html: string;
  /** The text of footnotes and endnotes, in the order of their marks. */
  notes: string[];
  comments: string[];
}

/** Internal data and deleted text. */
const SKIPPED =
  /^(?:tracked-changes|forms|script|scripts|event-listeners|math|document|.+-decls?|.+-source|notes|object|object-ole|image|plugin|applet|covered-table-cell)$/;
const MAX_SPACES = 200;

/** Converts the content of `root` to HTML. `filter` filters elements. */
export function odfMarkup(
  root: MarkupNode,
  styles: OdfStyles,
  filter: (node: MarkupNode) => boolean = () => true,
): OdfMarkup {
  const result: OdfMarkup = { html: '', notes: [], comments: [] };
  let out: string[] = [];
  /** Shapes in a paragraph are written after it. */
  const shapes: { node: MarkupNode; out: string[]; open: string }[] = [];
  let boxes: string[] = [];
  /** The end tag of the current paragraph, or ''. */
  let open = '';
  const lists = createLists(styles);

  const begin = (node: MarkupNode): void => {
    const tag = paragraphTag(node, styles);
    // Each line of code is a paragraph in the file.
    if (tag === 'pre' && out.at(-1) === '</pre>') out[out.length - 1] = '\n';
    else out.push(`<${tag}>`);
    open = `</${tag}>`;
  };
  const enterInline = (node: MarkupNode, name: string): boolean => {
    if (name === 's') {
      const count = Number(attribute(node, 'text:c') ?? '1');
      out.push(' '.repeat(Math.min(Math.max(Math.trunc(count) || 1, 1), MAX_SPACES)));
    } else if (name === 'tab') out.push('\t');
    else if (name === 'line-break') out.push('<br>');
    else if (name === 'ruby-text') out.push(' (');
    else if (name === 'note') {
      const body = descendant(node, 'note-body');
      result.notes.push(body === null ? '' : plainText(body));
      out.push(`[${result.notes.length}]`);
      return false;
    } else out.push(...inlineTags(node, name, styles).map((tag) => `<${tag}>`));
    return true;
  };
  const enterBlock = (node: MarkupNode, name: string): boolean => {
    if (name === 'p' || name === 'h') begin(node);
    else if (name === 'list') out.push(lists.begin(node));
    else if (name === 'list-item') out.push(lists.item(node));
    else if (name === 'list-header') out.push('<div>');
    else if (name === 'table') out.push('<table>');
    else if (name === 'table-row') out.push('<tr>');
    else if (name === 'table-cell') out.push(cellTag(node));
    return true;
  };

  walk(root, {
    enter(node) {
      const name = localName(node);
      if (name === 'image' && open === '') {
        out.push(`<img src="${quoted(attribute(node, 'xlink:href') ?? '')}">`);
        return false;
      }
      if (SKIPPED.test(name) || !filter(node)) return false;
      if (name === 'annotation') {
        result.comments.push(commentText(node));
        return false;
      }
      if (isShape(node) && open !== '') {
        shapes.push({ node, out, open });
        out = [];
        open = '';
      }
      if ((name === 'title' || name === 'desc') && open === '') {
        out.push(`<p>${quoted(node.textContent ?? '')}</p>`);
        return false;
      }
      return open === '' ? enterBlock(node, name) : enterInline(node, name);
    },
    leave(node) {
      const name = localName(node);
      if (shapes.at(-1)?.node === node) {
        boxes.push(...out);
        ({ out, open } = shapes.pop() ?? { out, open });
      } else if ((name === 'p' || name === 'h') && open !== '') {
        out.push(open);
        open = '';
        if (shapes.length > 0) return;
        out.push(...boxes);
        boxes = [];
      } else if (open !== '') {
        if (name === 'ruby-text') out.push(')');
        if (name === 'number') out.push(' ');
        const tags = inlineTags(node, name, styles).toReversed();
        out.push(...tags.map((tag) => `</${tag.split(' ', 1)[0]}>`));
      } else if (name === 'list') out.push(lists.end(node));
      else if (name === 'list-item') out.push('</li>');
      else if (name === 'list-header') out.push('</div>');
      else if (name === 'table') out.push('</table>');
      else if (name === 'table-row') out.push('</tr>');
      else if (name === 'table-cell') out.push(isHead(node) ? '</th>' : '</td>');
    },
    text(data) {
      if (open !== '') out.push(quoted(data.replace(/[\t\n\r ]+/g, ' ')));
    },
  });
  return { ...result, html: out.join('') };
}

/** The paragraphs below `root`, one per line. */
export function plainText(root: MarkupNode): string {
  let text = '';
  let reading = 0;
  walk(root, {
    enter(node) {
      const name = localName(node);
      if (SKIPPED.test(name) || name === 'annotation') return false;
      if (name === 'p' || name === 'h') reading += 1;
      if (name === 's' || name === 'tab' || name === 'line-break') text += ' ';
      return true;
    },
    leave(node) {
      const name = localName(node);
      if (name !== 'p' && name !== 'h') return;
      reading -= 1;
      text += '\n';
    },
    text(data) {
      if (reading > 0) text += data.replace(/\s+/gu, ' ');
    },
  });
  return text.trim();
}

function commentText(node: MarkupNode): string {
  const author = (descendant(node, 'creator')?.textContent ?? '').trim();
  return signedComment(author, plainText(node));
}

function isShape(node: MarkupNode): boolean {
  return node.nodeName.startsWith('draw:');
}

function paragraphTag(node: MarkupNode, styles: OdfStyles): string {
  const kind = styles.paragraph(attribute(node, 'text:style-name'));
  const outline = Number(attribute(node, 'text:outline-level') ?? '1');
  const level = localName(node) === 'h' ? outline || 1 : kind;
  if (level === 'code') return 'pre';
  return level === null ? 'p' : `h${Math.min(Math.max(level, 1), 6)}`;
}

function inlineTags(node: MarkupNode, name: string, styles: OdfStyles): readonly string[] {
  if (name === 'span') return styles.emphasis(attribute(node, 'text:style-name'));
  if (name !== 'a') return [];
  return [`a href="${quoted(attribute(node, 'xlink:href') ?? '')}"`];
}

function isHead(cell: MarkupNode): boolean {
  const rows = cell.parentNode?.parentNode;
  return rows != null && localName(rows) === 'table-header-rows';
}

function cellTag(cell: MarkupNode): string {
  const count = (name: string): number => {
    const value = Number(attribute(cell, `table:number-${name}`) ?? '1');
    return Number.isInteger(value) && value > 0 ? value : 1;
  };
  const columns = Math.max(count('columns-spanned'), count('columns-repeated'));
  const tag = isHead(cell) ? 'th' : 'td';
  return `<${tag} colspan="${columns}" rowspan="${count('rows-spanned')}">`;
}

/** Tracks nested lists, whose styles are inherited and whose numbers may continue. */
function createLists(styles: OdfStyles) {
  interface List {
    style: string | null;
    /** The next item's number, or null for bullets. */
    next: number | null;
    first: boolean;
  }
  const openLists: List[] = [];
  const ended = new Map<string, number | null>();
  const tag = ({ next }: List): string => (next === null ? '<ul>' : `<ol start="${next}">`);
  const endTag = ({ next }: List): string => (next === null ? '</ul>' : '</ol>');
  return {
    begin(node: MarkupNode): string {
      const style = attribute(node, 'text:style-name') ?? openLists.at(-1)?.style ?? null;
      const start = styles.list(style, openLists.length + 1);
      const continuedStyle = attribute(node, 'text:continue-numbering') === 'true' ? style : null;
      const from = attribute(node, 'text:continue-list') ?? continuedStyle;
      const previousNumber = from === null ? null : (ended.get(from) ?? null);
      const list = { style, next: start === null ? null : (previousNumber ?? start), first: true };
      openLists.push(list);
      // The first item may set the number, so it writes the tag.
      return '';
    },
    item(node: MarkupNode): string {
      const list = openLists.at(-1);
      if (list === undefined) return '<li>';
      const start = Number.parseInt(attribute(node, 'text:start-value') ?? '', 10);
      const set = list.next !== null && Number.isFinite(start);
      const end = set && !list.first ? endTag(list) : '';
      if (set) list.next = start;
      const begin = list.first || set ? tag(list) : '';
      list.first = false;
      if (list.next !== null) list.next += 1;
      return `${end}${begin}<li>`;
    },
    end(node: MarkupNode): string {
      const list = openLists.pop();
      if (list === undefined || list.first) return '';
      const id = attribute(node, 'xml:id');
      if (id !== null) ended.set(id, list.next);
      if (list.style !== null && openLists.length === 0) ended.set(list.style, list.next);
      return endTag(list);
    },
  };
}

/** Maximum parents of a style, which may form a cycle. */
const MAX_PARENTS = 20;

export type OdfStyles = ReturnType<typeof readStyles>;

export function readStyles(roots: readonly MarkupNode[]) {
  const parents = new Map<string, string>();
  const levels = new Map<string, number>();
  const lists = new Map<string, Map<number, number>>();
  const emphases = new Map<string, string[]>();
  for (const root of roots) {
    for (const style of descendants(root, 'style')) {
      const name = attribute(style, 'style:name') ?? '';
      const level = Number(attribute(style, 'style:default-outline-level') ?? '');
      if (level > 0) levels.set(name, level);
      parents.set(name, attribute(style, 'style:parent-style-name') ?? '');
      const text = [...children(style)].find((node) => localName(node) === 'text-properties');
      const emphasis = text === undefined ? [] : emphasisOf(text);
      if (emphasis.length > 0) emphases.set(name, emphasis);
    }
    for (const list of descendants(root, 'list-style')) {
      lists.set(attribute(list, 'style:name') ?? '', numbersOf(list));
    }
  }
  const inherited = <T>(style: string | null, lookUp: (name: string) => T | null): T | null => {
    let name = style ?? '';
    for (let step = 0; name !== '' && step < MAX_PARENTS; step += 1) {
      const value = lookUp(name);
      if (value !== null) return value;
      name = parents.get(name) ?? '';
    }
    return null;
  };
  return {
    /** A heading level, 'code', or null. */
    paragraph: (style: string | null) =>
      inherited(style, (name) => levels.get(name) ?? kindByName(name)),
    /** HTML elements for the emphasis of a style. */
    emphasis: (style: string | null): readonly string[] =>
      inherited(style, (name) => emphases.get(name) ?? null) ?? [],
    /** The first number, or null for bullets. */
    list: (style: string | null, level: number) => lists.get(style ?? '')?.get(level) ?? null,
  };
}

function emphasisOf(properties: MarkupNode): string[] {
  const weight = attribute(properties, 'fo:font-weight') ?? '';
  const slant = attribute(properties, 'fo:font-style') ?? '';
  const isBold = weight === 'bold' || Number(weight) >= 600;
  const isItalic = slant === 'italic' || slant === 'oblique';
  return [...(isBold ? ['strong'] : []), ...(isItalic ? ['em'] : [])];
}

function kindByName(name: string): number | 'code' | null {
  const plain = name.replaceAll('_20_', ' ').toLowerCase();
  const heading = /^heading (\d)$/.exec(plain)?.[1];
  if (heading !== undefined) return Number(heading);
  if (plain === 'title') return 1;
  if (plain === 'subtitle') return 2;
  return plain === 'preformatted text' || plain === 'source text' ? 'code' : null;
}

function numbersOf(list: MarkupNode): Map<number, number> {
  const numbers = new Map<number, number>();
  for (const level of children(list)) {
    if (localName(level) !== 'list-level-style-number') continue;
    if ((attribute(level, 'style:num-format') ?? '') === '') continue;
    const start = Number(attribute(level, 'text:start-value') ?? '1');
    numbers.set(Number(attribute(level, 'text:level') ?? '1'), Number.isFinite(start) ? start : 1);
  }
  return numbers;
}
