import type { FormatInput } from '../format.ts';
import { boundDepth } from '../html/markup-depth.ts';
import { damaged, partText, repack } from './zip-package.ts';
import { MAX_COLUMNS } from '../limits.ts';
import { readOdfParts } from './odf.ts';
import { cleanTitle } from '../text-builder.ts';
import type { Extraction } from '../types.ts';
import { openWorkbook, writeSheets } from './xlsx.ts';

const CONTENT = 'content.xml';

export function read(input: FormatInput): Extraction {
  const { bytes, builder } = input;
  const parts = readOdfParts(bytes, (path) =>
    /^(?:mimetype|(?:content|styles|meta)\.xml|META-INF\/manifest\.xml)$/.test(path),
  );
  const content = partText(parts, CONTENT);
  // The library accepts any text as a sheet.
  if (content === null || !/<(?:\w+:)?document-content\b/.test(content)) throw damaged();
  const { xml, left } = boundRepeats(boundDepth(content, { xml: true }));
  if (left) builder.note('Cells that repeat without an end were read once.');
  parts.set(CONTENT, new TextEncoder().encode(xml));
  // The library requires styles.
  if (!parts.has('styles.xml')) parts.set('styles.xml', new TextEncoder().encode('<styles/>'));
  const workbook = openWorkbook(repack(parts));
  writeSheets(workbook, input);
  return builder.finish({
    title: cleanTitle(workbook.Props?.Title),
    parts: workbook.SheetNames.length,
  });
}

const MAX_REPEATED = 500_000;

const TAG = /<(?:\w+:)?table-(row|cell)\b[^<>]*>/g;
const REPEATED = /\bnumber-(?:rows|columns)-repeated="(\d+)"/;
/** A row ends at its end tag or the next row. */
const NEXT_ROW = /<\/?(?:\w+:)?table-row\b/g;
/** Values of other types, for which the library rejects the workbook. */
const OTHER_VALUE =
  /\boffice:value-type="(?!(?:float|percentage|currency|date|time|boolean|string)")[^"<>]*"/g;

/** Bounds repeated cells, which can expand to more than any memory. Blank ones stay. */
function boundRepeats(content: string): { xml: string; left: boolean } {
  let budget = MAX_REPEATED;
  let left = false;
  let rows = 1;
  const spend = (cells: number): boolean => {
    if (cells > budget) {
      left = true;
      return false;
    }
    budget -= cells;
    return true;
  };
  const source = content.replace(OTHER_VALUE, '');
  const bounded = source.replace(TAG, (tag, kind: string, at: number) => {
    const count = Number(REPEATED.exec(tag)?.[1] ?? '1');
    if (kind === 'row') {
      rows = 1;
      if (count <= 1 || tag.endsWith('/>')) return tag;
      const cells = filledCells(source, at + tag.length);
      if (cells === 0) return tag;
      if (!spend(cells * count)) return repeated(tag, 1);
      rows = count;
      return tag;
    }
    if (count <= 1 || tag.endsWith('/>')) return tag;
    // Cells of a repeated row are counted with the row.
    const columns = Math.min(count, MAX_COLUMNS);
    return rows === 1 && !spend(columns) ? repeated(tag, 1) : repeated(tag, columns);
  });
  return { xml: bounded, left };
}

const repeated = (tag: string, count: number): string =>
  tag.replace(REPEATED, (attribute, old: string) => attribute.replace(old, String(count)));

function filledCells(source: string, start: number): number {
  NEXT_ROW.lastIndex = start;
  const end = NEXT_ROW.exec(source)?.index ?? source.length;
  let cells = 0;
  for (const [tag, kind] of source.slice(start, end).matchAll(TAG)) {
    if (kind === 'cell' && !tag.endsWith('/>')) {
      cells += Math.min(Number(REPEATED.exec(tag)?.[1] ?? '1'), MAX_COLUMNS);
    }
  }
  return cells;
}
