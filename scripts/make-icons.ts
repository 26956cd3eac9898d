import { readFileSync } from 'node:fs';
import path from 'node:path';
import sharp from 'sharp';

/**
 * Draws the icons of the installed app. Run it after changing `icon.svg`:
 * `node scripts/make-icons.ts`.
 */
const publicFolder = path.resolve(import.meta.dirname, '../apps/web/public');
const icon = readFileSync(path.join(publicFolder, 'icon.svg'), 'utf8');

/** Without round corners, for systems that cut icons into their own shape. */
const fullBleed = icon.replace(/ rx="\d+"/u, '');
/** Without background, for systems that color icons. */
const mark = icon.replace(/<rect[^>]*>/u, '');

const drawings = [
  { file: 'icons/icon-192.png', svg: icon, size: 192 },
  { file: 'icons/icon-512.png', svg: icon, size: 512 },
  { file: 'icons/maskable-512.png', svg: fullBleed, size: 512 },
  { file: 'icons/monochrome-512.png', svg: mark, size: 512 },
  { file: 'icons/apple-touch-icon.png', svg: fullBleed, size: 180 },
];

for (const { file, svg, size } of drawings) {
  // The density at which the drawing, 32 units wide, has the size of the icon.
  const density = (72 * size) / 32;
  await sharp(Buffer.from(svg), { density })
    .resize(size, size)
    .png({ compressionLevel: 9, palette: false })
    .toFile(path.join(publicFolder, file));
  console.log(`${file}: ${size} × ${size}`);
}
