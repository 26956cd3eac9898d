import type { EmbeddedPictures } from '../pictures/embedded-pictures.ts';
import { attribute, children, descendant, descendants, localName } from '../html/markup.ts';
import { type OfficeParts, partXml, relations } from './zip-package.ts';

const WORKBOOK = 'xl/workbook.xml';

export function sheetPictures(
  parts: OfficeParts,
  pictures: EmbeddedPictures,
): (sheet: string) => void {
  const paths = sheetPaths(parts);
  return (sheet) => {
    for (const drawing of relations(parts, paths.get(sheet) ?? '').values()) {
      if (drawing.type === 'drawing') writeDrawing(parts, drawing.path, { sheet, pictures });
    }
  };
}

function writeDrawing(
  parts: OfficeParts,
  path: string,
  { sheet, pictures }: { sheet: string; pictures: EmbeddedPictures },
): void {
  const part = partXml(parts, path);
  const root = part === null ? null : descendant(part, 'wsdr');
  if (root === null) return;
  const images = relations(parts, path);
  for (const anchor of children(root)) {
    if (!localName(anchor).endsWith('anchor')) continue;
    // A picture that stands apart from the cells has no row.
    const row = Number(descendant(anchor, 'row')?.textContent ?? 0);
    const location = { sheet, row: Number.isSafeInteger(row) && row >= 0 ? row + 1 : 1 };
    for (const blip of descendants(anchor, 'blip')) {
      pictures.write(images.get(attribute(blip, 'r:embed') ?? '')?.path ?? '', location);
    }
  }
}

function sheetPaths(parts: OfficeParts): Map<string, string> {
  const workbook = partXml(parts, WORKBOOK);
  const targets = relations(parts, WORKBOOK);
  const sheets = workbook === null ? [] : descendants(workbook, 'sheet');
  return new Map(
    sheets.flatMap((sheet) => {
      const target = targets.get(attribute(sheet, 'r:id') ?? '');
      return target === undefined ? [] : [[attribute(sheet, 'name') ?? '', target.path]];
    }),
  );
}
