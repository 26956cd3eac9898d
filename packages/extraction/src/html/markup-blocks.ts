import { MAX_COLUMNS, MAX_TABLE_CELLS } from '../limits.ts';
import {
  attribute,
  children,
  descendants,
  isElement,
  isHidden,
  localName,
  type MarkupNode,
  walk,
} from './markup.ts';
import { boundCells, boundedRowText, looksLikeHeader, rowText } from '../text/tables.ts';
import { collapseSpace, type TextBuilder } from '../text-builder.ts';
import type { Location, SegmentKind } from '../types.ts';

const BLOCKS = new Set(
  'address article aside blockquote body caption center dd details div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hr html legend li main nav ol p pre section summary table tbody td tfoot th thead tr ul'.split(
    ' ',
  ),
);
/** Elements in a cell that show that the table is used for layout. */
const LAYOUT = new Set('h1 h2 h3 h4 table section article main form'.split(' '));
const MAX_SPAN = 200;
const MAX_CELL_LENGTH = 4000;
/** A link to the heading itself. */
const PERMALINK = /(?<! ) ?[¶\uf0c1]$/u;
/** Longer terms do not share a definition. */
const MAX_TERMS = 80;

interface MarkupOptions {
  /** The markup is a document: read alternative texts and check boxes. */
  document: boolean;
  /** Called with the sources of pictures, after the block that contains them. */
  picture?: (source: string) => void;
  /** Skips further elements, such as navigation. */
  skip?: (node: MarkupNode) => boolean;
  location?: Location;
  headingOffset?: number;
}

/** Writes the readable content below `root`: headings, paragraphs, lists, code, tables by row. */
export function writeMarkup(root: MarkupNode, builder: TextBuilder, options: MarkupOptions): void {
  if (builder.html === null) writeBlocks(root, builder, options);
  else builder.html.silently(() => writeBlocks(root, builder, options));
}

function writeBlocks(root: MarkupNode, builder: TextBuilder, options: MarkupOptions): void {
  const { location, headingOffset = 0 } = options;
  const { html } = builder;
  let text = '';
  let items = 0;
  let codes = 0;
  const lists: (number | null)[] = [];
  let marker = '';
  let terms = '';
  let pictures: string[] = [];

  const flush = (kind: SegmentKind): void => {
    flushText(kind);
    flushPictures();
  };
  const flushPictures = (): void => {
    const sources = pictures;
    pictures = [];
    for (const source of sources) options.picture?.(source);
  };
  const flushText = (kind: SegmentKind): void => {
    const block = codes > 0 ? text : collapseSpace(text);
    text = '';
    if (block.trim() === '') return;
    if (terms !== '' && kind === 'prose') {
      builder.block('definition', `${terms}\n${block}`, location);
      terms = '';
      return;
    }
    flushTerms();
    builder.block(kind, kind === 'list' ? `${marker}${block}` : block, location);
    marker = '';
  };
  const flushTerms = (): void => {
    if (terms !== '') builder.block('definition', terms, location);
    terms = '';
  };
  const currentKind = (): SegmentKind => (codes > 0 ? 'code' : items > 0 ? 'list' : 'prose');

  walk(root, {
    enter(node) {
      const name = localName(node);
      if (options.document && name === 'input') text += checkMark(node);
      if (builder.full || isHidden(node, name) || options.skip?.(node) === true) return false;
      if (name === 'br') text += '\n';
      if (name === 'img' && options.document) text += ` ${attribute(node, 'alt') ?? ''} `;
      if (name === 'img') pictures.push(attribute(node, 'src') ?? '');
      if (!BLOCKS.has(name)) {
        html?.enter(node);
        return true;
      }
      flush(currentKind());
      const grid = name === 'table' ? dataGrid(node) : null;
      html?.enter(node, { asLayout: grid === null });
      if (name === 'table') {
        if (grid !== null) {
          flushTerms();
          html?.tree(node, { skip: options.skip, hasHeader: hasHeader(grid) });
          writeGrid(grid, builder, location);
          for (const image of descendants(node, 'img')) {
            pictures.push(attribute(image, 'src') ?? '');
          }
          flushPictures();
          return false;
        }
      }
      if (name === 'ol' || name === 'ul') lists.push(name === 'ol' ? firstNumber(node) : null);
      if (name === 'li') {
        items += 1;
        marker = nextMarker(lists);
      }
      if (name === 'pre') codes += 1;
      return true;
    },
    leave(node) {
      writeEnd(node);
      html?.leave(node);
    },
    text(data) {
      html?.text(data);
      text += codes > 0 ? data : data.replace(/[\t\n\f\r ]+/g, ' ');
    },
  });
  flush(currentKind());
  flushTerms();

  function writeEnd(node: MarkupNode): void {
    const name = localName(node);
    if (!BLOCKS.has(name) || isHidden(node, name) || options.skip?.(node) === true) return;
    const level = /^h[1-6]$/.test(name) ? Number(name[1]) : 0;
    if (level > 0 && text.length <= 500) {
      const heading = collapseSpace(text).replace(/\s+/gu, ' ').replace(PERMALINK, '');
      text = '';
      flushTerms();
      builder.heading(level + headingOffset, heading, location);
      flushPictures();
      return;
    }
    if (name === 'dt' && codes === 0) {
      const term = collapseSpace(text).replace(/\s+/gu, ' ');
      text = '';
      if (terms.length + term.length > MAX_TERMS) flushTerms();
      terms = terms === '' || term === '' ? terms + term : `${terms}, ${term}`;
      return;
    }
    flush(currentKind());
    if (name === 'dd' || name === 'dl') flushTerms();
    if (name === 'ol' || name === 'ul') lists.pop();
    if (name === 'li') items -= 1;
    if (name === 'pre') codes -= 1;
  }
}

const DATA_URL = /^data:image\/[\w.+-]{1,40};base64,([A-Za-z0-9+/=\s]*)$/;

/** Shows a picture that is embedded in the markup. Others are never fetched. */
export function showPicture(source: string, { html }: TextBuilder): void {
  const data = html === null ? undefined : DATA_URL.exec(source)?.[1];
  if (data !== undefined) html?.picture(() => Buffer.from(data, 'base64'));
}

function firstNumber(list: MarkupNode): number {
  const start = Number.parseInt(attribute(list, 'start') ?? '1', 10);
  return Number.isFinite(start) ? start : 1;
}

function nextMarker(lists: (number | null)[]): string {
  const number = lists.at(-1) ?? null;
  if (number === null) return '- ';
  lists[lists.length - 1] = number + 1;
  return `${number}. `;
}

function checkMark(input: MarkupNode): string {
  if (attribute(input, 'type') !== 'checkbox') return '';
  return attribute(input, 'checked') === null ? '☐ ' : '☑ ';
}

interface Grid {
  caption: string;
  size: number;
  rows: { cells: string[]; heads: boolean[] }[];
}

/** The cells of a data table with spans filled in, or null for a layout table. */
function dataGrid(table: MarkupNode): Grid | null {
  const grid: Grid = { caption: '', size: 0, rows: [] };
  const below: { left: number; text: string }[] = [];
  for (const row of tableRows(table, grid)) {
    const cells: string[] = [];
    const heads: boolean[] = [];
    // One extra column, so that the table writer notes the cut.
    const hasRoom = (): boolean => cells.length <= MAX_COLUMNS && grid.size < MAX_TABLE_CELLS;
    const add = (text: string, isHead: boolean): void => {
      cells.push(text);
      heads.push(isHead);
      grid.size += 1;
    };
    const fill = (): void => {
      for (let span = below[cells.length]; span !== undefined && span.left > 0;) {
        span.left -= 1;
        if (!hasRoom()) return;
        add(span.text, false);
        span = below[cells.length];
      }
    };
    for (const cell of children(row)) {
      const name = localName(cell);
      if (!isElement(cell) || (name !== 'td' && name !== 'th')) continue;
      const text = cellText(cell);
      if (text === null) return null;
      fill();
      const rows = span(cell, 'rowspan');
      const columns = span(cell, 'colspan');
      for (let column = 0; column === 0 || (column < columns && hasRoom()); column += 1) {
        const content = column === 0 ? text : '';
        if (rows > 1 && hasRoom()) below[cells.length] = { left: rows - 1, text: content };
        if (cells.length <= MAX_COLUMNS) add(content, name === 'th');
      }
    }
    fill();
    if (cells.some((cell) => cell !== '')) grid.rows.push({ cells, heads });
  }
  const columns = grid.rows.reduce((max, { cells }) => Math.max(max, cells.length), 0);
  const longest = grid.rows.reduce(
    (max, { cells }) => cells.reduce((longest, cell) => Math.max(longest, cell.length), max),
    0,
  );
  return columns < 2 || longest > MAX_CELL_LENGTH ? null : grid;
}

function tableRows(table: MarkupNode, grid: Grid): MarkupNode[] {
  const rows: MarkupNode[] = [];
  for (const part of children(table)) {
    const name = localName(part);
    if (name === 'caption') grid.caption = cellText(part) ?? '';
    if (name === 'tr') rows.push(part);
    if (name !== 'thead' && name !== 'tbody' && name !== 'tfoot') continue;
    for (const row of children(part)) if (localName(row) === 'tr') rows.push(row);
  }
  return rows;
}

function span(cell: MarkupNode, name: string): number {
  const value = Number.parseInt(attribute(cell, name) ?? '1', 10);
  return Number.isFinite(value) ? Math.min(Math.max(value, 1), MAX_SPAN) : 1;
}

/** A cell's text on one line, or null when the cell is part of a layout. */
function cellText(cell: MarkupNode): string | null {
  let text = '';
  let layout = false;
  walk(cell, {
    enter(node) {
      const name = localName(node);
      if (LAYOUT.has(name)) layout = true;
      if (layout || isHidden(node, name)) return false;
      if (name === 'br' || BLOCKS.has(name)) text += ' ';
      if (name === 'img') text += ` ${attribute(node, 'alt') ?? ''} `;
      return true;
    },
    leave(node) {
      if (BLOCKS.has(localName(node))) text += ' ';
    },
    text(data) {
      text += data;
    },
  });
  return layout ? null : text.replace(/\s+/gu, ' ').trim();
}

function hasHeader({ rows: [first, ...rows] }: Grid): boolean {
  if (first === undefined || first.heads.some(Boolean)) return false;
  const below = rows.slice(0, 4).map(({ cells }) => cells);
  return looksLikeHeader(first.cells, below, first.cells.length === 2);
}

function writeGrid(grid: Grid, builder: TextBuilder, location?: Location): void {
  if (grid.caption !== '') builder.block('prose', grid.caption, location);
  let names: string[] | null = null;
  for (const [index, row] of grid.rows.entries()) {
    const heads = row.heads;
    const cells = boundCells(row.cells, builder);
    const allHeads = heads.every(Boolean) && cells.filter((cell) => cell !== '').length > 1;
    if (allHeads || (index === 0 && hasHeader(grid))) {
      names = cells;
      builder.block('table', boundedRowText(null, cells, builder), location);
    } else if (heads.every(Boolean)) {
      // A heading across all columns ends the header above it.
      names = null;
      builder.block('table', boundedRowText(null, cells, builder), location);
    } else if (names === null && heads[0] === true && cells.length > 1) {
      const rest = boundedRowText(null, cells.slice(1), builder);
      builder.block(
        'table',
        rest === '' ? (cells[0] ?? '') : rowText([cells[0] ?? ''], [rest]),
        location,
      );
    } else builder.block('table', boundedRowText(names, cells, builder), location);
  }
}
