import { isAscii, isUtf8 } from 'node:buffer';
import { bufferOf } from '../../bytes.ts';
import { signedComment } from '../notes-and-comments.ts';
import { createCharacters, CHARACTERS } from './characters.ts';

interface RtfParagraph {
  text: string;
  /** The level of a heading, from 1, or null for other paragraphs. */
  level: number | null;
  /** The marker of a list item, '' for a bullet without text, or null for other paragraphs. */
  marker: string | null;
  code: boolean;
}

export interface RtfBody {
  paragraph(paragraph: RtfParagraph): void;
  cell(text: string): void;
  /** The end of a row. `covered` says for each cell whether the cell above is merged into it. */
  row(covered: readonly boolean[]): void;
  /** A text box, after the paragraph that it is anchored to. */
  box(text: string): void;
  readonly done: boolean;
}

interface RtfRest {
  title: string;
  notes: string[];
  edges: string[];
  comments: string[];
  /** False if the file ends within a group, because it is cut off. */
  complete: boolean;
}

/**
 * A brace, a byte in hex, a control word with its number, a control symbol, or text without line ends,
 * which have no meaning in RTF. Text is bounded so that the pattern's stack does not overflow.
 */
const TOKEN =
  /([{}])|\\'([\da-f]{2})?|\\([a-z]{1,40})(-?\d{1,10})?( ?)|\\(\r\n|[^])|[^\\{}\r\n\0]{1,4096}|[^]/giy;

/** Groups that are not shown. Groups with a star are not shown either. */
const SKIPPED_GROUPS = new Set(
  'colortbl pict nonshppict shprslt sp objdata fldinst mmathpict xe tc rxe txe filetbl revtbl template private nonesttables pntxta pntxtb listtable'.split(
    ' ',
  ),
);
/** Groups with a star that are read. */
const STARRED_GROUPS = new Set('shpinst do annotation atnauthor momath momathpara ud'.split(' '));
/** Groups whose text is separate from the text around them. */
const FLOWS: Record<string, FlowKind> = {
  footnote: 'note',
  annotation: 'comment',
  atnauthor: 'author',
  shptxt: 'box',
  dptxbxtext: 'box',
  listtext: 'marker',
  pntext: 'marker',
  ...Object.fromEntries(
    ['header', 'footer'].flatMap((name) =>
      ['', 'l', 'r', 'f'].map((page) => [name + page, 'edge' as const]),
    ),
  ),
};
/** Deeper groups share the state of the last one. */
const MAX_DEPTH = 1000;

type FlowKind =
  'body' | 'note' | 'comment' | 'author' | 'edge' | 'box' | 'marker' | 'style' | 'title';

interface Flow {
  kind: FlowKind;
  text: string;
  lines: string[];
  marker: string | null;
}

interface Paragraph {
  style: number;
  level: number | null;
  list: boolean;
  table: boolean;
}

interface Group {
  destination: string;
  flow: Flow;
  skipped: boolean;
  hidden: boolean;
  font: number | null;
  /** Characters after a Unicode character that replace it in older readers. */
  fallback: number;
  paragraph: Paragraph;
}

const PLAIN: Paragraph = { style: 0, level: null, list: false, table: false };

const newFlow = (kind: FlowKind): Flow => ({ kind, text: '', lines: [], marker: null });

/** Reads an RTF file (RTF 1.9.1) in one pass, and passes its body to `body`. */
export function readRtf(bytes: Uint8Array, body: RtfBody): RtfRest {
  const characters = createCharacters();
  // Some programs write UTF-8 without declaring it. Text of another code page is never valid UTF-8.
  const utf8 = !isAscii(bytes) && isUtf8(bytes);
  const rest: RtfRest = { title: '', notes: [], edges: [], comments: [], complete: true };
  const styles = new Map<number, { level: number | null; code: boolean }>();
  const stack: Group[] = [];
  let group: Group = {
    destination: '',
    flow: newFlow('body'),
    skipped: false,
    hidden: false,
    font: null,
    fallback: 1,
    paragraph: PLAIN,
  };
  let tooDeep = 0;
  let starred = false;
  let replaced = 0;
  let defaultFont: number | null = null;
  /** Bytes that are not decoded yet, as Latin-1. */
  let pending = '';
  let isPendingUtf8 = false;
  let author = '';
  let boxes: string[] = [];
  let row = { covered: [] as boolean[], next: false };

  const add = (text: string): void => {
    if (!group.skipped && !group.hidden) group.flow.text += text;
  };
  const flush = (): void => {
    if (pending === '') return;
    const encoded = Buffer.from(pending, 'latin1');
    pending = '';
    add(isPendingUtf8 ? new TextDecoder().decode(encoded) : characters.decode(group.font, encoded));
  };
  const addPending = (part: string, isPartUtf8: boolean): void => {
    if (isPartUtf8 !== isPendingUtf8) flush();
    isPendingUtf8 = isPartUtf8;
    pending += part;
  };
  const changeParagraph = (paragraph: Partial<Paragraph>): void => {
    group.paragraph = { ...group.paragraph, ...paragraph };
  };

  const takeText = (): string => {
    const { flow } = group;
    const { text } = flow;
    flow.text = '';
    return text;
  };
  const endParagraph = (): void => {
    const { flow, paragraph, skipped } = group;
    if (skipped) return;
    if (flow.kind === 'body' && paragraph.table) {
      flow.text += '\n';
      return;
    }
    const text = takeText();
    if (flow.kind !== 'body') {
      flow.lines.push(text);
      return;
    }
    const style = styles.get(paragraph.style);
    const marker = flow.marker ?? (paragraph.list ? '' : null);
    flow.marker = null;
    const level = paragraph.level ?? style?.level ?? null;
    body.paragraph({ text, level, marker, code: style?.code === true });
    for (const box of boxes) body.box(box);
    boxes = [];
  };

  const endFlow = ({ flow, paragraph, skipped }: Group): void => {
    const text = [...flow.lines, flow.text].join('\n').trim();
    if (flow.kind === 'note') rest.notes.push(text);
    if (flow.kind === 'edge') rest.edges.push(text);
    if (flow.kind === 'box') boxes.push(text);
    if (flow.kind === 'title') rest.title = text;
    if (flow.kind === 'author') author = text;
    if (flow.kind === 'comment') {
      rest.comments.push(signedComment(author, text));
      author = '';
    }
    if (flow.kind === 'marker') {
      if (group.flow.kind === 'body' && !group.paragraph.table) group.flow.marker = text;
      else add(`${text} `);
    }
    if (flow.kind === 'style' && !skipped) styles.set(paragraph.style, styleOf(text, paragraph));
  };

  const enterDestination = (name: string): boolean => {
    if (SKIPPED_GROUPS.has(name) || (starred && !STARRED_GROUPS.has(name))) {
      group.skipped = true;
      return true;
    }
    if (name === 'upr') group.skipped = true;
    if (name === 'ud') group.skipped = false;
    if (name === 'fonttbl' || name === 'stylesheet' || name === 'info') {
      group.destination = name;
      group.flow = newFlow('style');
      group.skipped = name !== 'stylesheet';
      return true;
    }
    if (name === 'title' && group.destination === 'info') {
      group.flow = newFlow('title');
      group.skipped = false;
      return true;
    }
    const kind = FLOWS[name];
    if (kind === undefined || !Object.hasOwn(FLOWS, name) || group.skipped) return false;
    if (kind === 'note') add(`[${rest.notes.length + 1}]`);
    group.flow = newFlow(kind);
    group.paragraph = PLAIN;
    return true;
  };

  const controlWords: Record<string, (value: number | null) => void> = {
    ansicpg: (value) => characters.setPage(value ?? 1252),
    mac: () => characters.setPage(10000),
    pc: () => characters.setPage(437),
    pca: () => characters.setPage(850),
    f: (value) => (group.font = value),
    fcharset: (value) => setFont((font) => characters.setFontCharset(font, value ?? 0)),
    cpg: (value) => setFont((font) => characters.setFontPage(font, value ?? 0)),
    deff: (value) => (group.font = defaultFont = value),
    plain: () => Object.assign(group, { hidden: false, font: defaultFont }),
    v: (value) => (group.hidden = value !== 0),
    deleted: (value) => (group.hidden = value !== 0),
    uc: (value) => (group.fallback = Math.max(0, value ?? 1)),
    u(value) {
      add(unicode(value ?? 0));
      replaced = group.fallback;
    },
    pard: () => (group.paragraph = PLAIN),
    s: (value) => changeParagraph({ style: value ?? 0 }),
    outlinelevel: (value) => changeParagraph({ level: (value ?? 9) < 9 ? (value ?? 0) + 1 : null }),
    ls: (value) => changeParagraph({ list: (value ?? 0) > 0 }),
    intbl: () => changeParagraph({ table: true }),
    itap: (value) => changeParagraph({ table: (value ?? 0) > 0 }),
    par: endParagraph,
    sect: endParagraph,
    page: endParagraph,
    column: endParagraph,
    trowd: () => (row = { covered: [], next: false }),
    clvmrg: () => (row.next = true),
    cellx() {
      row.covered.push(row.next);
      row.next = false;
    },
    cell() {
      if (group.flow.kind === 'body' && !group.skipped) body.cell(takeText());
      else add(' ');
    },
    row() {
      if (group.flow.kind === 'body' && !group.skipped) body.row(row.covered);
      else endParagraph();
    },
    nestcell: () => add(' '),
    nestrow: () => add('\n'),
  };
  const setFont = (set: (font: number) => void): void => {
    if (group.destination === 'fonttbl' && group.font !== null) set(group.font);
  };

  const openGroup = (): void => {
    if (stack.length >= MAX_DEPTH) {
      tooDeep += 1;
      return;
    }
    stack.push(group);
    group = { ...group };
    if (group.destination === 'stylesheet') {
      group = { ...group, destination: '', flow: newFlow('style'), paragraph: PLAIN };
    }
  };
  const closeGroup = (): void => {
    const closed = group;
    group = stack.pop() ?? group;
    if (closed.flow !== group.flow) endFlow(closed);
  };
  const readWord = (name: string, value: number | null): void => {
    flush();
    const character = Object.hasOwn(CHARACTERS, name) ? CHARACTERS[name] : undefined;
    if (replaced > 0 && character !== undefined) {
      replaced -= 1;
      return;
    }
    replaced = 0;
    if (name === '*') {
      starred = true;
      return;
    }
    const entered = enterDestination(name);
    starred = false;
    if (entered) return;
    if (character !== undefined) add(character);
    else if (Object.hasOwn(controlWords, name)) controlWords[name]?.(value);
  };

  const source = bufferOf(bytes).toString('latin1');
  for (let position = 0; position < source.length && !body.done;) {
    TOKEN.lastIndex = position;
    const match = TOKEN.exec(source);
    if (match === null) break;
    const [token, brace, hex, word, number, , symbol] = match;
    position += token.length;
    if (brace !== undefined) {
      flush();
      replaced = 0;
      starred = false;
      if (brace === '{') openGroup();
      else if (tooDeep > 0) tooDeep -= 1;
      else closeGroup();
    } else if (hex !== undefined) {
      if (replaced > 0) replaced -= 1;
      else if (!group.skipped) addPending(String.fromCharCode(Number.parseInt(hex, 16)), false);
    } else if (word !== undefined) {
      const value = number === undefined ? null : Number(number);
      // The bytes of a picture, which may look like braces.
      if (word === 'bin') position += Math.max(0, value ?? 0);
      else readWord(word, value);
    } else if (symbol !== undefined) {
      readWord(/^[\r\n]/.test(symbol) ? 'par' : symbol, null);
    } else if (!/^[\\\r\n\0]/.test(token)) {
      const text = token.slice(replaced);
      replaced -= token.length - text.length;
      if (!group.skipped && !group.hidden) addPending(text, utf8);
    }
  }
  flush();
  rest.complete = stack.length === 0 || body.done;
  while (stack.length > 0) closeGroup();
  group.paragraph = { ...group.paragraph, table: false };
  endParagraph();
  return rest;
}

/** A Unicode character by its signed 16-bit number. Symbols of fonts become bullets. */
function unicode(value: number): string {
  const code = value < 0 ? value + 0x10000 : value;
  if (code >= 0xf000 && code <= 0xf0ff) return '•';
  return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : '';
}

/** The paragraph format of a style by its name, which ends with a semicolon. */
function styleOf(text: string, { level }: Paragraph): { level: number | null; code: boolean } {
  const name = text.replace(/;\s*$/, '').trim().toLowerCase();
  const heading = /^heading (\d)$/.exec(name)?.[1];
  const named = name === 'title' ? 1 : name === 'subtitle' ? 2 : null;
  return {
    level: level ?? (heading === undefined ? named : Number(heading)),
    code: /preformatted|source|^code\b/.test(name),
  };
}
