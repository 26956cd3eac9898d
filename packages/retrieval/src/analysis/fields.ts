/** One value of a record with what it is called: 'Total: 412 €', a cell under its column's name. */
export interface Field {
  /** Empty where nothing names the value. */
  name: string;
  value: string;
}

const NAMED = /^([\p{L}\p{N}№#][^:：\n]{0,59}?)\s?[:：]\s*(\S[\s\S]*)$/u;
const MAX_NAME_WORDS = 6;
/** Lines looked at above a row to find the names of its columns. */
const MAX_LINES_ABOVE = 60;

/**
 * The fields of a line or row at `start`..`end` of a text: cells that bring their names ('City: Rome ·
 * Days: 3'), cells under a line of names (Markdown, tabs, columns set with spaces), or one labelled
 * value. Empty for prose.
 */
export function fieldsAt(text: string, start: number, end: number): Field[] {
  const line = text.slice(start, end);
  if (line.includes('\n')) return [];
  const cells = cellsOf(line);
  if (cells.length < 2) {
    const field = fieldOf(line.replace(/^(?:[-*•]|\d{1,3}[.)])\s+/u, ''));
    return field.name === '' ? [] : [field];
  }
  const fields = cells.map(fieldOf);
  if (fields.some(({ name }) => name !== '')) return fields;
  const names = namesAbove(text, start, cells.length);
  return cells.map((value, i) => ({ name: names?.[i] ?? '', value }));
}

/** The cells of a row, or the whole line as the only one. */
function cellsOf(line: string): string[] {
  const bare = line.trim();
  if (bare.startsWith('|')) return split(bare.replace(/^\||\|$/gu, ''), /\|/u);
  if (bare.includes(' · ')) return split(bare, / · /u);
  return split(bare, /\t|\s{2,}|\s\|\s/u);
}

const split = (line: string, by: RegExp): string[] => line.split(by).map((cell) => cell.trim());

function fieldOf(cell: string): Field {
  const match = NAMED.exec(cell.trim());
  const [, name = '', value = ''] = match ?? [];
  // A time, an address, a sentence with a colon in it: none of these names a value.
  const isName =
    match !== null &&
    name.split(/\s+/u).length <= MAX_NAME_WORDS &&
    !/[.!?]\s|\d$/u.test(name) &&
    !value.startsWith('//');
  return isName ? { name, value } : { name: '', value: cell.trim() };
}

/** The cells of the line of names over a row's table: its first line, with no figures in it. */
function namesAbove(text: string, start: number, columns: number): string[] | null {
  let names: string[] | null = null;
  let from = start;
  for (let lines = 0; lines < MAX_LINES_ABOVE && from > 0; lines += 1) {
    const before = text.lastIndexOf('\n', from - 2) + 1;
    const cells = cellsOf(text.slice(before, from));
    if (cells.length !== columns) break;
    names = cells;
    from = before;
  }
  return names === null || names.some((name) => /\d/u.test(name) && !/^Q?\d{1,4}$/u.test(name))
    ? null
    : names;
}
