/** Longest stretch of text that is laid out as one row, in UTF-16 units. */
const ROW_LENGTH = 2_000;
/** Most text that is shown of one file at once, in UTF-16 units to each side of the quote. */
const WINDOW_REACH = 1_000_000;
/** Most rows that are shown of one file at once, to each side of the quote. */
const ROW_REACH = 150_000;

export interface TextRow {
  /** UTF-16 offsets in the whole text; a line's end belongs to its last row. */
  start: number;
  end: number;
  /** Number of the line, counted from 1; null for a further row of a long line. */
  line: number | null;
}

export interface TextWindow {
  rows: TextRow[];
  /** Index of the row in which the quote begins. */
  quoteRow: number;
  /** Whether text before or after the rows is left out. */
  cut: boolean;
}

/** Where to end a row that begins at `start` and must end by `end`: at a blank if there is one. */
function breakAt(text: string, start: number, end: number): number {
  const limit = start + ROW_LENGTH;
  if (end <= limit) return end;
  const blank = text.slice(start, limit).lastIndexOf(' ');
  if (blank > 0) return start + blank + 1;
  const last = text.charCodeAt(limit - 1);
  return last >= 0xd800 && last <= 0xdbff ? limit - 1 : limit;
}

/**
 * Cuts the surroundings of a quote into rows: lines, and stretches of lines that are too long to be
 * laid out at once. Every character of the surroundings stands in exactly one row.
 */
export function windowRows(text: string, quoteStart: number, quoteEnd: number): TextWindow {
  const lineStart = (at: number): number => (at <= 0 ? 0 : text.lastIndexOf('\n', at - 1) + 1);
  const from = Math.max(
    lineStart(Math.max(0, quoteStart - WINDOW_REACH)),
    // A single line may be longer than all that is shown.
    quoteStart - 2 * WINDOW_REACH,
  );
  const to = Math.min(text.length, quoteEnd + WINDOW_REACH);

  const startsLine = lineStart(from) === from;
  let line = 1;
  for (let at = text.indexOf('\n'); at !== -1 && at < from; at = text.indexOf('\n', at + 1)) {
    line += 1;
  }
  const rows: TextRow[] = [];
  let quoteRow = 0;
  for (let at = from; at < to; line += 1) {
    const newline = text.indexOf('\n', at);
    const lineEnd = newline === -1 ? to : Math.min(to, newline + 1);
    for (let first = true; at < lineEnd; first = false) {
      const end = breakAt(text, at, lineEnd);
      if (at <= quoteStart) quoteRow = rows.length;
      rows.push({ start: at, end, line: first && (at > from || startsLine) ? line : null });
      at = end;
    }
  }

  const firstRow = Math.max(0, quoteRow - ROW_REACH);
  const kept = rows.slice(firstRow, quoteRow + ROW_REACH);
  return {
    rows: kept,
    quoteRow: quoteRow - firstRow,
    cut: (kept[0]?.start ?? 0) > 0 || (kept.at(-1)?.end ?? 0) < text.length,
  };
}
