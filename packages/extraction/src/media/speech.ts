import type { TranscriptPart } from '../types.ts';

/**
 * Marks that a model sets where nobody speaks: [BLANK_AUDIO], (music), *sighs*, ♪. They are words:
 * the brackets of 'f(x)' and '(a)' and the stars of '2 * 3 * 4' are what was said.
 */
const MARK =
  /\[[^\]]{0,60}\]|\((?=[^)]{0,57}(?:\p{L}{3}|\p{Lo}{2}))[^)]{0,60}\)|\*(?=[^*]{0,57}(?:\p{L}{3}|\p{Lo}{2}))[^*]{0,60}\*|[♪♫]+/gu;

/**
 * What speech models say into silence, because the captions they learned from end so. Said by itself,
 * away from all other speech, it is taken for that.
 */
const STOCK = new RegExp(
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

/** Farther than this from other speech is away from it, in milliseconds. */
const ALONE_MS = 5000;
/** A phrase so often in a row is a model that got stuck. */
const STUCK = 4;

const plain = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^\p{Letter}\p{Number}. ]+/gu, ' ')
    .replace(/(?<!\p{Letter})\.|\.(?!\p{Letter})/gu, ' ')
    .replace(/\s+/gu, ' ')
    .trim();

/** Numbers that are read out repeat themselves, and each counts. */
const isNumber = (text: string): boolean => /\p{N}/u.test(text) && !/\p{L}/u.test(text);

/** 'Thank you. Thank you. Thank you. Thank you.' is what a stuck model says: once is enough. */
function unstuck(text: string): string {
  return text.replace(
    /(?<![\p{L}\p{N}])(\S.{0,80}?)(?:\s+\1){3,}(?![\p{L}\p{N}])/gu,
    (all, once: string) => (isNumber(once) ? all : once),
  );
}

/**
 * What was really said: without marks for music and silence, what a stuck model repeats, and what
 * models say into silence. Times rise and stay within the recording.
 */
export function cleanTranscript(
  parts: readonly TranscriptPart[],
  durationMs: number | null,
): TranscriptPart[] {
  const within = (ms: number): number =>
    Math.max(0, Math.min(Number.isFinite(ms) ? Math.round(ms) : 0, durationMs ?? Infinity));
  const timed = parts
    .map(({ startMs, endMs, text }) => {
      const words = unstuck(text.replace(MARK, ' ').replace(/\s+/gu, ' ').trim());
      return { startMs: within(startMs), endMs: within(endMs), text: words };
    })
    .filter(({ text }) => /[\p{Letter}\p{Number}]/u.test(text))
    .sort((a, b) => a.startMs - b.startMs);
  let reached = 0;
  const rising = timed.map((part) => {
    const startMs = Math.max(reached, part.startMs);
    const endMs = Math.max(startMs, part.endMs);
    reached = startMs;
    return { startMs, endMs, text: part.text };
  });
  return withoutStock(withoutRepeats(rising));
}

function withoutRepeats(parts: readonly TranscriptPart[]): TranscriptPart[] {
  const kept: TranscriptPart[] = [];
  for (let at = 0; at < parts.length;) {
    const first = parts[at];
    if (first === undefined) break;
    let next = at + 1;
    while (next < parts.length && plain(parts[next]?.text ?? '') === plain(first.text)) next += 1;
    kept.push(...(next - at >= STUCK && !isNumber(first.text) ? [first] : parts.slice(at, next)));
    at = next;
  }
  return kept;
}

function withoutStock(parts: readonly TranscriptPart[]): TranscriptPart[] {
  const stock = (part: TranscriptPart): boolean => STOCK.test(plain(part.text));
  const speech = parts.filter((part) => !stock(part));
  return parts.filter((part) => {
    if (!stock(part)) return true;
    return speech.some(
      (other) => other.startMs - part.endMs < ALONE_MS && part.startMs - other.endMs < ALONE_MS,
    );
  });
}

/** A pause that ends a paragraph, and the lengths one should have, in milliseconds. */
const PAUSE_MS = 2000;
const ENOUGH_MS = 20_000;
const LONGEST_MS = 40_000;

const ENDS_SENTENCE = /[.!?…。！？]["'”’»)]*$/u;

/**
 * Puts what was said together into paragraphs: some sentences of 20 to 40 seconds that end where a
 * sentence ends or the speaker pauses, and at the times in `breaks`.
 */
export function toParagraphs(
  parts: readonly TranscriptPart[],
  breaks: readonly number[] = [],
): TranscriptPart[] {
  const paragraphs: TranscriptPart[] = [];
  let open: TranscriptPart | null = null;
  for (const part of parts.flatMap((each, at) => sentences(each, parts[at + 1]?.startMs))) {
    if (open !== null && endsBefore(open, part, breaks)) {
      paragraphs.push(open);
      open = null;
    }
    open =
      open === null
        ? { ...part }
        : {
            startMs: open.startMs,
            endMs: Math.max(open.endMs, part.endMs),
            text: `${open.text}${spaceBetween(open.text, part.text)}${part.text}`,
          };
  }
  if (open !== null) paragraphs.push(open);
  return paragraphs;
}

function endsBefore(
  open: TranscriptPart,
  part: TranscriptPart,
  breaks: readonly number[],
): boolean {
  if (part.startMs - open.endMs >= PAUSE_MS) return true;
  if (breaks.some((at) => open.startMs < at && at <= part.startMs)) return true;
  if (part.endMs - open.startMs > LONGEST_MS) return true;
  return open.endMs - open.startMs >= ENOUGH_MS && ENDS_SENTENCE.test(open.text);
}

/** Japanese and Chinese set no space between sentences. */
function spaceBetween(before: string, after: string): string {
  const cjk = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}。、！？]/u;
  return cjk.test(before.at(-1) ?? '') && cjk.test(after.at(0) ?? '') ? '' : ' ';
}

/** A part that is too long for a paragraph in sentences, their times in proportion to their length. */
function sentences(part: TranscriptPart, nextMs = Infinity): TranscriptPart[] {
  const whole = Math.min(part.endMs, nextMs) - part.startMs;
  if (whole <= LONGEST_MS) return [part];
  const texts = [...new Intl.Segmenter(undefined, { granularity: 'sentence' }).segment(part.text)];
  const timeAt = (index: number): number =>
    Math.round(part.startMs + (whole * index) / part.text.length);
  return texts.map(({ segment, index }) => ({
    startMs: timeAt(index),
    endMs: timeAt(index + segment.length),
    text: segment.trim(),
  }));
}
