/** Abbreviations that a voice would spell out letter by letter, by language (ISO 639-1). */
const ABBREVIATIONS: Readonly<Record<string, readonly (readonly [RegExp, string])[]>> = {
  en: [
    [/\be\.\s?g\./giu, 'for example'],
    [/\bi\.\s?e\./giu, 'that is'],
    [/\betc\.(?=\s+\p{Lu}|$)/giu, 'and so on.'],
    [/\betc\./giu, 'and so on'],
    [/\bapprox\./giu, 'approximately'],
    [/\bvs\.?(?=\s)/giu, 'versus'],
  ],
  de: [
    [/\bz\.\s?B\./gu, 'zum Beispiel'],
    [/\bd\.\s?h\./gu, 'das heißt'],
    [/\bu\.\s?a\./gu, 'unter anderem'],
    [/\busw\./gu, 'und so weiter'],
    [/\bbzw\./gu, 'beziehungsweise'],
    [/\bca\./gu, 'circa'],
  ],
  fr: [
    [/\bp\.\s?ex\./giu, 'par exemple'],
    [/\bc\.-à-d\./giu, 'c’est-à-dire'],
  ],
  es: [[/\bp\.\s?ej\./giu, 'por ejemplo']],
};

const CITATIONS = /(?:(?<!\s)\s+)?\[\d+(?:\s*[,;–-]\s*\d+)*\]/gu;

const EMOJI =
  /(?:[\p{Extended_Pictographic}\p{Emoji_Modifier}\p{Regional_Indicator}\u{FE0E}\u{FE0F}\u{20E3}\u{E0000}-\u{E007F}]\u200D?)+/gu;

const URLS = /\bhttps?:\/\/[^\s<>"']+|\bwww\.[^\s<>"']+/giu;

const UNSPEAKABLE = /[\w+/=-]{60,}/gu;

const ISO_DATE = /(?<![\d-])(\d{4})-(\d\d)-(\d\d)(?![\d-])/gu;

const CURRENCY_BEFORE =
  /([$€£¥₹])\s?(\d[\d.,]*\d|\d)(?:(\s?(?:thousand|million|billion|trillion)|k|m|bn)(?!\p{L}))?/giu;

const MAGNITUDES: Readonly<Record<string, string>> = { k: 'thousand', m: 'million', bn: 'billion' };

function spokenAddress(address: string): string {
  const tail = /(?<![.,;:!?)\]])[.,;:!?)\]]+$/u.exec(address)?.[0] ?? '';
  const bare = address.slice(0, address.length - tail.length);
  const url = URL.parse(bare.startsWith('www.') ? `https://${bare}` : bare);
  if (!url) return ' ';
  const path = url.pathname.replace(/\.html?$/u, '').replaceAll(/[^\p{L}\p{N}]+/gu, ' ');
  return `${url.hostname.replace(/^www\./u, '')} ${path.trim()}${tail}`;
}

function spokenAmount(text: string, sign: string, number: string, magnitude = ''): string {
  const unit = magnitude.trim();
  return [number, MAGNITUDES[unit.toLowerCase()] ?? unit, sign].filter(Boolean).join(' ');
}

function spokenDate(language: string, [text, year, month, day]: RegExpMatchArray): string {
  const date = new Date(Date.UTC(Number(year), Number(month) - 1, Number(day)));
  // Not a valid date.
  if (!date.toISOString().startsWith(text)) return text.replaceAll('-', ' ');
  return new Intl.DateTimeFormat(language, { dateStyle: 'long', timeZone: 'UTC' }).format(date);
}

/**
 * Prepares text for a voice: removes citation marks, emoji, quotation marks and Markdown, and spells
 * out abbreviations, URLs, dates and amounts of money.
 * @param language ISO 639-1
 */
export function readableText(text: string, language: string): string {
  let spoken = text.normalize('NFC').replaceAll(CITATIONS, '').replaceAll(EMOJI, ' ');
  for (const [pattern, words] of ABBREVIATIONS[language] ?? []) {
    spoken = spoken.replaceAll(pattern, words);
  }
  return (
    spoken
      .replaceAll(URLS, spokenAddress)
      .replaceAll(UNSPEAKABLE, ' ')
      .replaceAll(ISO_DATE, (...match) => spokenDate(language, match as RegExpMatchArray))
      .replaceAll(CURRENCY_BEFORE, spokenAmount)
      // An asterisk between numbers means multiplication. Others are markup.
      .replaceAll(/(?<=\d)\s*\*\s*(?=\d)/gu, ' × ')
      .replaceAll(/\b([A-G])#/gu, '$1 sharp')
      .replaceAll(/[*_#|`~^{}[\]\\"“”„«»‹›]|[<>](?!\s?\d)/gu, ' ')
      .replaceAll(/(?<!\s)\s+[–—-]+\s+|(?:(?<!\s)\s+)?[—•‣▪·→⇒]+\s*/gu, ', ')
      .replaceAll(/(?:(?<!\s)\s+)?…|\.{3,}/gu, '. ')
      // Invisible characters, except for joiners of Persian and Indian scripts.
      .replaceAll(/[\p{Cc}\p{Cf}\p{Co}\p{Cs}]/gu, (mark) =>
        /[\u200C\u200D]/u.test(mark) ? mark : ' ',
      )
      .replaceAll(/\s+/gu, ' ')
      .replaceAll(/ (?=[.,;:!?…)。，、])/gu, '')
      .replaceAll(/[,;](?:\s*[,;])+/gu, ',')
      .replaceAll(/[,;]\s*(?=[.!?:])/gu, '')
      .replace(/^[\s,;:.)]+/u, '')
      .trim()
  );
}
