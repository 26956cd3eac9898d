import type { TextRange } from './find-in-text.ts';

/** The allowed elements of a file's HTML, with their allowed attributes. */
const ELEMENTS: ReadonlyMap<string, readonly string[]> = new Map([
  ...'h1 h2 h3 h4 h5 h6 p div br hr blockquote pre ul li dl dt dd figure figcaption table caption thead tbody tr b strong i em u s del ins sub sup code kbd samp mark small q cite'
    .split(' ')
    .map((name): [string, readonly string[]] => [name, []]),
  ['ol', ['start']],
  ['td', ['colspan', 'rowspan']],
  ['th', ['colspan', 'rowspan']],
  ['a', ['href']],
  ['img', ['src', 'alt', 'width', 'height']],
]);
const ADDRESSES: Readonly<Record<string, RegExp>> = {
  href: /^(?:https?|mailto):/iu,
  src: /^data:image\/webp;base64,/u,
};
/** Elements that do not end a line of text. */
const INLINE = new Set(
  'a b strong i em u s del ins sub sup code kbd samp mark small q cite'.split(' '),
);
/** The level of the viewer's own heading, below which the document's headings are nested. */
const PANE_HEADING_LEVEL = 2;

/** A row of a table, as ranges of the view's text. */
export interface ViewRow {
  range: TextRange;
  cells: readonly TextRange[];
  isHeader: boolean;
}

export interface View {
  content: DocumentFragment;
  /** The text of all elements, with a line end between blocks and a tab between cells. */
  text: string;
  /** The nodes of the text with the offsets at which they begin, in order. */
  nodes: readonly { node: Text; start: number }[];
  rows: readonly ViewRow[];
}

function setAttributes(source: Element, target: Element): void {
  for (const name of ELEMENTS.get(source.localName) ?? []) {
    const value = source.getAttribute(name);
    if (value !== null && (ADDRESSES[name]?.test(value) ?? true)) target.setAttribute(name, value);
  }
  const address = target.getAttribute('href');
  if (address === null) return;
  target.setAttribute('title', address);
  target.setAttribute('target', '_blank');
  target.setAttribute('rel', 'noopener noreferrer');
}

function elementFor(source: Element): HTMLElement {
  const level = /^h([1-6])$/u.exec(source.localName)?.[1];
  if (level === undefined) return document.createElement(source.localName);
  const heading = document.createElement(`h${Math.min(Number(level) + PANE_HEADING_LEVEL, 6)}`);
  heading.dataset['level'] = level;
  return heading;
}

/** Builds elements from sanitized HTML. Elements that are not allowed are replaced by their text. */
export function buildView(html: string): View {
  const nodes: { node: Text; start: number }[] = [];
  const rows: ViewRow[] = [];
  let text = '';
  let cells: TextRange[] = [];

  const endLine = (separator = '\n'): void => {
    if (text !== '' && !/[\n\t]$/u.test(text)) text += separator;
  };
  const copy = (source: Node, target: Node): void => {
    for (const child of source.childNodes) {
      if (child instanceof Text) {
        const node = document.createTextNode(child.data);
        nodes.push({ node, start: text.length });
        text += child.data;
        target.appendChild(node);
      } else if (child instanceof Element) copyElement(child, target);
    }
  };
  const copyElement = (source: Element, target: Node): void => {
    const name = source.localName;
    if (!ELEMENTS.has(name)) return copy(source, target);
    const element = elementFor(source);
    setAttributes(source, element);
    // A link without an allowed address becomes its text.
    if (name === 'a' && !element.hasAttribute('href')) {
      copy(source, target);
      return;
    }
    const isCell = name === 'td' || name === 'th';
    const isBlock = !INLINE.has(name);
    if (isBlock) endLine();
    const start = text.length;
    if (name === 'tr') cells = [];
    copy(source, element);
    if (isCell) cells.push([start, text.length]);
    if (name === 'tr') {
      const isHeader = [...element.children].every(({ localName }) => localName === 'th');
      rows.push({ range: [start, text.length], cells, isHeader });
    }
    if (isBlock) endLine(isCell ? '\t' : '\n');
    if (name === 'table') target.appendChild(wrapTable(element));
    else target.appendChild(element);
  };

  const content = document.createDocumentFragment();
  copy(new DOMParser().parseFromString(html, 'text/html').body, content);
  return { content, text, nodes, rows };
}

/** Wraps a table so that it scrolls sideways, also by keyboard. */
function wrapTable(table: HTMLElement): HTMLElement {
  const wrapper = document.createElement('div');
  wrapper.dataset['table'] = '';
  wrapper.tabIndex = 0;
  wrapper.setAttribute('role', 'region');
  wrapper.setAttribute('aria-label', 'Table');
  wrapper.append(table);
  return wrapper;
}

/** Marks ranges of a view's text. Returns a function that removes the marks. */
export function markInView({ nodes }: View, ranges: readonly TextRange[]): () => void {
  const undo: (() => void)[] = [];
  for (const { node, start } of nodes) {
    const end = start + node.length;
    const within = ranges.filter(([from, to]) => from < end && to > start);
    if (within.length === 0 || node.data.trim() === '') continue;
    const pieces: Node[] = [];
    let offset = 0;
    for (const [from, to] of within) {
      const [first, last] = [Math.max(from - start, offset), Math.min(to - start, node.length)];
      const mark = document.createElement('mark');
      mark.dataset['testid'] = 'quote';
      mark.textContent = node.data.slice(first, last);
      pieces.push(document.createTextNode(node.data.slice(offset, first)), mark);
      offset = last;
    }
    pieces.push(document.createTextNode(node.data.slice(offset)));
    node.replaceWith(...pieces);
    undo.push(() => {
      (pieces[0] as Text).before(node);
      for (const piece of pieces) piece.parentNode?.removeChild(piece);
    });
  }
  return () => {
    for (const restore of undo) restore();
  };
}
