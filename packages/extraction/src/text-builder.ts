import type { HtmlWriter } from './html/writer.ts';
import { splitRange } from './split.ts';
import type {
  Extraction,
  Location,
  PageWords,
  PictureRef,
  RecognizedLine,
  Segment,
  SegmentKind,
  Want,
} from './types.ts';

/** The longest text kept of one file, in UTF-16 units. */
export const MAX_TEXT_LENGTH = 20_000_000;
/** The most segments kept of one file: rows of a table are segments too. */
export const MAX_SEGMENTS = 200_000;

export interface TextLimits {
  maxLength: number;
  maxSegments: number;
}

/** A part of a block's text that has one location. */
interface LocatedRange extends Pick<Segment, 'start' | 'end'> {
  location?: Location | undefined;
}

/** Puts a file's text together block by block and keeps where each block stands. */
export interface TextBuilder {
  /** A heading of level 1 to 9, 0 for the file's title: a block, and context of all below it. */
  heading(level: number, text: string, location?: Location): void;
  /** Forgets all headings, at the begin of a part that stands for itself. */
  clearHeadings(): void;
  /** A block of text. Without a location it stands at its line in the extracted text. */
  block(kind: SegmentKind, text: string, location?: Location): void;
  /** A paragraph whose sentences have locations of their own; offsets are in `text`. */
  prose(text: string, sentences: readonly LocatedRange[]): void;
  /** Lines recognised in a picture as one block: where their words stand on it is kept. */
  recognized(
    kind: SegmentKind,
    lines: readonly RecognizedLine[],
    picture: PictureRef,
    location?: Location,
  ): void;
  /** What the file holds and was not handed in yet. */
  want(want: Want): void;
  note(sentence: string): void;
  /** Another reading, whole: a member at `path` of an archive, with its places, words and wants. */
  append(extraction: Extraction, path: string): void;
  /** What may still be kept once `reserved` UTF-16 units and one segment more are. */
  room(reserved: number): TextLimits;
  /** Takes the same blocks as HTML; null where only the text is wanted. */
  readonly html: HtmlWriter | null;
  /** How much text there is so far, in UTF-16 units. */
  readonly length: number;
  /** True once a bound is reached: nothing more is kept, so reading may stop. */
  readonly full: boolean;
  finish(about: {
    title?: string | null;
    parts?: number | null;
    durationMs?: number | null;
  }): Extraction;
}

const LONE_SURROGATE = /\p{Surrogate}/gu;

/** Text as it may be stored: no NUL, no lone surrogates, lines ended by '\n'. */
export function cleanText(text: string): string {
  let clean = text;
  if (clean.includes('\0')) clean = clean.replaceAll('\0', '');
  if (!clean.isWellFormed()) clean = clean.replace(LONE_SURROGATE, '');
  return clean.includes('\r') ? clean.replace(/\r\n?/g, '\n') : clean;
}

/** A file's own title: one line, at most 300 characters, null when blank. */
export function cleanTitle(title: unknown): string | null {
  if (typeof title !== 'string') return null;
  const clean = cleanText(title).replace(/\s+/gu, ' ').trim().slice(0, 300);
  return clean === '' ? null : cleanText(clean);
}

export function truncationNote(limits: TextLimits, what: 'length' | 'segments'): string {
  return what === 'length'
    ? `Only the first ${limits.maxLength.toLocaleString('en-US')} characters were read.`
    : `Only the first ${limits.maxSegments.toLocaleString('en-US')} rows and paragraphs were read.`;
}

export function createTextBuilder(limits: TextLimits, html: HtmlWriter | null = null): TextBuilder {
  const pieces: string[] = [];
  const segments: Segment[] = [];
  const notes: string[] = [];
  const wants: Want[] = [];
  const pages: PageWords[] = [];
  let stack: { level: number; text: string }[] = [];
  let headings: string[] = [];
  let length = 0;
  let line = 1;
  let lastKind: SegmentKind | null = null;
  let full = false;

  const stop = (what: 'length' | 'segments'): void => {
    full = true;
    notes.push(truncationNote(limits, what));
  };

  const write = (text: string): void => {
    pieces.push(text);
    length += text.length;
    line += countLines(text, 0, text.length);
  };

  /** Answers where in the text the block begins, and where it ends; null when nothing was kept. */
  const block = (
    kind: SegmentKind,
    raw: string,
    rangesIn: (text: string) => Iterable<LocatedRange>,
  ): { start: number; end: number } | null => {
    if (full) return null;
    let text = cleanText(raw).trim();
    if (text === '') return null;
    let kept: { start: number; end: number } | null = null;
    const separator = separatorBefore(lastKind, kind);
    const room = limits.maxLength - length - separator.length;
    const cut = text.length > room;
    if (cut) text = cleanText(text.slice(0, Math.max(0, room))).trimEnd();
    if (text !== '') {
      write(separator);
      const base = length;
      let counted = 0;
      let partLine = line;
      for (const { start, end, location } of rangesIn(text)) {
        if (segments.length >= limits.maxSegments) {
          stop('segments');
          break;
        }
        partLine += countLines(text, counted, start);
        counted = start;
        segments.push({
          start: base + start,
          end: base + end,
          location: location ?? { line: partLine },
          headings,
          kind,
        });
      }
      write(text);
      kept = { start: base, end: length };
      lastKind = kind;
    }
    if (cut && !full) stop('length');
    return kept;
  };

  const show = (kind: SegmentKind, text: string, kept: { end: number } | null): void => {
    if (kept === null) return;
    html?.block(kind, cleanText(text).trim());
    html?.moveTo(kept.end);
  };

  const wordsOf = ({ page, path }: PictureRef): PageWords => {
    const known = pages.find((entry) => entry.page === page && entry.path === path);
    if (known) return known;
    const added: PageWords = { page, ...(path === undefined ? {} : { path }), words: [] };
    pages.push(added);
    return added;
  };

  const recognized: TextBuilder['recognized'] = (kind, lines, picture, location) => {
    const cleaned = lines
      .map(({ words }) =>
        words
          .map((word) => ({ ...word, text: cleanText(word.text).trim() }))
          .filter(({ text }) => text !== ''),
      )
      .filter((words) => words.length > 0);
    const text = cleaned.map((words) => words.map((word) => word.text).join(' ')).join('\n');
    const kept = block(kind, text, allAt(location));
    if (kept === null) return;
    const { words } = wordsOf(picture);
    let at = kept.start;
    for (const { text: word, left, top, width, height } of cleaned.flat()) {
      const end = at + word.length;
      if (end > kept.end) break;
      words.push({ start: at, end, left, top, width, height });
      at = end + 1;
    }
  };

  const context = (level: number, raw: string): void => {
    const text = cleanTitle(raw);
    if (text === null) return;
    stack = stack.filter((entry) => entry.level < level);
    if (stack.at(-1)?.text !== text) stack.push({ level, text });
    headings = stack.map((entry) => entry.text);
  };

  const append: TextBuilder['append'] = (extraction, path) => {
    if (full || extraction.segments.length === 0) return;
    write('\n\n');
    const base = length;
    for (const segment of extraction.segments) {
      segments.push({
        ...segment,
        start: base + segment.start,
        end: base + segment.end,
        location: Object.assign({ path }, segment.location, {
          path: joined(path, segment.location),
        }),
        headings: [...headings, ...segment.headings],
      });
    }
    for (const { page, words, path: inner } of extraction.words) {
      const moved = words.map((word) => {
        return { ...word, start: base + word.start, end: base + word.end };
      });
      wordsOf({
        page,
        path: joined(path, { page, ...(inner === undefined ? {} : { path: inner }) }),
      }).words.push(...moved);
    }
    write(extraction.text.trimEnd());
    lastKind = 'prose';
  };

  return {
    append(extraction, path) {
      append(extraction, path);
      wants.push(...extraction.wants.map((want) => ({ ...want, path: joined(path, want) })));
    },
    room(reserved) {
      return {
        maxLength: limits.maxLength - length - reserved,
        maxSegments: limits.maxSegments - segments.length - 1,
      };
    },
    block(kind, text, location) {
      show(kind, text, block(kind, text, allAt(location)));
    },
    prose(text, sentences) {
      // A text that was cut has fewer sentences.
      const ranges = (kept: string) => sentences.filter(({ end }) => end <= kept.length);
      show('prose', text, block('prose', text, ranges));
    },
    recognized,
    want(want) {
      wants.push(want);
    },
    heading(level, text, location) {
      headings = stack.filter((entry) => entry.level < level).map((entry) => entry.text);
      const kept = block('heading', text, allAt(location));
      context(level, text);
      if (kept === null) return;
      html?.heading(level, cleanText(text).trim());
      html?.moveTo(kept.end);
    },
    clearHeadings() {
      stack = [];
      headings = [];
    },
    note(sentence) {
      if (!notes.includes(sentence)) notes.push(sentence);
    },
    html,
    get length() {
      return length;
    },
    get full() {
      return full || html?.done === true;
    },
    finish({ title = null, parts = null, durationMs = null }) {
      const text = pieces.join('');
      return { text, segments, title, parts, durationMs, notes, words: pages, wants };
    },
  };
}

/** The parts of a block's text that become segments, all with one location. */
const allAt =
  (location?: Location) =>
  (text: string): LocatedRange[] =>
    splitRange(text, 0, text.length).map(([start, end]) => ({ start, end, location }));

/** The path of something that a member at `path` holds, itself or in a member of its own. */
function joined(path: string, place: Location | PictureRef | Want): string {
  return 'path' in place && place.path !== undefined ? `${path}/${place.path}` : path;
}

function separatorBefore(before: SegmentKind | null, kind: SegmentKind): string {
  if (before === null) return '';
  return before === kind && (kind === 'table' || kind === 'list') ? '\n' : '\n\n';
}

/** Line ends in `text` from `start` up to `end`. */
export function countLines(text: string, start: number, end: number): number {
  let count = 0;
  for (let at = text.indexOf('\n', start); at !== -1 && at < end; at = text.indexOf('\n', at + 1)) {
    count += 1;
  }
  return count;
}
