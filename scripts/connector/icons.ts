import { readFileSync } from 'node:fs';
import path from 'node:path';
import sharp from 'sharp';

const drawing = readFileSync(
  path.resolve(import.meta.dirname, '../../apps/web/public/icon.svg'),
  'utf8',
);

/** The drawing is 32 units wide. */
const DRAWN = 32;

/** The icon at a size, as a PNG; around it a share of the size stays empty. */
async function png(size: number, around = 0): Promise<Buffer> {
  const inner = Math.round(size * (1 - 2 * around));
  const edge = Math.floor((size - inner) / 2);
  return sharp(Buffer.from(drawing), { density: (72 * inner) / DRAWN })
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

export interface SizedPicture {
  size: number;
  png: Buffer;
}

/** The sizes that Windows shows: in lists, on the task bar, in large tiles. */
export const windowsIcons = (): Promise<SizedPicture[]> =>
  Promise.all([16, 24, 32, 48, 64, 256].map(async (size) => ({ size, png: await png(size) })));

/** A part of an .icns file: a name of four letters, its length with this head, and what it is. */
function part(name: string, content: Buffer): Buffer {
  const head = Buffer.alloc(8);
  head.write(name, 'latin1');
  head.writeUInt32BE(head.length + content.length, 4);
  return Buffer.concat([head, content]);
}

/** Icons of macOS stand free: a tenth on each side is empty. */
const AROUND = 0.1;

/** The icon as macOS wants it: PNGs of several sizes, each under its name, in one file. */
export async function macIcon(): Promise<Buffer> {
  const names = { ic07: 128, ic08: 256, ic09: 512, ic10: 1024 };
  const parts = await Promise.all(
    Object.entries(names).map(async ([name, size]) => part(name, await png(size, AROUND))),
  );
  return part('icns', Buffer.concat(parts));
}
