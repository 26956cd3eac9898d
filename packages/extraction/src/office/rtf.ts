import { bufferOf } from '../bytes.ts';
import type { FormatInput } from '../format.ts';
import { damaged } from './zip-package.ts';
import { readRtf, type RtfBody } from './rtf/reader.ts';
import { writeRows } from '../text/tables.ts';
import { cleanTitle, collapseSpace, type TextBuilder } from '../text-builder.ts';
import type { Extraction } from '../types.ts';
import { writeNotesAndComments } from './notes-and-comments.ts';

/** The start of the file, which other data may precede. */
const SIGNATURE = String.raw`{\rtf`;
/** Longer paragraphs are not headings. */
const MAX_HEADING = 500;

/** Rich text: body, then notes, headers, footers and comments. */
export function read({ bytes, builder, onProgress }: FormatInput): Extraction {
  const start = bufferOf(bytes.subarray(0, 1024)).indexOf(SIGNATURE);
  if (start === -1) throw damaged();
  const body = createBody(builder);
  const rest = readRtf(bytes.subarray(start), body);
  body.end();
  onProgress(90);
  writeNotesAndComments(rest, builder);
  if (!rest.complete) {
    builder.note('This document is damaged or incomplete. Engram read what it could.');
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
    // A single cell is a text frame.
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

/** A list marker: a number or letter as written, else a dash. */
function shownMarker(marker: string): string {
  const clean = collapseSpace(marker);
  const numbered = /^[([]?[\p{L}\p{N}][\p{L}\p{N}.]{0,12}[.)\]:]*$/u.test(clean);
  // Some symbol fonts have a bullet for 'o'.
  return numbered && clean !== 'o' ? clean : '-';
}
