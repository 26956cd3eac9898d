export interface PdfItem {
  str: string;
  /** The text matrix: [a, b, c, d, x, y], the y axis pointing up. */
  transform: number[];
  width: number;
  /** The document's own name for the font: it tells fonts apart and nothing else. */
  fontName?: string;
}

/** But those from U+0080 on, which tell a font without a map. */
const CONTROLS = /(?![\u0080-\u009f])\p{Cc}/gu;
const COMPATIBILITY = /[\ufb00-\ufb06\ufb13-\ufb17\u2000-\u200a\u202f\u3000]/g;
const PRIVATE = /[\p{Co}\ufffd]/gu;
/** PDF.js reverses the lam-alef ligature of the Arabic article. No word has two alefs in a row. */
const TURNED_ARTICLE = /ا([أإآ])ل/gu;
const INVISIBLE = /[\u200b\u2060\ufeff]/g;
const PLAIN = /^[\u0020-\u007e\u00a0-\u05ff]*$/;
/** What some programs write where a font's ff is not named. */
const NAMELESS_FF = '\u21b5';

/** Normalises ligatures and spaces. Unnamed ligatures of TeX fonts are recognised by width. */
export function readable(item: PdfItem, before: string, after: string): string {
  const { str } = item;
  if (str === '\0' || str === NAMELESS_FF) {
    return namelessLigature(item, /\p{L}$/u.test(before), /^\p{Ll}/u.test(after));
  }
  if (PLAIN.test(str)) return str;
  return str
    .replace(COMPATIBILITY, (sign) => sign.normalize('NFKC'))
    .replace(CONTROLS, ' ')
    .replace(PRIVATE, ' ')
    .replace(INVISIBLE, '')
    .replace(TURNED_ARTICLE, 'ال$1');
}

/** The widths of Computer Modern's ligatures: ff .58 and ffi .83 of the font size. */
function namelessLigature(item: PdfItem, follows: boolean, leads: boolean): string {
  const [a = 1, b = 0] = item.transform;
  const wide = item.width / (Math.hypot(a, b) || 1);
  if (item.str === NAMELESS_FF) {
    return wide > 0.5 && wide < 0.7 && (follows || leads) ? 'ff' : item.str;
  }
  return wide > 0.75 && wide < 0.95 && follows && leads ? 'ffi' : ' ';
}

export function isRightToLeft(text: string): boolean {
  return /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/.test(text);
}
