import { readFile } from 'node:fs/promises';

/** A scanned page: a grayscale JPEG of printed text and nothing else. */
export interface Scan {
  jpeg: Uint8Array<ArrayBuffer>;
  /** Pixels. */
  width: number;
  height: number;
}

/** Printed pages, by their text. */
export async function readScan(name: 'harbour' | 'mill'): Promise<Scan> {
  const file = await readFile(new URL(`./scans/${name}.jpg`, import.meta.url));
  return { jpeg: new Uint8Array(file), width: 1000, height: 278 };
}

/** A PDF whose pages are scans, without a text layer. */
export function scannedPdf(scans: readonly Scan[]): Uint8Array<ArrayBuffer> {
  const pieces: Buffer[] = [Buffer.from('%PDF-1.4\n')];
  const offsets: number[] = [];
  const length = (): number => pieces.reduce((sum, piece) => sum + piece.length, 0);
  const object = (dictionary: string, stream?: Uint8Array): number => {
    offsets.push(length());
    const number = offsets.length;
    const body = stream ? [Buffer.from('\nstream\n'), stream, Buffer.from('\nendstream')] : [];
    pieces.push(
      Buffer.concat([Buffer.from(`${number} 0 obj\n${dictionary}`), ...body]),
      Buffer.from('\nendobj\n'),
    );
    return number;
  };
  // Each page is three objects. The page tree and the catalog follow them.
  const tree = scans.length * 3 + 1;
  const pages = scans.map(({ jpeg, width, height }) => {
    const image = object(
      `<</Type/XObject/Subtype/Image/Width ${width}/Height ${height}/ColorSpace/DeviceGray/BitsPerComponent 8/Filter/DCTDecode/Length ${jpeg.length}>>`,
      jpeg,
    );
    const [w, h] = [width * 0.48, height * 0.48];
    const drawing = Buffer.from(`${w} 0 0 ${h} 0 0 cm /Scan Do`);
    const content = object(`<</Length ${drawing.length}>>`, drawing);
    return object(
      `<</Type/Page/Parent ${tree} 0 R/MediaBox[0 0 ${w} ${h}]/Contents ${content} 0 R/Resources<</XObject<</Scan ${image} 0 R>>>>>>`,
    );
  });
  const kids = pages.map((page) => `${page} 0 R`).join(' ');
  object(`<</Type/Pages/Count ${pages.length}/Kids[${kids}]>>`);
  const catalog = object(`<</Type/Catalog/Pages ${tree} 0 R>>`);
  const table = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('');
  const size = offsets.length + 1;
  pieces.push(
    Buffer.from(
      `xref\n0 ${size}\n0000000000 65535 f \n${table}trailer\n<</Size ${size}/Root ${catalog} 0 R>>\nstartxref\n${length()}\n%%EOF\n`,
    ),
  );
  return new Uint8Array(Buffer.concat(pieces));
}
