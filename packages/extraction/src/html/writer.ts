import { attribute, descendant, isHidden, localName, type MarkupNode, walk } from './markup.ts';
import type { SegmentKind } from '../types.ts';

/** The part of a file's text that is rendered, in UTF-16 units of the extracted text. */
export interface HtmlWindow {
  from: number;
  to: number;
}

/** HTML of a file, in which pictures are named 'picture:0', 'picture:1' and so on. */
export interface WrittenHtml {
  html: string;
  /** Each loads a picture, or fails where the file is damaged. */
  pictures: (() => Uint8Array)[];
  /** False where the file goes on before or behind what was written. */
  complete: boolean;
}

/**
 * Writes a file's structure as HTML beside its text. It writes only the elements and attributes
 * named below, well formed, and stops at a bound of size, count and depth.
 */
export interface HtmlWriter {
  block(kind: SegmentKind, text: string): void;
  heading(level: number, text: string): void;
  row(cells: readonly string[], isHeader: boolean): void;
  /** An element of a document, whose end is reported by {@link leave}. */
  enter(node: MarkupNode, options?: { asLayout?: boolean; asHeader?: boolean }): void;
  leave(node: MarkupNode): void;
  text(data: string): void;
  /** All that stands below `root`; of a table its first row as its header, where it is one. */
  tree(
    root: MarkupNode,
    options?: { skip?: ((node: MarkupNode) => boolean) | undefined; hasHeader?: boolean },
  ): void;
  /** A picture, loaded only where it is shown. */
  picture(load: () => Uint8Array, alt?: string): void;
  /** Runs `write`, whose blocks, headings and rows are text only. */
  silently(write: () => void): void;
  /** Reports how long the extracted text is by now. */
  moveTo(position: number): void;
  /** Whether nothing more is written, so that reading may stop. */
  readonly done: boolean;
  finish(): WrittenHtml;
}

const MAX_LENGTH = 3_000_000;
const MAX_ELEMENTS = 60_000;
const MAX_DEPTH = 60;
const MAX_PICTURES = 60;

const names = (list: string): ReadonlyMap<string, string> =>
  new Map(list.split(' ').map((name) => [name, name] as const));

/** The element that stands for each that may be shown; all others are left out, their text is not. */
const SHOWN: ReadonlyMap<string, string> = new Map([
  ...names('p h1 h2 h3 h4 h5 h6 blockquote pre ul ol li dl dt dd figure figcaption hr br'),
  ...names('table caption thead tbody tfoot tr th td'),
  ...names('a b strong i em u s del ins sub sup code kbd samp mark small q cite'),
  ...'div section article main header footer address center details summary fieldset form'
    .split(' ')
    .map((name) => [name, 'div'] as const),
]);
const VOID: ReadonlySet<string> = new Set(['br', 'hr']);
const TABLE_PARTS: ReadonlySet<string> = new Set(
  'table caption thead tbody tfoot tr th td'.split(' '),
);
/** What numbers may be given to elements. */
const NUMBERS: Partial<Record<string, readonly string[]>> = {
  ol: ['start'],
  td: ['colspan', 'rowspan'],
  th: ['colspan', 'rowspan'],
};
const MAX_SPAN = 200;

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
const quoted = (text: string): string => escaped(text).replaceAll('"', '&quot;');
const INVISIBLE = /[\u00ad\u200b\u2060\ufeff]/g;

function openTag(tag: string, node: MarkupNode): string {
  let attributes = '';
  for (const name of NUMBERS[tag] ?? []) {
    const value = Number(attribute(node, name) ?? '');
    if (!Number.isInteger(value) || value < 1) continue;
    attributes += ` ${name}="${name === 'start' ? value : Math.min(value, MAX_SPAN)}"`;
  }
  const href = tag === 'a' ? attribute(node, 'href')?.trim() : undefined;
  if (href !== undefined) attributes += ` href="${quoted(href)}"`;
  return `<${tag}${attributes}>`;
}

/** The sign or number before an item of a list, and what stands behind it. */
const ITEM = /^(?:- |(\d{1,9})\. )([^]*)$/;
/** The name of a field, its colon included, and its value. */
const FIELD = /^([^\s:][^:\n]{0,40}:) ([^]*)$/;

interface Open {
  node: MarkupNode | null;
  /** '' for an element that is not written. */
  tag: string;
  openTag: string;
}

/** @param window the part of the text that is written; all of it unless set */
export function createHtmlWriter({ from, to }: HtmlWindow = { from: 0, to: Infinity }): HtmlWriter {
  const parts: string[] = [];
  const pictures: (() => Uint8Array)[] = [];
  const open: Open[] = [];
  /** For each table around the place whether it lays out a page. */
  const layouts: boolean[] = [];
  let length = 0;
  let elements = 0;
  let silent = 0;
  let codes = 0;
  let isOn = from <= 0;
  let done = false;
  let complete = isOn;

  const put = (html: string): void => {
    if (!isOn || done) return;
    parts.push(html);
    length += html.length;
    if (length > MAX_LENGTH || elements > MAX_ELEMENTS) end();
  };
  const closeTags = (): string =>
    open
      .toReversed()
      .map(({ tag }) => (tag === '' ? '' : `</${tag}>`))
      .join('');
  const end = (): void => {
    if (isOn) parts.push(closeTags());
    complete = false;
    done = true;
  };
  const push = (tag: string, tagText: string, node: MarkupNode | null): void => {
    const shown = open.length < MAX_DEPTH ? tag : '';
    const text = shown === '' ? '' : tagText;
    if (shown !== '' && isOn) elements += 1;
    put(text);
    if (shown === 'pre') codes += 1;
    open.push({ node, tag: shown, openTag: text });
  };
  const pop = (): void => {
    const last = open.at(-1);
    if (last === undefined) return;
    if (last.tag !== '') put(`</${last.tag}>`);
    if (last.tag === 'pre') codes -= 1;
    open.pop();
  };
  /** Ends the list or table that blocks were put into, unless `tag` goes on with it. */
  const group = (tag: string, tagText = `<${tag}>`): void => {
    const last = open.at(-1);
    if (last?.node === null && last.tag === tag) return;
    if (last?.node === null) pop();
    if (tag !== '') push(tag, tagText, null);
  };
  const lines = (text: string): string => escaped(text).replaceAll('\n', '<br>');
  const element = (tag: string, content: string): void => {
    elements += isOn ? 1 : 0;
    put(`<${tag}>${content}</${tag}>`);
  };

  const writer: HtmlWriter = {
    block(kind, text) {
      if (silent > 0) return;
      const [, number, item] = (kind === 'list' && ITEM.exec(text)) || [];
      const [, name, value] = (kind === 'list' && item === undefined && FIELD.exec(text)) || [];
      if (item !== undefined) {
        const isNext = number !== undefined;
        // A number of its own begins a list of its own.
        if (isNext) group('');
        group(isNext ? 'ol' : 'ul', isNext ? `<ol start="${number}">` : '<ul>');
        element('li', lines(item));
      } else if (name !== undefined) {
        group('dl');
        element('dt', escaped(name));
        element('dd', lines(value ?? ''));
      } else {
        group('');
        element(kind === 'code' ? 'pre' : 'p', kind === 'code' ? escaped(text) : lines(text));
      }
    },
    heading(level, text) {
      if (silent > 0) return;
      group('');
      element(`h${Math.min(Math.max(level, 1), 6)}`, escaped(text));
    },
    row(cells, isHeader) {
      if (silent > 0) return;
      group('table');
      const cell = isHeader ? 'th' : 'td';
      elements += cells.length;
      element('tr', cells.map((text) => `<${cell}>${lines(text)}</${cell}>`).join(''));
    },
    enter(node, { asLayout = false, asHeader = false } = {}) {
      group('');
      const name = localName(node);
      if (name === 'table') layouts.push(asLayout);
      const isLayout = TABLE_PARTS.has(name) && layouts.at(-1) === true;
      const own = asHeader && name === 'td' ? 'th' : SHOWN.get(name);
      const tag = isLayout ? 'div' : (own ?? '');
      if (VOID.has(tag)) put(`<${tag}>`);
      else push(tag, tag === '' ? '' : openTag(tag, node), node);
    },
    leave(node) {
      group('');
      if (open.at(-1)?.node !== node) return;
      pop();
      if (localName(node) === 'table') layouts.pop();
    },
    text(data) {
      const text = data.replace(INVISIBLE, '');
      put(escaped(codes > 0 ? text : text.replace(/[\t\n\f\r ]+/g, ' ')));
    },
    tree(root, { skip = () => false, hasHeader = false } = {}) {
      const header = hasHeader ? descendant(root, 'tr') : null;
      walk(root, {
        enter(node) {
          const name = localName(node);
          if (name === 'img') put(escaped(attribute(node, 'alt') ?? ''));
          if (done || isHidden(node, name) || skip(node)) return false;
          writer.enter(node, { asHeader: header !== null && node.parentNode === header });
          return true;
        },
        leave: writer.leave,
        text: writer.text,
      });
    },
    picture(load, alt = '') {
      if (!isOn || done || pictures.length >= MAX_PICTURES) return;
      group('');
      put(`<img src="picture:${pictures.length}" alt="${quoted(alt)}">`);
      pictures.push(load);
    },
    silently(write) {
      silent += 1;
      write();
      silent -= 1;
    },
    moveTo(position) {
      if (done) return;
      if (!isOn && position >= from) {
        isOn = true;
        put(open.map((one) => one.openTag).join(''));
      }
      if (position >= to) end();
    },
    get done() {
      return done;
    },
    finish() {
      group('');
      return { html: parts.join('').toWellFormed(), pictures, complete };
    },
  };
  return writer;
}
