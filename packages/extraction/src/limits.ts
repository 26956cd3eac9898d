/**
 * Bounds on what is read of one file of any format. Bounds on a whole file are in `text-
 * builder.ts`, those on archives in `members.ts`. What is left out is noted on the artifact.
 */

/** Nesting of elements, lists and quotations. Deeper content is flattened. */
export const MAX_DEPTH = 300;
/** Levels that stay nested above flattened content, which may have some levels itself. */
export const FLATTENED_DEPTH = 200;
/** Nesting of JSON. Every value is written with its path, so a deeper file is refused. */
export const MAX_JSON_DEPTH = 500;
/** Nesting of mail parts. Deeper ones are read as one text. */
export const MAX_MAIL_DEPTH = 50;
/** Markers of quotations and lists at the start of a line of Markdown. */
export const MAX_LINE_MARKERS = 50;
/** Indentation of a line of Markdown, in columns. */
export const MAX_LINE_INDENT = 200;
/** Brackets open at once in the text of a Markdown link. */
export const MAX_OPEN_BRACKETS = 20;

/** Cells read of one row of a table. */
export const MAX_COLUMNS = 1000;
/** UTF-16 units read of one cell, as many as a cell of Excel holds. */
export const MAX_CELL_LENGTH = 32_767;
/** UTF-16 units of one written row, with column names. */
export const MAX_ROW_LENGTH = 200_000;
/** Cells of one HTML table with spans filled in. */
export const MAX_TABLE_CELLS = 500_000;
