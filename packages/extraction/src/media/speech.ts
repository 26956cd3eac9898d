import type { TranscriptPart } from '../types.ts';

/** Marks for non-speech: [BLANK_AUDIO], (music), *sighs*, ♪. 'f(x)' and '2 * 3 * 4' are speech. */
const MARK =
  /\[[^\]]{0,60}\]|\((?=[^)]{0,57}(?:\p{L}{3}|\p{Lo}{2}))[^)]{0,60}\)|\*(?=[^*]{0,57}(?:\p{L}{3}|\p{Lo}{2}))[^*]{0,60}\*|[♪♫]+/gu;

/** Phrases that models write into silence, learned from captions. Removed far from other speech. */
const STOCK_PHRASE = new RegExp(
  `^(?:${[
    'thank you(?: (?:so|very) much)?(?: for (?:watching|listening))?',
    'thanks(?: for (?:watching|listening))?',
    'please subscribe(?: to (?:my|our|the) channel)?',
    '(?:subtitles|captions|transcribed|transcription|untertitel(?:ung)?) (?:by|von|der|des|im) .{0,60}',
    '.{0,60}amara\\.org.{0,60}',
    'gracias por ver el v[ií]deo',
    'merci d.avoir regardé.{0,30}',
    'ご視聴ありがとうございました',
    '(?:谢谢|感谢)(?:观看|收看|大家).{0,10}',
    '字幕.{0,30}',
    'you|bye(?: bye)?|uh|um|hmm|\\.',
  ].join('|')})$`,
  'u',
);

/** Distance to other speech, in milliseconds. */
const ALONE_MS = 5000;
/** Repetitions of a phrase after which the model is stuck. */
const STUCK = 4;

const plain = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^\p{Letter}\p{Number}. ]+/gu, ' ')
    .replace(/(?<!\p{Letter})\.|\.(?!\p{Letter})/gu, ' ')
    .replace(/\s+/gu, ' ')
    .trim();

/** Numbers that are read out may repeat. */
const isNumber = (text: string): boolean => /\p{N}/u.test(text) && !/\p{L}/u.test(text);

function collapseLoops(text: string): string {
  return text.replace(
    /(?<![\p{L}\p{N}])(\S.{0,80}?)(?:\s+\1){3,}(?![\p{L}\p{N}])/gu,
    (match, phrase: string) => (isNumber(phrase) ? match : phrase),
  );
}

/** Removes marks, stuck repetitions and phrases written into silence. Times never decrease. */
export function cleanTranscript(
  parts: readonly TranscriptPart[],
  durationMs: number | null,
): TranscriptPart[] {
  const toMs = (ms: number): number =>
    Math.max(0, Math.min(Number.isFinite(ms) ? Math.round(ms) : 0, durationMs ?? Infinity));
  const timed = parts
    .map(({ startMs, endMs, text }) => {
      const words = collapseLoops(text.replace(MARK, ' ').replace(/\s+/gu, ' ').trim());
      return { startMs: toMs(startMs), endMs: toMs(endMs), text: words };
    })
    .filter(({ text }) => /[\p{Letter}\p{Number}]/u.test(text))
    .sort((a, b) => a.startMs - b.startMs);
  let lastStartMs = 0;
  const rising = timed.map((part) => {
    const startMs = Math.max(lastStartMs, part.startMs);
    const endMs = Math.max(startMs, part.endMs);
    lastStartMs = startMs;
    return { startMs, endMs, text: part.text };
  });
  return withoutStock(withoutRepeats(rising));
}

function withoutRepeats(parts: readonly TranscriptPart[]): TranscriptPart[] {
  const result: TranscriptPart[] = [];
  for (let i = 0; i < parts.length;) {
    const first = parts[i];
    if (first === undefined) break;
    let next = i + 1;
    while (next < parts.length && plain(parts[next]?.text ?? '') === plain(first.text)) next += 1;
    result.push(...(next - i >= STUCK && !isNumber(first.text) ? [first] : parts.slice(i, next)));
    i = next;
  }
  return result;
}

function withoutStock(parts: readonly TranscriptPart[]): TranscriptPart[] {
  const isStock = (part: TranscriptPart): boolean => STOCK_PHRASE.test(plain(part.text));
  const speech = parts.filter((part) => !isStock(part));
  return parts.filter((part) => {
    if (!isStock(part)) return true;
    return speech.some(
      (other) => other.startMs - part.endMs < ALONE_MS && part.startMs - other.endMs < ALONE_MS,
    );
  });
}

/** The pause that ends a paragraph, and the limits of a paragraph, in milliseconds. */
const PAUSE_MS = 2000;
const MIN_PARAGRAPH_MS = 20_000;
const MAX_PARAGRAPH_MS = 40_000;

const ENDS_SENTENCE = /[.!?…。！？]["'”’»)]*$/u;

interface SpokenSentence {
  start: number;
  end: number;
  startMs: number;
  endMs: number;
}

interface SpokenParagraph extends TranscriptPart {
  /** In order. They cover all text except white space. */
  sentences: SpokenSentence[];
}

/** Joins parts to paragraphs of 20 to 40 seconds that end at sentences, pauses or `breaks`. */
export function toParagraphs(
  parts: readonly TranscriptPart[],
  breaks: readonly number[] = [],
): SpokenParagraph[] {
  const paragraphs: TranscriptPart[][] = [];
  for (const part of parts.flatMap((long, index) => splitLong(long, parts[index + 1]?.startMs))) {
    const open = paragraphs.at(-1);
    if (open === undefined || endsBefore(open, part, breaks)) paragraphs.push([part]);
    else open.push(part);
  }
  return paragraphs.map(paragraphOf);
}

const lastEnd = (parts: readonly TranscriptPart[]): number =>
  parts.reduce((last, { endMs }) => Math.max(last, endMs), 0);

function endsBefore(
  open: readonly TranscriptPart[],
  part: TranscriptPart,
  breaks: readonly number[],
): boolean {
  const [startMs, endMs] = [open[0]?.startMs ?? 0, lastEnd(open)];
  if (part.startMs - endMs >= PAUSE_MS) return true;
  if (breaks.some((breakMs) => startMs < breakMs && breakMs <= part.startMs)) return true;
  if (part.endMs - startMs > MAX_PARAGRAPH_MS) return true;
  return endMs - startMs >= MIN_PARAGRAPH_MS && ENDS_SENTENCE.test(open.at(-1)?.text ?? '');
}

function paragraphOf(parts: readonly TranscriptPart[]): SpokenParagraph {
  let text = '';
  const placed = parts.map((part) => {
    if (text !== '') text += spaceBetween(text, part.text);
    const start = text.length;
    text += part.text;
    return { ...part, start };
  });
  const timeAt = (index: number, isEnd: boolean): number => {
    const part = placed.findLast(({ start }) => (isEnd ? start < index : start <= index));
    return part === undefined ? 0 : timeWithin(part, index - part.start);
  };
  return {
    startMs: parts[0]?.startMs ?? 0,
    endMs: lastEnd(parts),
    text,
    sentences: sentencesIn(text).map(({ start, end }) => ({
      start,
      end,
      startMs: timeAt(start, false),
      endMs: Math.max(timeAt(start, false), timeAt(end, true)),
    })),
  };
}

/** Time of a character, in proportion to its position. */
const timeWithin = ({ startMs, endMs, text }: TranscriptPart, index: number): number =>
  Math.round(startMs + (endMs - startMs) * Math.min(1, index / Math.max(1, text.length)));

function sentencesIn(text: string): { start: number; end: number }[] {
  const segments = new Intl.Segmenter(undefined, { granularity: 'sentence' }).segment(text);
  return [...segments].flatMap(({ segment, index }) => {
    const text = segment.trimEnd();
    return text === '' ? [] : [{ start: index, end: index + text.length }];
  });
}

/** Japanese and Chinese have no space between sentences. */
function spaceBetween(before: string, after: string): string {
  const cjk = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}。、！？]/u;
  return cjk.test(before.at(-1) ?? '') && cjk.test(after.at(0) ?? '') ? '' : ' ';
}

function splitLong(part: TranscriptPart, nextMs = Infinity): TranscriptPart[] {
  const timed = { ...part, endMs: Math.min(part.endMs, nextMs) };
  if (timed.endMs - part.startMs <= MAX_PARAGRAPH_MS) return [part];
  return sentencesIn(part.text).map(({ start, end }) => ({
    startMs: timeWithin(timed, start),
    endMs: timeWithin(timed, end),
    text: part.text.slice(start, end),
  }));
}
