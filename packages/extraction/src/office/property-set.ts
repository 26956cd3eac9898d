const TITLE = 2;
const CODE_PAGE = 1;
/** Types of a property's value ([MS-OLEPS] 2.15): text in a code page, text in UTF-16. */
const TEXT = 0x1e;
const WIDE_TEXT = 0x1f;

/**
 * The title in a stream 'SummaryInformation' of an Office file, by [MS-OLEPS] 2.21: a list of
 * properties by number, each with a type and a value.
 *
 * @returns null when the stream names none
 */
export function documentTitle(stream: Uint8Array | undefined): string | null {
  if (stream === undefined || stream.length < 48) return null;
  const view = new DataView(stream.buffer, stream.byteOffset, stream.length);
  const base = view.getUint32(44, true);
  const uint32 = (at: number): number => (at + 4 <= stream.length ? view.getUint32(at, true) : 0);
  const places = new Map<number, number>();
  const count = Math.min(uint32(base + 4), 100);
  for (let at = 0; at < count; at += 1) {
    places.set(uint32(base + 8 + at * 8), base + uint32(base + 12 + at * 8));
  }
  const place = places.get(TITLE);
  if (place === undefined) return null;
  const length = uint32(place + 4);
  const start = place + 8;
  if (uint32(place) === WIDE_TEXT) {
    return decoded(stream.subarray(start, start + length * 2), 'utf-16le');
  }
  if (uint32(place) !== TEXT) return null;
  const codePage = uint32((places.get(CODE_PAGE) ?? stream.length) + 4) & 0xffff;
  return decoded(stream.subarray(start, start + length), charsetOf(codePage));
}

function charsetOf(codePage: number): string {
  if (codePage === 65001) return 'utf-8';
  if (codePage === 1200) return 'utf-16le';
  if (codePage === 932) return 'shift_jis';
  if (codePage === 936) return 'gb18030';
  if (codePage === 949) return 'euc-kr';
  if (codePage === 950) return 'big5';
  if (codePage === 10000) return 'macintosh';
  return codePage >= 1250 && codePage <= 1258 ? `windows-${codePage}` : 'windows-1252';
}

function decoded(bytes: Uint8Array, charset: string): string {
  return new TextDecoder(charset).decode(bytes).replace(/\0.*/s, '');
}
