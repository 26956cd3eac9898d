/** Limits of one file. Omitted content is noted. The limits of archives are in members.ts. */

/** Nesting of elements, lists and quotations. Deeper content is flattened. */
export const MAX_DEPTH = 300;
/** Levels preserved above flattened content. */
export const FLATTENED_DEPTH = 200;
/** Nesting of JSON. Every value is written with its path, so a deeper file is refused. */
export const MAX_JSON_DEPTH = 500;
/** Nesting of mail parts. Deeper ones are read as one text. */
export const MAX_MAIL_DEPTH = 50;
export const MAX_LINE_MARKERS = 50;
export const MAX_LINE_INDENT = 200;
export const MAX_OPEN_BRACKETS = 20;

export const MAX_COLUMNS = 1000;
/** UTF-16 units of a cell, the limit of Excel. */
export const MAX_CELL_LENGTH = 32_767;
export const MAX_ROW_LENGTH = 200_000;
/** Cells of one HTML table with spans filled in. */
export const MAX_TABLE_CELLS = 500_000;
