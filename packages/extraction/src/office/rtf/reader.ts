import { isAscii, isUtf8 } from 'node:buffer';
import { createCharacters, SIGNS } from './characters.ts';
import { signedComment } from '../notes-and-comments.ts';
import { rtfTokens } from './tokens.ts';

export interface RtfParagraph {
  text: string;
  /** The level of a heading, from 1; null for what is none. */
  level: number | null;
  /** What stands before an item of a list, '' where only a sign does; null for what is none. */
  marker: string | null;
  code: boolean;
}

export interface RtfBody {
  paragraph(paragraph: RtfParagraph): void;
  cell(text: string): void;
  /** The end of a row; `covered` tells of each cell whether the one above reaches into it. */
  row(covered: readonly boolean[]): void;
  /** A box that floats beside the text, once its paragraph is over. */
  box(text: string): void;
  readonly done: boolean;
}

export interface RtfRest {
  title: string;
  notes: string[];
  edges: string[];
  comments: string[];
  /** False for a file that ends within a group: it is cut off. */
  whole: boolean;
}

/** Groups that no reader of the document sees. Those marked with a star are not seen either. */
const UNSEEN = new Set(
  'colortbl pict nonshppict shprslt sp objdata fldinst mmathpict xe tc rxe txe filetbl revtbl template private nonesttables pntxta pntxtb listtable'.split(
    ' ',
  ),
);
/** Groups that are read although a star allows to leave them out. */
const STARRED = new Set('shpinst do annotation atnauthor momath momathpara ud'.split(' '));
/** What is read apart from the text around it. */
const APART: Record<string, FlowKind> = {
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
/** Deeper groups than any writer makes share the state of the last. */
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
  /** How many characters behind a Unicode character stand for it in older readers. */
  fallback: number;
  paragraph: Paragraph;
}

const PLAIN: Paragraph = { style: 0, level: null, list: false, table: false };

const newFlow = (kind: FlowKind): Flow => ({ kind, text: '', lines: [], marker: null });

/** Reads an RTF file (RTF 1.9.1) in one pass, and hands its body to `body` as it goes. */
export function readRtf(bytes: Uint8Array, body: RtfBody): RtfRest {
  const characters = createCharacters();
  // Some programs write UTF-8 whatever they say: text of another code page is never valid in it.
  const utf8 = !isAscii(bytes) && isUtf8(bytes);
  const rest: RtfRest = { title: '', notes: [], edges: [], comments: [], whole: true };
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
  const pending = createByteList();
  let isPendingUtf8 = false;
  let author = '';
  let boxes: string[] = [];
  let row = { covered: [] as boolean[], next: false };

  const say = (text: string): void => {
    if (!group.skipped && !group.hidden) group.flow.text += text;
  };
  const flush = (): void => {
    const bytes = pending.take();
    if (bytes.length === 0) return;
    say(isPendingUtf8 ? new TextDecoder().decode(bytes) : characters.decode(group.font, bytes));
  };
  const hold = (part: ArrayLike<number>, isPartUtf8: boolean): void => {
    if (isPartUtf8 !== isPendingUtf8) flush();
    isPendingUtf8 = isPartUtf8;
    pending.add(part);
  };
  const change = (paragraph: Partial<Paragraph>): void => {
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
      else say(`${text} `);
    }
    if (flow.kind === 'style' && !skipped) styles.set(paragraph.style, styleOf(text, paragraph));
  };

  const enter = (name: string): boolean => {
    if (starred && !STARRED.has(name)) {
      group.skipped = true;
      return true;
    }
    if (UNSEEN.has(name)) {
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
    const apart = APART[name];
    if (apart === undefined || !Object.hasOwn(APART, name) || group.skipped) return false;
    if (apart === 'note') say(`[${rest.notes.length + 1}]`);
    group.flow = newFlow(apart);
    group.paragraph = PLAIN;
    return true;
  };

  const words: Record<string, (value: number | null) => void> = {
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
      say(unicode(value ?? 0));
      replaced = group.fallback;
    },
    pard: () => (group.paragraph = PLAIN),
    s: (value) => change({ style: value ?? 0 }),
    outlinelevel: (value) => change({ level: (value ?? 9) < 9 ? (value ?? 0) + 1 : null }),
    ls: (value) => change({ list: (value ?? 0) > 0 }),
    intbl: () => change({ table: true }),
    itap: (value) => change({ table: (value ?? 0) > 0 }),
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
      else say(' ');
    },
    row() {
      if (group.flow.kind === 'body' && !group.skipped) body.row(row.covered);
      else endParagraph();
    },
    nestcell: () => say(' '),
    nestrow: () => say('\n'),
  };
  const setFont = (set: (font: number) => void): void => {
    if (group.destination === 'fonttbl' && group.font !== null) set(group.font);
  };

  const openGroup = (): void => {
    flush();
    replaced = 0;
    starred = false;
    if (stack.length >= MAX_DEPTH) {
      tooDeep += 1;
      return;
    }
    stack.push(group);
    group = { ...group };
    if (group.destination === 'stylesheet') {
      group = {
        ...group,
        destination: '',
        flow: newFlow('style'),
        paragraph: PLAIN,
      };
    }
  };
  const closeGroup = (): void => {
    flush();
    replaced = 0;
    starred = false;
    if (tooDeep > 0) {
      tooDeep -= 1;
      return;
    }
    const closed = group;
    group = stack.pop() ?? group;
    if (closed.flow !== group.flow) endFlow(closed);
  };
  const readWord = (name: string, value: number | null): void => {
    flush();
    const sign = Object.hasOwn(SIGNS, name) ? SIGNS[name] : undefined;
    if (replaced > 0 && sign !== undefined) {
      replaced -= 1;
      return;
    }
    replaced = 0;
    if (name === '*') {
      starred = true;
      return;
    }
    const entered = enter(name);
    starred = false;
    if (entered) return;
    if (sign !== undefined) say(sign);
    else if (Object.hasOwn(words, name)) words[name]?.(value);
  };
  const readText = (start: number, end: number): void => {
    const from = Math.min(end, start + replaced);
    replaced -= from - start;
    if (group.skipped || group.hidden) return;
    hold(bytes.subarray(from, end), utf8);
  };

  for (const token of rtfTokens(bytes)) {
    if (body.done) break;
    if (token.kind === 'open') openGroup();
    else if (token.kind === 'close') closeGroup();
    else if (token.kind === 'word') readWord(token.name, token.value);
    else if (token.kind === 'text') readText(token.start, token.end);
    else if (replaced > 0) replaced -= 1;
    else if (!group.skipped) hold([token.byte], false);
  }
  flush();
  rest.whole = stack.length === 0 || body.done;
  while (stack.length > 0) {
    const cut = group;
    group = stack.pop() ?? group;
    if (cut.flow !== group.flow) endFlow(cut);
  }
  group.paragraph = { ...group.paragraph, table: false };
  endParagraph();
  return rest;
}

function createByteList(): { add(bytes: ArrayLike<number>): void; take(): Uint8Array } {
  let held = new Uint8Array(256);
  let used = 0;
  return {
    add(bytes) {
      if (used + bytes.length > held.length) {
        const larger = new Uint8Array(2 * (used + bytes.length));
        larger.set(held.subarray(0, used));
        held = larger;
      }
      held.set(bytes, used);
      used += bytes.length;
    },
    take() {
      const bytes = held.subarray(0, used);
      used = 0;
      return bytes;
    },
  };
}

/** A character of Unicode as RTF writes it: with a sign, and in signs of fonts by their place there. */
function unicode(value: number): string {
  const code = value < 0 ? value + 0x10000 : value;
  if (code >= 0xf000 && code <= 0xf0ff) return '•';
  return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : '';
}

/** What a style says of its paragraphs: its name ends in a semicolon. */
function styleOf(text: string, { level }: Paragraph): { level: number | null; code: boolean } {
  const name = text.replace(/;\s*$/, '').trim().toLowerCase();
  const heading = /^heading (\d)$/.exec(name)?.[1];
  const named = name === 'title' ? 1 : name === 'subtitle' ? 2 : null;
  return {
    level: level ?? (heading === undefined ? named : Number(heading)),
    code: /preformatted|source|^code\b/.test(name),
  };
}
