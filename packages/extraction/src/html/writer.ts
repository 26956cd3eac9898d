import { attribute, descendant, isHidden, localName, type MarkupNode, walk } from './markup.ts';
import type { SegmentKind } from '../types.ts';

/** The rendered part of a file, as UTF-16 offsets in the extracted text. */
export interface HtmlWindow {
  from: number;
  to: number;
}

const MAX_LENGTH = 3_000_000;
const MAX_ELEMENTS = 60_000;
const MAX_DEPTH = 60;
const MAX_PICTURES = 60;

const names = (list: string): ReadonlyMap<string, string> =>
  new Map(list.split(' ').map((name) => [name, name] as const));

/** The output element for each source element. For others only the text is written. */
const TAGS: ReadonlyMap<string, string> = new Map([
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
const NUMBERS: Partial<Record<string, readonly string[]>> = {
  ol: ['start'],
  td: ['colspan', 'rowspan'],
  th: ['colspan', 'rowspan'],
};
const MAX_SPAN = 200;

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
export const quoted = (text: string): string => escaped(text).replaceAll('"', '&quot;');
const withBreaks = (text: string): string => escaped(text).replaceAll('\n', '<br>');
const INVISIBLE = /[\u00ad\u200b\u2060\ufeff]/g;

function openTagOf(tag: string, node: MarkupNode): string {
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

const ITEM = /^(?:- |(\d{1,9})\. )([^]*)$/;
const FIELD = /^([^\s:][^:\n]{0,40}:) ([^]*)$/;

interface OpenElement {
  node: MarkupNode | null;
  /** '' for an element that is not written. */
  tag: string;
  openTag: string;
}

/** Writes a file's structure as well-formed HTML, bounded in size, elements and depth. */
export class HtmlWriter {
  readonly #window: HtmlWindow;
  readonly #parts: string[] = [];
  readonly #pictures: (() => Uint8Array)[] = [];
  readonly #open: OpenElement[] = [];
  readonly #layouts: boolean[] = [];
  #length = 0;
  #elements = 0;
  #silent = 0;
  #codes = 0;
  #isOn: boolean;
  #complete: boolean;
  #done = false;

  constructor(window: HtmlWindow = { from: 0, to: Infinity }) {
    this.#window = window;
    this.#isOn = window.from <= 0;
    this.#complete = this.#isOn;
  }

  get done(): boolean {
    return this.#done;
  }

  block(kind: SegmentKind, text: string): void {
    if (this.#silent > 0) return;
    const [, number, item] = (kind === 'list' && ITEM.exec(text)) || [];
    const [, name, value] = (kind === 'list' && item === undefined && FIELD.exec(text)) || [];
    if (item !== undefined) {
      const isNumbered = number !== undefined;
      if (isNumbered) this.#group('');
      this.#group(isNumbered ? 'ol' : 'ul', isNumbered ? `<ol start="${number}">` : '<ul>');
      this.#element('li', withBreaks(item));
    } else if (name !== undefined) {
      this.#group('dl');
      this.#element('dt', escaped(name));
      this.#element('dd', withBreaks(value ?? ''));
    } else {
      this.#group('');
      if (kind === 'code') this.#element('pre', escaped(text));
      else this.#element('p', withBreaks(text));
    }
  }

  heading(level: number, text: string): void {
    if (this.#silent > 0) return;
    this.#group('');
    this.#element(`h${Math.min(Math.max(level, 1), 6)}`, escaped(text));
  }

  row(cells: readonly string[], isHeader: boolean): void {
    if (this.#silent > 0) return;
    this.#group('table');
    const cell = isHeader ? 'th' : 'td';
    this.#elements += cells.length;
    this.#element('tr', cells.map((text) => `<${cell}>${withBreaks(text)}</${cell}>`).join(''));
  }

  enter(node: MarkupNode, { asLayout = false, asHeader = false } = {}): void {
    this.#group('');
    const name = localName(node);
    if (name === 'table') this.#layouts.push(asLayout);
    const isLayout = TABLE_PARTS.has(name) && this.#layouts.at(-1) === true;
    const outputTag = asHeader && name === 'td' ? 'th' : TAGS.get(name);
    const tag = isLayout ? 'div' : (outputTag ?? '');
    if (VOID.has(tag)) this.#put(`<${tag}>`);
    else this.#push(tag, tag === '' ? '' : openTagOf(tag, node), node);
  }

  leave(node: MarkupNode): void {
    this.#group('');
    if (this.#open.at(-1)?.node !== node) return;
    this.#pop();
    if (localName(node) === 'table') this.#layouts.pop();
  }

  text(data: string): void {
    const text = data.replace(INVISIBLE, '');
    this.#put(escaped(this.#codes > 0 ? text : text.replace(/[\t\n\f\r ]+/g, ' ')));
  }

  /** Writes everything below `root`. With `hasHeader` the first table row is the header. */
  tree(
    root: MarkupNode,
    {
      skip = () => false,
      hasHeader = false,
    }: { skip?: ((node: MarkupNode) => boolean) | undefined; hasHeader?: boolean } = {},
  ): void {
    const header = hasHeader ? descendant(root, 'tr') : null;
    walk(root, {
      enter: (node) => {
        const name = localName(node);
        if (name === 'img') this.#put(escaped(attribute(node, 'alt') ?? ''));
        if (this.#done || isHidden(node, name) || skip(node)) return false;
        this.enter(node, { asHeader: header !== null && node.parentNode === header });
        return true;
      },
      leave: (node) => this.leave(node),
      text: (data) => this.text(data),
    });
  }

  /** A picture that is loaded only if it is shown. */
  picture(load: () => Uint8Array, alt = ''): void {
    if (!this.#isOn || this.#done || this.#pictures.length >= MAX_PICTURES) return;
    this.#group('');
    this.#put(`<img src="picture:${this.#pictures.length}" alt="${quoted(alt)}">`);
    this.#pictures.push(load);
  }

  /** Runs `write` without writing its blocks, headings and rows as HTML. */
  silently(write: () => void): void {
    this.#silent += 1;
    write();
    this.#silent -= 1;
  }

  /** Takes the length of the extracted text so far. */
  moveTo(position: number): void {
    if (this.#done) return;
    if (!this.#isOn && position >= this.#window.from) {
      this.#isOn = true;
      this.#put(this.#open.map(({ openTag }) => openTag).join(''));
    }
    if (position >= this.#window.to) this.#end();
  }

  /** The HTML with pictures named 'picture:0' and so on, and functions that load them. */
  finish(): { html: string; pictures: (() => Uint8Array)[]; complete: boolean } {
    this.#group('');
    const html = this.#parts.join('').toWellFormed();
    return { html, pictures: this.#pictures, complete: this.#complete };
  }

  #put(html: string): void {
    if (!this.#isOn || this.#done) return;
    this.#parts.push(html);
    this.#length += html.length;
    if (this.#length > MAX_LENGTH || this.#elements > MAX_ELEMENTS) this.#end();
  }

  #end(): void {
    if (this.#isOn) {
      const tags = this.#open.toReversed().map(({ tag }) => (tag === '' ? '' : `</${tag}>`));
      this.#parts.push(tags.join(''));
    }
    this.#complete = false;
    this.#done = true;
  }

  #push(tag: string, tagText: string, node: MarkupNode | null): void {
    const outputTag = this.#open.length < MAX_DEPTH ? tag : '';
    const openTag = outputTag === '' ? '' : tagText;
    if (outputTag !== '' && this.#isOn) this.#elements += 1;
    this.#put(openTag);
    if (outputTag === 'pre') this.#codes += 1;
    this.#open.push({ node, tag: outputTag, openTag });
  }

  #pop(): void {
    const last = this.#open.at(-1);
    if (last === undefined) return;
    if (last.tag !== '') this.#put(`</${last.tag}>`);
    if (last.tag === 'pre') this.#codes -= 1;
    this.#open.pop();
  }

  /** Ends the open list or table unless `tag` continues it. */
  #group(tag: string, tagText = `<${tag}>`): void {
    const last = this.#open.at(-1);
    if (last?.node === null && last.tag === tag) return;
    if (last?.node === null) this.#pop();
    if (tag !== '') this.#push(tag, tagText, null);
  }

  #element(tag: string, content: string): void {
    this.#elements += this.#isOn ? 1 : 0;
    this.#put(`<${tag}>${content}</${tag}>`);
  }
}
