import MarkdownIt, { type StateInline, type Token } from 'markdown-it';
import { decodeText } from '../text/charset.ts';
import type { FormatInput } from '../format.ts';
import type { HtmlWriter } from './writer.ts';
import { MAX_DEPTH, MAX_LINE_INDENT, MAX_LINE_MARKERS, MAX_OPEN_BRACKETS } from '../limits.ts';
import { parseHtmlDocument } from './markup.ts';
import { splitRange } from '../split.ts';
import { boundCells, boundedRowText, type Notes } from '../text/tables.ts';
import { cleanText, cleanTitle, countLines, truncationNote } from '../text-builder.ts';
import type { Extraction, Segment, SegmentKind } from '../types.ts';

/** YAML front matter of up to 1,000 lines. */
const FRONT_MATTER =
  /^---[^\S\n]*\n(?=[^\s:#-][^\n:]*:)(?:(?:(?:[^\S\n]|[#-])[^\n]*|[^\s:#-][^\n:]*:[^\n]*)?\n){1,1000}?(?:---|\.\.\.)[^\S\n]*(?=\n|$)/;
const MARKER = /[^\S\n]*(?:>|[-+*](?=[^\S\n])|\d{1,9}[.)](?=[^\S\n]))/y;

const parser = new MarkdownIt({ html: true });
// The parser drops deeper nesting, so it is removed from the lines first.
parser.set({ maxNesting: MAX_DEPTH });
// The parser's own function takes quadratic time for unclosed brackets.
parser.helpers.parseLinkLabel = findLabelEnd;

interface Page {
  lines: string[];
  blocks: Block[];
}

interface Block {
  from: number;
  to: number;
  kind: SegmentKind;
  level: number;
}

/** Markdown (CommonMark with tables). Lines keep their numbers, so locations match the file. */
export function read({ bytes, limits, builder }: FormatInput): Extraction {
  let source = decodeText(bytes);
  const notes: string[] = [];
  const note = (sentence: string): void => {
    if (!notes.includes(sentence)) notes.push(sentence);
  };
  if (source.length > limits.maxLength) {
    source = cleanText(source.slice(0, limits.maxLength));
    notes.push(truncationNote(limits, 'length'));
  }
  const settings = FRONT_MATTER.exec(source)?.[0] ?? '';
  const { lines, blocks } = pageOf(source, settings, { note });
  const text = lines.join('\n').trimEnd();
  const starts = [0];
  for (const line of lines) starts.push((starts.at(-1) ?? 0) + line.length + 1);
  const segments: Segment[] = [];
  let stack: { level: number; text: string }[] = [];
  let title = titleIn(settings);
  for (const { from, to, kind, level } of blocks) {
    const [start, end] = [starts[from] ?? 0, Math.min(text.length, (starts[to] ?? 1) - 1)];
    const blockText = text.slice(start, end).trim();
    if (blockText === '') continue;
    if (level > 0) stack = stack.filter((entry) => entry.level < level);
    const headings = stack.map((entry) => entry.text);
    for (const [first, last] of splitRange(text, start, end)) {
      const line = from + 1 + countLines(text, start, first);
      segments.push({ start: first, end: last, location: { line }, headings, kind });
    }
    if (level > 0) {
      const heading = cleanTitle(blockText.slice(level));
      if (heading !== null) stack = [...stack, { level, text: heading }];
      title ??= heading;
    }
    if (segments.length > limits.maxSegments) {
      segments.length = limits.maxSegments;
      notes.push(truncationNote(limits, 'segments'));
      break;
    }
  }
  if (builder.html !== null) writeHtml(source, settings, builder.html);
  return { text, segments, title, parts: null, durationMs: null, notes, words: [], requests: [] };
}

function writeHtml(source: string, settings: string, html: HtmlWriter): void {
  if (settings !== '') html.block('code', settings.replace(/^---[^\S\n]*\n|\n[^\n]*$/g, ''));
  const env = {};
  const tokens = parser.parse(shallowLines(source.slice(settings.length)), env);
  const starts = [settings.length];
  for (
    let offset = source.indexOf('\n', settings.length);
    offset !== -1;
    offset = source.indexOf('\n', offset + 1)
  ) {
    starts.push(offset + 1);
  }
  let first = 0;
  let depth = 0;
  for (const [index, { nesting, map }] of tokens.entries()) {
    depth += nesting;
    if (depth > 0) continue;
    html.moveTo(starts[tokens[first]?.map?.[0] ?? map?.[0] ?? 0] ?? 0);
    if (html.done) return;
    const block = parser.renderer.render(tokens.slice(first, index + 1), parser.options, env);
    html.tree(parseHtmlDocument(block).root);
    first = index + 1;
  }
}

/** The end of the label at `start`, or -1. */
function findLabelEnd(state: StateInline, start: number, disableNested?: boolean): number {
  const before = state.pos;
  let end = -1;
  state.pos = start + 1;
  for (let open = 1; open <= MAX_OPEN_BRACKETS && state.pos < state.posMax;) {
    const position = state.pos;
    const character = state.src[position];
    if (character === ']') open -= 1;
    if (open === 0) {
      end = position;
      break;
    }
    state.md.inline.skipToken(state);
    const isBracket = state.pos === position + 1;
    if (character === '[' && isBracket) open += 1;
    else if (character === '[' && disableNested === true) break;
  }
  state.pos = before;
  return end;
}

const shallowLines = (source: string): string => source.split('\n').map(flattenLine).join('\n');

/** The line with bounded nesting. */
function flattenLine(line: string): string {
  let end = 0;
  let boundedEnd = 0;
  for (let count = 1; ; count += 1) {
    MARKER.lastIndex = end;
    if (!MARKER.test(line)) break;
    end = MARKER.lastIndex;
    if (count <= MAX_LINE_MARKERS) boundedEnd = end;
  }
  const shallow = end === boundedEnd ? line : `${line.slice(0, boundedEnd)} ${line.slice(end)}`;
  return shallow.replace(/^[^\S\n]+/, (indent) => indent.slice(0, MAX_LINE_INDENT));
}

function pageOf(source: string, settings: string, notes: Notes): Page {
  const raw = source.split('\n');
  const first = settings === '' ? 0 : countLines(settings, 0, settings.length) + 1;
  const lines = raw.map((line, index) => (index < first ? line : ''));
  const blocks: Block[] = first === 0 ? [] : [{ from: 0, to: first, kind: 'code', level: 0 }];
  const write = (
    text: string,
    [from, to]: [number, number],
    kind: SegmentKind,
    level = 0,
  ): void => {
    text.split('\n').forEach((line, i) => (lines[first + from + i] = line));
    const last = blocks.at(-1);
    if (kind === 'list' && last?.kind === 'list' && last.to === first + from) last.to = first + to;
    else blocks.push({ from: first + from, to: first + to, kind, level });
  };
  let lists = 0;
  let marker = '';
  let level = 0;
  let row: { at: [number, number]; cells: string[] } | null = null;
  let names: string[] | null = null;
  for (const token of parser.parse(shallowLines(raw.slice(first).join('\n')), {})) {
    const { type, map } = token;
    const range: [number, number] = map ?? [0, 0];
    if (LIST.test(type)) lists += token.nesting;
    else if (type === 'list_item_open')
      marker = token.info === '' ? '- ' : `${token.info}${token.markup} `;
    else if (type === 'heading_open') level = Number(token.tag.slice(1));
    else if (type === 'table_open') names = null;
    else if (type === 'tr_open') row = { at: range, cells: [] };
    else if (type === 'tr_close' && row !== null) {
      write(rowOf(names, row.cells, notes), row.at, 'table');
      names ??= row.cells;
      row = null;
    } else if (type === 'fence') {
      const code = token.content.replace(/\n$/, '');
      // The last fence may never be closed.
      write(code, [range[0] + 1, range[0] + 2 + countLines(code, 0, code.length)], 'code');
    } else if (type === 'code_block') write(token.content.replace(/\n$/, ''), range, 'code');
    else if (type === 'html_block') write(withoutTags(token.content), range, 'prose');
    else if (type === 'inline') {
      const blockText = plainOf(token.children ?? []);
      if (row !== null) row.cells.push(blockText);
      else if (level > 0) write(`${'#'.repeat(level)} ${blockText}`, range, 'heading', level);
      else if (lists > 0) write(`${'  '.repeat(lists - 1)}${marker}${blockText}`, range, 'list');
      else write(blockText, range, 'prose');
      [marker, level] = ['', 0];
    }
  }
  addDefinitions(raw, lines, blocks);
  return { lines, blocks };
}

/** A link reference definition. The parser has no block for it. */
const DEFINITION = /^ {0,3}\[[^\]]{1,999}\]:/;

function addDefinitions(raw: readonly string[], lines: string[], blocks: Block[]): void {
  const written = new Set<number>();
  for (const { from, to } of blocks) for (let i = from; i < to; i += 1) written.add(i);
  raw.forEach((line, i) => {
    if (!DEFINITION.test(line) || written.has(i)) return;
    lines[i] = line;
    blocks.push({ from: i, to: i + 1, kind: 'prose', level: 0 });
  });
  blocks.sort((a, b) => a.from - b.from);
}

/** A row as a line. If the header has no names, the first cell of a row names the others. */
function rowOf(names: string[] | null, row: string[], notes: Notes): string {
  const cells = boundCells(row, notes);
  const [first = '', ...rest] = cells;
  if (names === null || names.some((name) => name !== '')) {
    return boundedRowText(names, cells, notes);
  }
  return boundedRowText([first], [boundedRowText(null, rest, notes)], notes);
}

const LIST = /^(?:bullet|ordered)_list_(?:open|close)$/;

function plainOf(tokens: readonly Token[]): string {
  let text = '';
  const links: { href: string; from: number }[] = [];
  for (const token of tokens) {
    if (token.type === 'softbreak' || token.type === 'hardbreak') text += '\n';
    else if (token.type === 'link_open') {
      links.push({ href: String(token.attrGet('href')), from: text.length });
    } else if (token.type === 'link_close') {
      const { href = '', from = 0 } = links.pop() ?? {};
      if (/^(?:https?|mailto):/i.test(href) && !href.endsWith(text.slice(from)))
        text += ` <${href}>`;
    } else if (token.type !== 'html_inline') text += token.content.replaceAll('\n', ' ');
  }
  return text;
}

const withoutTags = (html: string): string =>
  /^\s*<(?:!--|script|style)/i.test(html)
    ? ''
    : parser.utils.unescapeAll(
        html.replace(/<[^<>]*>/g, (tag) => '\n'.repeat(countLines(tag, 0, tag.length))),
      );

function titleIn(settings: string): string | null {
  const [, double, single, plain] =
    /^title:[^\S\n]+(?:"((?:[^"\\\n]|\\.)*)"|'((?:[^'\n]|'')*)'|([^\s"'#>|[{][^\n]*))/im.exec(
      settings,
    ) ?? [];
  return cleanTitle(
    double?.replace(/\\(.)/g, '$1') ?? single?.replaceAll("''", "'") ?? plain?.replace(/\s#.*/, ''),
  );
}
