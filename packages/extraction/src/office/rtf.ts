import { bufferOf } from '../bytes.ts';
import type { FormatInput } from '../format.ts';
import { damaged } from './zip-package.ts';
import { readRtf, type RtfBody } from './rtf/reader.ts';
import { writeRows } from '../text/tables.ts';
import { cleanTitle, collapseSpace, type TextBuilder } from '../text-builder.ts';
import type { Extraction } from '../types.ts';
import { writeNotesAndComments } from './notes-and-comments.ts';

/** Where the file begins, behind what a program or a mail may have put before it. */
const SIGNATURE = String.raw`{\rtf`;
/** A heading that is longer is a paragraph in a heading's style. */
const MAX_HEADING = 500;

/** Rich text: the body, then notes, headers, footers and comments, in this order. */
export function read({ bytes, builder, onProgress }: FormatInput): Extraction {
  const at = bufferOf(bytes.subarray(0, 1024)).indexOf(SIGNATURE);
  if (at === -1) throw damaged();
  const body = createBody(builder);
  const rest = readRtf(bytes.subarray(at), body);
  body.end();
  onProgress(90);
  writeNotesAndComments(rest, builder);
  if (!rest.whole) {
    builder.note('This document is cut off or damaged; what could be read was read.');
  }
  return builder.finish({ title: cleanTitle(rest.title) });
}

function createBody(builder: TextBuilder): RtfBody & { end(): void } {
  let cells: string[] = [];
  let rows: string[][] = [];
  let code: string[] = [];
  let boxes: string[] = [];

  const end = (): void => {
    if (cells.length > 0) rows.push(cells);
    cells = [];
    if (code.length > 0) builder.block('code', code.join('\n'));
    code = [];
    // One cell is a frame around a text, and no table.
    if (rows.some((row) => row.length > 1)) writeRows(rows, builder);
    else for (const [text = ''] of rows) builder.block('prose', text);
    rows = [];
    for (const box of boxes) builder.block('prose', collapseSpace(box));
    boxes = [];
  };

  return {
    end,
    get done() {
      return builder.full;
    },
    paragraph({ text, level, marker, code: isCode }) {
      const clean = collapseSpace(text);
      if (clean === '' && !(isCode && code.length > 0)) return;
      if (isCode && rows.length === 0) {
        code.push(text.trimEnd());
        return;
      }
      end();
      if (level !== null && clean.length <= MAX_HEADING) {
        builder.heading(Math.min(level, 9), clean.replaceAll('\n', ' '));
      } else if (marker !== null) builder.block('list', `${shownMarker(marker)} ${clean}`);
      else builder.block('prose', clean);
    },
    cell(text) {
      cells.push(collapseSpace(text));
    },
    row(covered) {
      const above = rows.at(-1) ?? [];
      const filled = cells.map((cell, column) =>
        cell === '' && covered[column] === true ? (above[column] ?? '') : cell,
      );
      if (filled.length > 0) rows.push(filled);
      cells = [];
    },
    box(text) {
      if (rows.length > 0) boxes.push(text);
      else builder.block('prose', collapseSpace(text));
    },
  };
}

/** A number or letter as the file shows it; any sign of a list without numbers is a dash. */
function shownMarker(marker: string): string {
  const clean = collapseSpace(marker);
  const numbered = /^[([]?[\p{L}\p{N}][\p{L}\p{N}.]{0,12}[.)\]:]*$/u.test(clean);
  // Some fonts draw their sign for the letter.
  return numbered && clean !== 'o' ? clean : '-';
}
