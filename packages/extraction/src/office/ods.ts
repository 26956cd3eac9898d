import type { Format, FormatInput } from '../format.ts';
import { boundDepth } from '../html/markup-depth.ts';
import { damaged, partText, repack } from './zip-package.ts';
import { boundRepeats } from './open-document/repeats.ts';
import { readOdfParts } from './open-document/package.ts';
import { cleanTitle } from '../text-builder.ts';
import type { Extraction } from '../types.ts';
import { openWorkbook, writeSheets } from './xlsx.ts';

/** OpenDocument spreadsheets: a segment a row, values as the sheet shows them. */
export const ods: Format = { type: 'ods', read };

const CONTENT = 'content.xml';

function read(input: FormatInput): Extraction {
  const { bytes, builder } = input;
  const parts = readOdfParts(bytes, (path) =>
    /^(?:mimetype|(?:content|styles|meta)\.xml|META-INF\/manifest\.xml)$/.test(path),
  );
  const content = partText(parts, CONTENT);
  // The library takes any text for a sheet.
  if (content === null || !/<(?:\w+:)?document-content\b/.test(content)) throw damaged();
  const { xml, left } = boundRepeats(boundDepth(content, { xml: true }));
  if (left) builder.note('Cells that repeat without an end were read once.');
  parts.set(CONTENT, new TextEncoder().encode(xml));
  // The library wants styles, which files may come without.
  if (!parts.has('styles.xml')) parts.set('styles.xml', new TextEncoder().encode('<styles/>'));
  const workbook = openWorkbook(repack(parts));
  writeSheets(workbook, input);
  return builder.finish({
    title: cleanTitle(workbook.Props?.Title),
    parts: workbook.SheetNames.length,
  });
}
