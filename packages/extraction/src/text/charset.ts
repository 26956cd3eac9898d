import { analyse } from 'chardet';
import iconv from 'iconv-lite';
import { bufferOf } from '../bytes.ts';
import { ExtractionError } from '../errors.ts';
import { cleanText } from '../text-builder.ts';

const SAMPLE_BYTES = 65_536;

/** Tried in addition to chardet's guesses, which are weak for short texts. */
const CANDIDATES =
  'windows-1252 cp850 macintosh windows-1251 cp866 koi8-r Shift_JIS gb18030 EUC-KR Big5 EUC-JP'.split(
    ' ',
  );

/** The charset by byte order mark, UTF-8, zero bytes or likelihood. Null if it is not text. */
export function detectCharset(bytes: Uint8Array): string | null {
  const sample = bytes.subarray(0, SAMPLE_BYTES);
  if (sample[0] === 0xef && sample[1] === 0xbb && sample[2] === 0xbf) return 'utf-8';
  if (sample[0] === 0xff && sample[1] === 0xfe) return 'utf-16le';
  if (sample[0] === 0xfe && sample[1] === 0xff) return 'utf-16be';
  const counts = countBytes(sample);
  if (counts.even + counts.odd > 0)
    return utf16ByZeros(sample, counts) ?? sparseZeros(sample, counts) ?? utf16ByContent(sample);
  if (counts.control > sample.length * 0.005 + (sample.length > 200 ? 0 : 1)) {
    return utf16ByContent(sample);
  }
  if (isUtf8(sample)) return 'utf-8';
  return likeliestLegacy(sample, counts) ?? utf16ByContent(sample);
}

/** Decodes a text. Bytes that are invalid in `charset` become U+FFFD. */
export function decode(bytes: Uint8Array, charset: string): string {
  if (charset === 'utf-8') {
    const text = new TextDecoder('utf-8').decode(bytes);
    if (!text.includes('\ufffd') || isUtf8(bytes)) return text;
    const legacy = likeliestLegacy(bytes.subarray(0, SAMPLE_BYTES), countBytes(bytes));
    return mostlyUtf8(text) || legacy === null ? text : iconv.decode(bufferOf(bytes), legacy);
  }
  return iconv.decode(bufferOf(bytes), charset);
}

/** Charsets of file names in archives. The first of equal fits wins, DOS first. */
const NAME_CANDIDATES = 'cp437 cp866 Shift_JIS gb18030 EUC-KR Big5 windows-1252 windows-1251'.split(
  ' ',
);

export function charsetOfNames(names: readonly Uint8Array[]): string {
  const sample = Buffer.concat(names.flatMap((name) => [name, Buffer.from('\n')])).subarray(
    0,
    SAMPLE_BYTES,
  );
  if (isUtf8(sample)) return 'utf-8';
  const scores = NAME_CANDIDATES.map((name) => plausibility(iconv.decode(sample, name)));
  const best = Math.max(...scores);
  return NAME_CANDIDATES[scores.indexOf(best)] ?? 'cp437';
}

interface ByteCounts {
  even: number;
  odd: number;
  /** Control characters other than white space, escape and zero. */
  control: number;
}

function countBytes(bytes: Uint8Array): ByteCounts {
  const counts: ByteCounts = { even: 0, odd: 0, control: 0 };
  for (let index = 0; index < bytes.length; index += 1) {
    const byte = bytes[index] as number;
    if (byte === 0) {
      if (index % 2 === 0) counts.even += 1;
      else counts.odd += 1;
    } else if (byte < 0x20 && (byte < 0x09 || byte > 0x0d) && byte !== 0x1b) counts.control += 1;
  }
  return counts;
}

function utf16ByZeros(sample: Uint8Array, { even, odd }: ByteCounts): string | null {
  const half = Math.max(1, Math.floor(sample.length / 2));
  const charset = odd > even ? 'utf-16le' : 'utf-16be';
  const zeros = Math.max(even, odd);
  if (zeros < half * 0.3 || Math.min(even, odd) > half * 0.02) return null;
  const text = iconv.decode(bufferOf(sample.subarray(0, half * 2)), charset);
  const controls = text.match(/(?![\t-\r])\p{Cc}|\ufffd/gu)?.length ?? 0;
  return controls > text.length * 0.01 + 1 ? null : charset;
}

/** Characters of the scripts in common use. */
const COMMON =
  /[\t\n\r -~\u00a0-\u024f\u0370-\u06ff\u0900-\u0dff\u0e00-\u0eff\u1e00-\u1eff\u2010-\u2026\u20ac\u2116\u3000-\u30ff\u4e00-\u9fa5\uac00-\ud7a3\uff01-\uff5e]/gu;
/** In the wrong byte order, text decodes to characters of rare scripts. */
const MIN_COMMON_SHARE = 0.97;

/** UTF-16 without zero bytes, if it is plausible. */
function utf16ByContent(sample: Uint8Array): string | null {
  const even = bufferOf(sample.subarray(0, sample.length & ~1));
  let best: string | null = null;
  let bestShare = MIN_COMMON_SHARE;
  for (const charset of ['utf-16le', 'utf-16be']) {
    const text = iconv.decode(even, charset);
    const share = text.length < 4 ? 0 : (text.match(COMMON)?.length ?? 0) / text.length;
    if (share > bestShare && plausibility(text) > 0.5) [best, bestShare] = [charset, share];
  }
  return best;
}

const MAX_STRAY_SHARE = 0.1;

/** Text with a few stray zero bytes. */
function sparseZeros(sample: Uint8Array, { even, odd, control }: ByteCounts): string | null {
  if (even + odd + control > sample.length * MAX_STRAY_SHARE || sample.length < 8) return null;
  return isUtf8(sample) ? 'utf-8' : null;
}

/** Whether `bytes` are UTF-8, possibly cut within the last character. */
export function isUtf8(bytes: Uint8Array): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true });
    return true;
  } catch {
    return false;
  }
}

function mostlyUtf8(text: string): boolean {
  let bad = 0;
  let good = 0;
  for (const { 0: char } of text.slice(0, 1_000_000).matchAll(/[^\p{ASCII}]/gu)) {
    if (char === '\ufffd') bad += 1;
    else good += 1;
  }
  return bad <= good / 10;
}

function likeliestLegacy(sample: Uint8Array, counts: ByteCounts): string | null {
  if (counts.control > sample.length * 0.02) return null;
  const confidences = new Map(CANDIDATES.map((name) => [name, 0]));
  for (const guess of analyse(sample)) {
    const name = guess.name === 'ISO-8859-1' ? 'windows-1252' : guess.name;
    if (name === 'UTF-8' || name === 'ASCII' || !iconv.encodingExists(name)) continue;
    confidences.set(name, Math.max(confidences.get(name) ?? 0, guess.confidence / 100));
  }
  let best: string | null = null;
  let bestScore = -Infinity;
  for (const [name, confidence] of confidences) {
    const prior = name === 'windows-1252' ? 0.1 : 0;
    const score = plausibility(iconv.decode(bufferOf(sample), name)) + confidence * 0.4 + prior;
    if (score > bestScore) [best, bestScore] = [name, score];
  }
  if (bestScore < -0.5 || best === null) return null;
  return best === 'windows-1252' && isTurkish(iconv.decode(bufferOf(sample), best))
    ? 'windows-1254'
    : best;
}

/** Turkish decoded as Western has ý, þ, ð for ı, ş, ğ. Icelandic also has accents that Turkish lacks. */
function isTurkish(western: string): boolean {
  return /[ýþðÝÞÐ]/.test(western) && !/[áéíóúæåÁÉÍÓÚÆÅ]/.test(western);
}

const SYLLABIC = /[\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Han}\p{Script=Hangul}、。「」]/u;
const HALF_WIDTH = /[\uff61-\uff9f]/u;
const LATIN = /\p{Script=Latin}/u;
const OTHER_LETTER = /[\p{L}\p{M}]/u;
const UPPER = /\p{Lu}/u;
const LOWER = /\p{Ll}/u;
const PUNCTUATION = /[€£–—‘’‚“”„…«»°§©®•¿¡№´·\u00a0]/u;

/** How plausible the characters beyond ASCII are, from -3 to 1. */
function plausibility(text: string): number {
  let sum = 0;
  let count = 0;
  for (const match of text.matchAll(/[^\p{ASCII}]/gu)) {
    const before = text[match.index - 1] ?? ' ';
    const after = text[match.index + match[0].length] ?? ' ';
    sum += characterScore(match[0], before, after);
    count += 1;
  }
  return count === 0 ? 0 : sum / count;
}

function characterScore(char: string, before: string, after: string): number {
  if (/[\ufffd\u0080-\u009f\p{Co}\p{Cn}]/u.test(char)) return -3;
  if (HALF_WIDTH.test(char)) return -0.6;
  if (SYLLABIC.test(char)) return /[a-z]/.test(before) || /[a-z]/.test(after) ? -1 : 1;
  if (PUNCTUATION.test(char)) {
    const inside = OTHER_LETTER.test(before) && OTHER_LETTER.test(after);
    return inside && char !== '’' && char !== '·' ? -0.7 : 0.4;
  }
  if (!OTHER_LETTER.test(char) || /[ƒⁿ]/.test(char)) return -0.7;
  if (UPPER.test(char) && LOWER.test(before)) return -1;
  if (LATIN.test(char)) {
    const foreign = [before, after].filter((next) => next > '\u007f' && OTHER_LETTER.test(next));
    return foreign.length === 2 ? -1 : 0.8 - foreign.length * 0.4;
  }
  const alone = !OTHER_LETTER.test(before) && !OTHER_LETTER.test(after);
  const mixed = /[A-Za-z]/.test(before) || /[A-Za-z]/.test(after);
  return mixed ? -1 : alone ? 0 : 0.9;
}

/** Decodes text in its likeliest charset. Throws {@link ExtractionError} with `message`. */
export function decodeText(
  bytes: Uint8Array,
  message = 'This file is not text: it could not be read.',
): string {
  const charset = detectCharset(bytes);
  if (charset === null) throw new ExtractionError('damaged', message);
  return cleanText(decode(bytes, charset));
}
