/**
 * Bounds on what is read of one file, whatever its format. What is left out is noted on the artifact;
 * the bounds on a whole file are in `text-builder.ts`, those on archives in `members.ts`.
 */

/** Levels of elements, lists and quotations that are parsed as nested. Deeper content is flattened. */
export const MAX_DEPTH = 300;
/** Levels that stay nested where deeper content is flattened, so that its own structure has room. */
export const FLATTENED_DEPTH = 200;
/** Levels of JSON: every value is written with its path, so a deeper file is refused. */
export const MAX_JSON_DEPTH = 500;
/** Parts within parts of a mail that are told apart; deeper ones are read as one text. */
export const MAX_MAIL_DEPTH = 50;
/** Signs of quotations and lists that count at the begin of a line of Markdown. */
export const MAX_LINE_MARKERS = 50;
/** Columns by which a line of Markdown is indented at most. */
export const MAX_LINE_INDENT = 200;
/** Brackets that are open at once in the text of a link of Markdown. */
export const MAX_OPEN_BRACKETS = 20;

/** Cells read of one row of a table. */
export const MAX_COLUMNS = 1000;
/** UTF-16 units read of one cell: what a cell of Excel holds. */
export const MAX_CELL_LENGTH = 32_767;
/** UTF-16 units of one row as it is written, names of columns included. */
export const MAX_ROW_LENGTH = 200_000;
/** Cells of one HTML table, spans filled in. */
export const MAX_TABLE_CELLS = 500_000;
