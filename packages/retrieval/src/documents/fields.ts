import type { SourceDocument } from '../types.ts';
import { typeColumn } from './cells.ts';
import type { DocumentKind, RecordTable } from './document.ts';
import { type Field, fieldsAt } from '../analysis/fields.ts';
import { linesIn } from './lines.ts';

/** Kinds of documents that give their values under labels. */
const WITH_FIELDS: ReadonlySet<DocumentKind | null> = new Set([
  'invoice',
  'payslip',
  'receipt',
  'statement',
]);

/** Characters and lines that are read of a document, characters of a value, and fields. */
const LIMITS = { characters: 20_000, lines: 400, value: 120, fields: 30 } as const;

/**
 * The labelled values of an invoice, a payslip, a receipt or a statement ('Total due: 412 €'), as a
 * table of one row whose columns are the document's own labels; null for a document of another kind
 * and where no amount is found.
 */
export function fieldsOf(
  { text }: SourceDocument,
  { kind, languages }: { kind: DocumentKind | null; languages: readonly string[] },
): Pick<RecordTable, 'name' | 'fields' | 'columns' | 'rows'> | null {
  if (kind === null || !WITH_FIELDS.has(kind)) return null;
  const lines = linesIn(text, 0, LIMITS.characters).slice(0, LIMITS.lines);
  const labelled = lines.flatMap((line) => {
    const field = fieldIn(text, line);
    return field === null ? [] : [{ ...field, line }];
  });
  // The last value of a label is the one after discounts and taxes.
  const fields = [...new Map(labelled.map((each) => [each.name.toLowerCase(), each])).values()]
    .slice(0, LIMITS.fields)
    .map(({ name, value, line }) => ({
      ...typeColumn({ name, cells: [value] }, null, languages),
      line,
    }));
  const main = fields.findLast(({ column }) => column.type === 'amount');
  if (main === undefined) return null;
  return {
    name: kind,
    fields: true,
    columns: fields.map(({ column }) => column),
    rows: [
      { cells: fields.flatMap(({ values }) => values), start: main.line.start, end: main.line.end },
    ],
  };
}

/** The labelled value of a line: 'Label: value', or a label and a figure in two cells. */
function fieldIn(text: string, { start, end }: { start: number; end: number }): Field | null {
  const [first, second, ...more] = fieldsAt(text, start, end);
  const field =
    second !== undefined && more.length === 0
      ? { name: first?.value ?? '', value: second.value }
      : first;
  const isField =
    more.length === 0 &&
    field !== undefined &&
    /\p{L}/u.test(field.name) &&
    field.value.length <= LIMITS.value &&
    (second === undefined || /\d/u.test(field.value));
  return isField ? field : null;
}
