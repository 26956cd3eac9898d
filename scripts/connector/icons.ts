import { readFileSync } from 'node:fs';
import path from 'node:path';
import sharp from 'sharp';

const drawing = readFileSync(
  path.resolve(import.meta.dirname, '../../apps/web/public/icon.svg'),
  'utf8',
);

/** The width of the drawing. */
const DRAWING_UNITS = 32;

/** The icon as a PNG, with a transparent margin as a share of the size. */
async function png(size: number, margin = 0): Promise<Buffer> {
  const inner = Math.round(size * (1 - 2 * margin));
  const edge = Math.floor((size - inner) / 2);
  return sharp(Buffer.from(drawing), { density: (72 * inner) / DRAWING_UNITS })
    .resize(inner, inner)
    .extend({
      top: edge,
      left: edge,
      bottom: size - inner - edge,
      right: size - inner - edge,
      background: '#00000000',
    })
    .png()
    .toBuffer();
}

/** The icon in the sizes of lists, the task bar and large tiles. */
export const windowsIcons = (): Promise<{ size: number; png: Buffer }[]> =>
  Promise.all([16, 24, 32, 48, 64, 256].map(async (size) => ({ size, png: await png(size) })));

/** A part of an .icns file: a name of four letters, the length including this head, and the content. */
function part(name: string, content: Buffer): Buffer {
  const head = Buffer.alloc(8);
  head.write(name, 'latin1');
  head.writeUInt32BE(head.length + content.length, 4);
  return Buffer.concat([head, content]);
}

/** Icons of macOS have a margin of a tenth on each side. */
const MAC_MARGIN = 0.1;

/** The icon as .icns: PNGs of several sizes in one file. */
export async function macIcon(): Promise<Buffer> {
  const names = { ic07: 128, ic08: 256, ic09: 512, ic10: 1024 };
  const parts = await Promise.all(
    Object.entries(names).map(async ([name, size]) => part(name, await png(size, MAC_MARGIN))),
  );
  return part('icns', Buffer.concat(parts));
}
