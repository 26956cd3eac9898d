import type { SourceDocument } from '../types.ts';
import { typeColumn } from './cells.ts';
import type { DocumentKind, RecordTable } from '../documents/document.ts';
import { linesIn } from '../documents/lines.ts';
import { cellsOf, type Field, fieldOf } from './table-rows.ts';

const WITH_FIELDS = new Set('invoice payslip receipt statement'.split(' '));

const LIMITS = { characters: 20_000, lines: 400, value: 120, fields: 30 } as const;

/** The labelled values of a document as a table of one row. Null without an amount. */
export function fieldsOf(
  { text }: SourceDocument,
  { kind, languages }: { kind: DocumentKind | null; languages: readonly string[] },
): Pick<RecordTable, 'name' | 'fields' | 'columns' | 'rows'> | null {
  if (kind === null || !WITH_FIELDS.has(kind)) return null;
  const lines = linesIn(text, 0, LIMITS.characters).slice(0, LIMITS.lines);
  const labelled = lines.flatMap((line) =>
    fieldsIn(line.text).map((field) => ({ ...field, line })),
  );
  // The last value of a label is the one after discounts and taxes.
  const fields = [...new Map(labelled.map((each) => [each.name.toLowerCase(), each])).values()]
    .slice(0, LIMITS.fields)
    .map(({ name, value, line }) => ({
      ...typeColumn({ name, cells: [value] }, null, languages),
      line,
    }));
  const main = fields.findLast(({ column }) => column.type === 'amount');
  if (main === undefined) return null;
  const { start, end } = main.line;
  return {
    name: kind,
    fields: true,
    columns: fields.map(({ column }) => column),
    rows: [{ cells: fields.flatMap(({ values }) => values), start, end }],
  };
}

/** The labelled values of a line: 'Label: value', or a label and a figure in two cells. */
function fieldsIn(line: string): Field[] {
  const cells = cellsOf(line);
  // More cells are a row of a table.
  if (cells.length > 2) return [];
  const [label = '', figure = ''] = cells;
  const isPair = cells.length === 2 && fieldOf(figure).name === '' && /\d/u.test(figure);
  const fields = isPair ? [{ name: label, value: figure }] : cells.map(fieldOf);
  return fields.filter(({ name, value }) => /\p{L}/u.test(name) && value.length <= LIMITS.value);
}
