import sharp, { type Sharp } from 'sharp';

/** A picture of printed text, and its lines in reading order. */
export interface PrintedPicture {
  name: string;
  bytes: Uint8Array;
  lines: string[];
}

const LETTER = [
  'The harbour office opens at eight on weekdays and',
  'at ten on Saturdays. Boats longer than twelve metres',
  'pay a fee of 48.50 for each night at the inner pier.',
  'Water and power are included; waste is collected by',
  'the crew of the Northern Light every second Tuesday.',
  'Questions go to Margaret Oyelaran, berth 17, or by',
  'telephone to 0473 928 615 before the first of March.',
];
const LEFT_COLUMN = [
  'Bees return to the hive',
  'when the pressure falls.',
  'Keepers watch them as',
  'others watch the glass.',
  'A quiet hive at noon is',
  'taken as a sure sign',
];
const RIGHT_COLUMN = [
  'The mill was rebuilt in',
  'stone after the flood of',
  '1784 and ground barley',
  'until the railway came.',
  'Its wheel now stands in',
  'the garden of the inn.',
];
const RECEIPT = [
  'CORNER GROCERY',
  '14 Alder Street',
  'Oat milk 2.35',
  'Rye bread 3.80',
  'Pears 1kg 2.95',
  'TOTAL 9.10',
  'Card ending 4471',
];

interface Style {
  size: number;
  font?: string;
  ink?: string;
  paper?: string;
  weight?: string;
}

interface Column {
  lines: readonly string[];
  left: number;
  top: number;
}

function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}

/** Draws columns of lines on a page of the given size in pixels. */
function printed(
  width: number,
  height: number,
  columns: readonly Column[],
  { size, font = 'Liberation Serif', ink = '#111', paper = '#fff', weight = 'normal' }: Style,
): Sharp {
  const texts = columns.flatMap(({ lines, left, top }) =>
    lines.map(
      (line, index) =>
        `<text x="${left}" y="${top + index * size * 1.45}">${escapeXml(line)}</text>`,
    ),
  );
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">
    <rect width="100%" height="100%" fill="${paper}"/>
    <g font-family="${font}" font-size="${size}" font-weight="${weight}" fill="${ink}">${texts.join('')}</g></svg>`;
  return sharp(Buffer.from(svg));
}

const letter = (style: Partial<Style> = {}): Sharp =>
  printed(1240, 700, [{ lines: LETTER, left: 110, top: 120 }], { size: 42, ...style });

/** A picture of a few lines of print, as PNG. */
export function printedLines(
  lines: readonly string[],
  { width = 640, height = 200, size = 40 }: { width?: number; height?: number; size?: number } = {},
): Promise<Buffer> {
  return png(printed(width, height, [{ lines, left: size / 2, top: size * 1.5 }], { size }));
}

/** Pictures as users have them: straight, rotated, skewed, faint, dark, small, noisy, in columns. */
export async function printedPictures(): Promise<PrintedPicture[]> {
  const small = (size: number, font?: string): Sharp =>
    printed(720, 360, [{ lines: LETTER, left: 40, top: 50 }], { size, ...(font ? { font } : {}) });
  const columns = printed(
    1240,
    620,
    [
      { lines: LEFT_COLUMN, left: 90, top: 110 },
      { lines: RIGHT_COLUMN, left: 680, top: 110 },
    ],
    { size: 38 },
  );
  const receipt = printed(420, 640, [{ lines: RECEIPT, left: 40, top: 70 }], {
    size: 28,
    font: 'DejaVu Sans Mono',
    ink: '#444',
    paper: '#eee',
  });
  const short = printed(
    600,
    300,
    [{ lines: ['Invoice 2207', 'Paid in full'], left: 60, top: 120 }],
    {
      size: 48,
      font: 'Liberation Sans',
    },
  );
  const board = printed(
    520,
    190,
    [{ lines: ['HARBOUR VIEW HOTEL', 'Rooms to let'], left: 30, top: 80 }],
    {
      size: 40,
      font: 'DejaVu Sans',
      ink: '#f4f1e4',
      paper: '#7a1f1f',
    },
  );
  const sign = sharp(await noise(1300, 900)).composite([
    { input: await png(board), left: 420, top: 330 },
  ]);
  const photographed = letter({ ink: '#333', paper: '#c9c2b4' })
    .blur(1.1)
    .composite([{ input: await noise(1240, 700), blend: 'soft-light' }]);
  const pictures: [name: string, picture: Sharp, lines: string[]][] = [
    ['straight', letter(), LETTER],
    ['bold sans', letter({ font: 'DejaVu Sans', weight: 'bold', size: 34 }), LETTER],
    ['turned 90', turned(await png(letter()), 90), LETTER],
    ['turned 180', turned(await png(letter()), 180), LETTER],
    ['turned 270', turned(await png(letter()), 270), LETTER],
    ['askew 2', turned(await png(letter()), 2), LETTER],
    ['askew -5', turned(await png(letter()), -5), LETTER],
    ['faint', letter({ ink: '#b5b5b5', paper: '#e2e2e2' }), LETTER],
    ['light on dark', letter({ ink: '#e8e8e8', paper: '#1d2433' }), LETTER],
    ['yellow on blue', letter({ ink: '#ffe36e', paper: '#24539c' }), LETTER],
    ['9 point at 100 dpi', small(12.5), LETTER],
    ['8 point sans at 100 dpi', small(11, 'Liberation Sans'), LETTER],
    ['screen 14 px', small(14, 'DejaVu Sans'), LETTER],
    ['clear background', letter({ paper: 'none' }), LETTER],
    ['two columns', columns, [...LEFT_COLUMN, ...RIGHT_COLUMN]],
    ['receipt', receipt, RECEIPT],
    ['askew 8', turned(await png(letter()), 8), LETTER],
    ['askew -12', turned(await png(letter()), -12), LETTER],
    ['columns turned 90', turned(await png(columns), 90), [...LEFT_COLUMN, ...RIGHT_COLUMN]],
    ['columns turned 270', turned(await png(columns), 270), [...LEFT_COLUMN, ...RIGHT_COLUMN]],
    ['short turned 180', turned(await png(short), 180), ['Invoice 2207', 'Paid in full']],
    ['short turned 270', turned(await png(short), 270), ['Invoice 2207', 'Paid in full']],
    ['sign', sign, ['HARBOUR VIEW HOTEL', 'Rooms to let']],
  ];
  const rendered = await Promise.all(
    pictures.map(async ([name, picture, lines]) => ({ name, lines, bytes: await png(picture) })),
  );
  return [
    ...rendered,
    { name: 'photographed', lines: LETTER, bytes: await jpeg(photographed, 60) },
    { name: 'poor jpeg', lines: LETTER, bytes: await jpeg(letter(), 12) },
    {
      name: 'turned and askew photo',
      lines: LETTER,
      bytes: await jpeg(turned(await png(photographed), 93), 60),
    },
  ];
}

function png(picture: Sharp): Promise<Buffer> {
  return picture.png().toBuffer();
}

function jpeg(picture: Sharp, quality: number): Promise<Buffer> {
  return picture.flatten({ background: '#fff' }).jpeg({ quality }).toBuffer();
}

function turned(bytes: Uint8Array, degrees: number): Sharp {
  return sharp(bytes).rotate(degrees, { background: '#fff' });
}

/** Deterministic noise (a linear congruential generator, Numerical Recipes). */
async function noise(width: number, height: number): Promise<Buffer> {
  const grain = Buffer.alloc(width * height * 3);
  let state = 7;
  for (let index = 0; index < grain.length; index += 1) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    grain[index] = 60 + (state >>> 24) * 0.53;
  }
  return png(sharp(grain, { raw: { width, height, channels: 3 } }));
}

/** Pictures without text: noise, stones on grass, stripes, a plain surface, a shaded one. */
export async function pictures(): Promise<{ name: string; bytes: Uint8Array }[]> {
  const shapes = (paint: (i: number, x: number, y: number) => string): Sharp => {
    let state = 11;
    const next = (max: number): number => {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
      return Math.floor((state / 4_294_967_296) * max);
    };
    const marks = Array.from({ length: 260 }, (_, index) => paint(index, next(1200), next(800)));
    return sharp(
      Buffer.from(
        `<svg xmlns="http://www.w3.org/2000/svg" width="1200" height="800"><rect width="1200" height="800" fill="#5d7a46"/>${marks.join('')}</svg>`,
      ),
    );
  };
  const gray = (i: number): string =>
    `rgb(${90 + (i % 7) * 18},${88 + (i % 5) * 22},${100 + (i % 3) * 30})`;
  return [
    { name: 'grain', bytes: await noise(1000, 700) },
    {
      name: 'stones',
      bytes: await jpeg(
        shapes(
          (i, x, y) =>
            `<ellipse cx="${x}" cy="${y}" rx="${8 + (i % 40)}" ry="${6 + (i % 23)}" fill="${gray(i)}" transform="rotate(${i * 13} ${x} ${y})"/>`,
        ),
        70,
      ),
    },
    {
      name: 'twigs',
      bytes: await jpeg(
        shapes(
          (i, x, y) =>
            `<path d="M${x} ${y} q${20 + (i % 30)} ${-40 + (i % 80)} ${60 - (i % 90)} ${30 - (i % 60)}" stroke="${gray(i)}" stroke-width="${2 + (i % 5)}" fill="none"/>`,
        ),
        70,
      ),
    },
    {
      name: 'stripes',
      bytes: await png(shapes((i) => `<rect x="${i * 40}" width="20" height="800" fill="#223"/>`)),
    },
    {
      name: 'even',
      bytes: await png(
        sharp({ create: { width: 900, height: 600, channels: 3, background: '#fff' } }),
      ),
    },
  ];
}
