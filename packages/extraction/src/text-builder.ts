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
  SupplementRequest,
} from './types.ts';

/** Maximum text of a file, in UTF-16 units. */
export const MAX_TEXT_LENGTH = 20_000_000;
/** Maximum segments of a file, including table rows. */
export const MAX_SEGMENTS = 200_000;

export interface TextLimits {
  maxLength: number;
  maxSegments: number;
}

interface LocatedRange extends Pick<Segment, 'start' | 'end'> {
  location?: Location | undefined;
}

/** Text without NUL and lone surrogates, with '\n' line ends. */
export function cleanText(text: string): string {
  let clean = text;
  if (clean.includes('\0')) clean = clean.replaceAll('\0', '');
  if (!clean.isWellFormed()) clean = clean.replace(/\p{Surrogate}/gu, '');
  return clean.includes('\r') ? clean.replace(/\r\n?/g, '\n') : clean;
}

/** A title on one line of up to 300 characters, or null. */
export function cleanTitle(title: unknown): string | null {
  if (typeof title !== 'string') return null;
  const clean = cleanText(title).replace(/\s+/gu, ' ').trim().slice(0, 300);
  return clean === '' ? null : cleanText(clean);
}

export function collapseSpace(text: string): string {
  return text
    .replace(/[\u00ad\u200b\u2060\ufeff]/g, '')
    .replace(/[^\S\n]+/gu, ' ')
    .replace(/ ?\n ?/g, '\n')
    .replace(/\n{2,}/g, '\n')
    .trim();
}

export function truncationNote(limits: TextLimits, limit: 'length' | 'segments'): string {
  return limit === 'length'
    ? `Only the first ${limits.maxLength.toLocaleString('en-US')} characters were read.`
    : `Only the first ${limits.maxSegments.toLocaleString('en-US')} rows and paragraphs were read.`;
}

export class TextBuilder {
  /** Receives the same blocks as HTML. Null if only text is needed. */
  readonly html: HtmlWriter | null;
  readonly #limits: TextLimits;
  readonly #pieces: string[] = [];
  readonly #segments: Segment[] = [];
  readonly #notes: string[] = [];
  readonly #requests: SupplementRequest[] = [];
  readonly #pages: PageWords[] = [];
  #stack: { level: number; text: string }[] = [];
  #headings: string[] = [];
  #length = 0;
  #line = 1;
  #lastKind: SegmentKind | null = null;
  #full = false;

  constructor(limits: TextLimits, html: HtmlWriter | null = null) {
    this.#limits = limits;
    this.html = html;
  }

  /** Length in UTF-16 units. */
  get length(): number {
    return this.#length;
  }

  /** Whether a limit is reached, so reading may stop. */
  get full(): boolean {
    return this.#full || this.html?.done === true;
  }

  /** Writes a block. Without a location it is located by its line in the text. */
  block(kind: SegmentKind, text: string, location?: Location): void {
    this.#show(kind, text, this.#write(kind, text, rangesAt(location)));
  }

  /** Writes a paragraph whose sentences have locations. Offsets are in `text`. */
  prose(text: string, sentences: readonly LocatedRange[]): void {
    // Truncated text has fewer sentences.
    const ranges = (written: string) => sentences.filter(({ end }) => end <= written.length);
    this.#show('prose', text, this.#write('prose', text, ranges));
  }

  /** Writes a heading of level 1 to 9, 0 for the file's title. */
  heading(level: number, text: string, location?: Location): void {
    const outer = this.#stack.filter((entry) => entry.level < level);
    this.#headings = outer.map((entry) => entry.text);
    const range = this.#write('heading', text, rangesAt(location));
    const title = cleanTitle(text);
    if (title !== null) {
      this.#stack = outer.at(-1)?.text === title ? outer : [...outer, { level, text: title }];
      this.#headings = this.#stack.map((entry) => entry.text);
    }
    if (range === null) return;
    this.html?.heading(level, cleanText(text).trim());
    this.html?.moveTo(range.end);
  }

  /** Clears the headings at the start of an independent part. */
  clearHeadings(): void {
    this.#stack = [];
    this.#headings = [];
  }

  /** Writes recognized lines as one block with the boxes of their words. */
  recognized(
    kind: SegmentKind,
    lines: readonly RecognizedLine[],
    picture: PictureRef,
    location?: Location,
  ): void {
    const cleaned = lines
      .map(({ words }) =>
        words
          .map((word) => ({ ...word, text: cleanText(word.text).trim() }))
          .filter(({ text }) => text !== ''),
      )
      .filter((words) => words.length > 0);
    const text = cleaned.map((words) => words.map((word) => word.text).join(' ')).join('\n');
    const range = this.#write(kind, text, rangesAt(location));
    if (range === null) return;
    const { words } = this.#wordsOf(picture);
    let start = range.start;
    for (const { text: word, left, top, width, height } of cleaned.flat()) {
      const end = start + word.length;
      if (end > range.end) break;
      words.push({ start: start, end, left, top, width, height });
      start = end + 1;
    }
  }

  request(request: SupplementRequest): void {
    this.#requests.push(request);
  }

  note(sentence: string): void {
    if (!this.#notes.includes(sentence)) this.#notes.push(sentence);
  }

  /** Appends the extraction of a member at `path`, with its locations, words and requests. */
  append(extraction: Extraction, path: string): void {
    this.#requests.push(
      ...extraction.requests.map((request) => ({ ...request, path: joinPath(path, request) })),
    );
    if (this.#full || extraction.segments.length === 0) return;
    this.#add('\n\n');
    const base = this.#length;
    for (const segment of extraction.segments) {
      const content = extraction.text.slice(segment.start, segment.end);
      if (segment.kind === 'heading') this.html?.heading(2, content);
      else this.html?.block(segment.kind, content);
      this.html?.moveTo(base + segment.end);
      this.#segments.push({
        ...segment,
        start: base + segment.start,
        end: base + segment.end,
        location: Object.assign({ path }, segment.location, {
          path: joinPath(path, segment.location),
        }),
        headings: [...this.#headings, ...segment.headings],
      });
    }
    for (const { words, ...picture } of extraction.words) {
      const moved = words.map((word) => {
        return { ...word, start: base + word.start, end: base + word.end };
      });
      this.#wordsOf({ page: picture.page, path: joinPath(path, picture) }).words.push(...moved);
    }
    this.#add(extraction.text.trimEnd());
    this.#lastKind = 'prose';
  }

  /** Remaining limits after `reserved` UTF-16 units and one segment. */
  room(reserved: number): TextLimits {
    return {
      maxLength: this.#limits.maxLength - this.#length - reserved,
      maxSegments: this.#limits.maxSegments - this.#segments.length - 1,
    };
  }

  finish({
    title = null,
    parts = null,
    durationMs = null,
  }: Partial<Pick<Extraction, 'title' | 'parts' | 'durationMs'>>): Extraction {
    return {
      text: this.#pieces.join(''),
      segments: this.#segments,
      title,
      parts,
      durationMs,
      notes: this.#notes,
      words: this.#pages,
      requests: this.#requests,
    };
  }

  #stop(limit: 'length' | 'segments'): void {
    this.#full = true;
    this.#notes.push(truncationNote(this.#limits, limit));
  }

  #add(text: string): void {
    this.#pieces.push(text);
    this.#length += text.length;
    this.#line += countLines(text, 0, text.length);
  }

  /** Writes a block. Returns its range, or null if nothing was written. */
  #write(
    kind: SegmentKind,
    raw: string,
    rangesIn: (text: string) => Iterable<LocatedRange>,
  ): { start: number; end: number } | null {
    if (this.#full) return null;
    let text = cleanText(raw).trim();
    if (text === '') return null;
    let range: { start: number; end: number } | null = null;
    const separator = separatorBefore(this.#lastKind, kind);
    const room = this.#limits.maxLength - this.#length - separator.length;
    const cut = text.length > room;
    if (cut) text = cleanText(text.slice(0, Math.max(0, room))).trimEnd();
    if (text !== '') {
      this.#add(separator);
      const base = this.#length;
      let counted = 0;
      let line = this.#line;
      for (const { start, end, location } of rangesIn(text)) {
        if (this.#segments.length >= this.#limits.maxSegments) {
          this.#stop('segments');
          break;
        }
        line += countLines(text, counted, start);
        counted = start;
        this.#segments.push({
          start: base + start,
          end: base + end,
          location: location ?? { line },
          headings: this.#headings,
          kind,
        });
      }
      this.#add(text);
      range = { start: base, end: this.#length };
      this.#lastKind = kind;
    }
    if (cut && !this.#full) this.#stop('length');
    return range;
  }

  #show(kind: SegmentKind, text: string, range: { end: number } | null): void {
    if (range === null) return;
    this.html?.block(kind, cleanText(text).trim());
    this.html?.moveTo(range.end);
  }

  #wordsOf({ page, path }: PictureRef): PageWords {
    const known = this.#pages.find((entry) => entry.page === page && entry.path === path);
    if (known) return known;
    const added: PageWords = { page, ...(path === undefined ? {} : { path }), words: [] };
    this.#pages.push(added);
    return added;
  }
}

const rangesAt =
  (location?: Location) =>
  (text: string): LocatedRange[] =>
    splitRange(text, 0, text.length).map(([start, end]) => ({ start, end, location }));

function joinPath(path: string, place: Location | PictureRef | SupplementRequest): string {
  return 'path' in place && place.path !== undefined ? `${path}/${place.path}` : path;
}

function separatorBefore(previous: SegmentKind | null, kind: SegmentKind): string {
  if (previous === null) return '';
  return previous === kind && (kind === 'table' || kind === 'list') ? '\n' : '\n\n';
}

export function countLines(text: string, start: number, end: number): number {
  let count = 0;
  for (let i = text.indexOf('\n', start); i !== -1 && i < end; i = text.indexOf('\n', i + 1)) {
    count += 1;
  }
  return count;
}
