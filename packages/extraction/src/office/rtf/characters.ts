import iconv from 'iconv-lite';

/** Code pages by the number of a font's character set (RTF 1.9.1, 'Font Table'). */
const BY_CHARSET: Record<number, number> = {
  0: 1252,
  77: 10000,
  78: 932,
  79: 949,
  80: 936,
  81: 950,
  83: 10005,
  85: 10006,
  86: 10081,
  88: 10029,
  89: 10007,
  128: 932,
  129: 949,
  130: 1361,
  134: 936,
  136: 950,
  161: 1253,
  162: 1254,
  163: 1258,
  177: 1255,
  178: 1256,
  186: 1257,
  204: 1251,
  222: 874,
  238: 1250,
  254: 437,
};
/** The character set of symbol fonts such as Wingdings. */
const SYMBOLS = 2;
const MACINTOSH: Record<number, string> = {
  10000: 'macintosh',
  10006: 'macgreek',
  10007: 'maccyrillic',
  10029: 'maccenteuro',
  10081: 'macturkish',
};
export const CHARACTERS: Record<string, string> = {
  tab: '\t',
  line: '\n',
  lbr: '\n',
  softline: '\n',
  emdash: '—',
  endash: '–',
  emspace: ' ',
  enspace: ' ',
  qmspace: ' ',
  bullet: '•',
  lquote: '‘',
  rquote: '’',
  ldblquote: '“',
  rdblquote: '”',
  '~': '\u00a0',
  _: '‑',
  '-': '',
  '{': '{',
  '}': '}',
  '\\': '\\',
};

/** Decodes the bytes of one file. Each font may have a code page of its own. */
export function createCharacters() {
  let page = 1252;
  const pages = new Map<number, number>();
  const symbols = new Set<number>();
  const pageOf = (font: number | null): number => (font === null ? page : pages.get(font)) ?? page;
  return {
    setPage(number: number): void {
      if (nameOf(number) !== null) page = number;
    },
    setFontPage(font: number, number: number): void {
      if (number !== 0 && nameOf(number) !== null) pages.set(font, number);
    },
    setFontCharset(font: number, charset: number): void {
      const known = BY_CHARSET[charset];
      if (charset === SYMBOLS) symbols.add(font);
      // Many programs declare the Western character set for every code page.
      else if (known !== undefined && charset !== 0) pages.set(font, known);
    },
    decode(font: number | null, bytes: Buffer): string {
      if (font !== null && symbols.has(font)) {
        return bytes.toString('latin1').replace(/[\x80-\xff]/g, '•');
      }
      return iconv.decode(bytes, nameOf(pageOf(font)) ?? 'windows-1252');
    },
  };
}

/** The library's name of a code page, or null if it is unknown. */
function nameOf(page: number): string | null {
  const name = page === 65001 ? 'utf-8' : (MACINTOSH[page] ?? `cp${page}`);
  return iconv.encodingExists(name) ? name : null;
}
