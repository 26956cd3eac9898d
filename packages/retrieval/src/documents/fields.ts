import type { SourceDocument, SourceSegment } from '../types.ts';
import { amountIn, dateIn } from './cells.ts';
import type { DocumentKind, RecordColumn, RecordTable } from './document.ts';
import { placeOf } from './table-rows.ts';

/** Kinds of documents that have fields of their own. */
const WITH_FIELDS = ['invoice', 'payslip', 'receipt', 'statement'] as const;
type FieldKind = (typeof WITH_FIELDS)[number];

interface Label {
  name: string;
  type: RecordColumn['type'];
  /** The label at the begin of a line or a cell, in several languages. */
  said: RegExp;
  /** Which of several counts: the first one, or the last, as of totals. */
  last?: boolean;
}

const label = (name: string, type: Label['type'], said: string, last = false): Label => ({
  name,
  type,
  said: new RegExp(String.raw`^(?:${said})(?!\p{L})\.?\s?(?:\([^)]{0,30}\))?\s*[:：#]?\s*`, 'iu'),
  last,
});

const INVOICE = String.raw`(?:\p{L}+ )?(?:tax )?invoice|(?:\p{L}+)?rechnung|facture|factura|fatura|fattura|factuur|bill|credit note|gutschrift`;
const NUMBER = String.raw`no|nos|nr|number|n[.º°]{1,2}|num(?:ber|mer|éro|ero|ero)?|número|numéro`;

/** What is read of documents, in the order of the columns. */
const LABELS: readonly Label[] = [
  label(
    'Number',
    'text',
    String.raw`(?:${INVOICE}|receipt|order|document|beleg|quittung|reçu|recibo)[ -]?(?:${NUMBER})\.?|(?:rechnungs|beleg|kunden)(?:nummer|nr)|(?:${INVOICE})(?= [A-Z]*[\d-]*\d)`,
  ),
  label(
    'Date',
    'date',
    String.raw`(?:invoice |issue |receipt |statement |tax )?date(?: of (?:issue|invoice))?|(?:invoice )?issued(?: on)?|(?:rechnungs|ausstellungs|beleg)?datum|date d.émission|date de (?:la )?facture|fecha(?: de (?:emisión|factura))?|data(?: (?:de emissão|da fatura|fattura))?|factuurdatum`,
  ),
  label(
    'Due',
    'date',
    String.raw`(?:payment )?due(?: date| on| by)?|payable (?:by|on|until)|pay by|please pay by|fällig(?: am| bis)?|zahlbar bis(?: zum)?|échéance|à payer avant(?: le)?|vencimiento|vencimento|scadenza|data de vencimento|vervaldatum`,
  ),
  label(
    'Client',
    'text',
    String.raw`bill(?:ed)? to|invoice to|sold to|client|customer|to|kunde|kundin|an|rechnung an|à|destinataire|cliente|klant`,
  ),
  label(
    'From',
    'text',
    String.raw`from|seller|supplier|vendor|employer|von|lieferant|arbeitgeber|de|fournisseur|proveedor|fornecedor|fornitore`,
  ),
  label(
    'Period',
    'text',
    String.raw`(?:pay |billing |statement |invoice |tax )?period|(?:abrechnungs|leistungs)?zeitraum|période|período|periodo`,
  ),
  label(
    'Net',
    'amount',
    String.raw`net(?: amount| total| sum)?|sub-?total|netto(?:betrag)?|zwischensumme|montant ht|total ht|base imponible|subtotal|imponibile`,
    true,
  ),
  label(
    'Tax',
    'amount',
    String.raw`vat|sales tax|tax|mwst|ust|umsatzsteuer|mehrwertsteuer|tva|iva|btw|income tax|lohnsteuer`,
    true,
  ),
  label(
    'Gross pay',
    'amount',
    String.raw`(?:total )?gross(?: pay| salary)?|brutto(?:lohn|gehalt|bezüge)?|salaire brut|salario bruto|salário bruto|vencimento bruto`,
    true,
  ),
  label(
    'Deductions',
    'amount',
    String.raw`(?:total )?deductions|(?:gesamt)?abzüge|retenues|deducciones|descontos`,
    true,
  ),
  label(
    'Net pay',
    'amount',
    String.raw`net pay|take[- ]home pay|net salary|auszahlungsbetrag|nettolohn|nettogehalt|net à payer|líquido(?: a receber)?|salario neto|netto in busta`,
    true,
  ),
  label(
    'Total',
    'amount',
    String.raw`(?:grand |invoice )?total(?: (?:due|amount|to pay|payable|incl\.?|including vat|ttc|paid|a pagar))?|amount (?:due|payable|paid)|balance due|to pay|(?:gesamt|rechnungs|end)(?:betrag|summe)|summe|zu zahlen(?:der betrag)?|montant (?:total|dû)|total à payer|importe total|valor total|totale|totaal`,
    true,
  ),
  label(
    'Paid',
    'text',
    String.raw`paid(?: on| in full| by)?|status|bezahlt(?: am)?|zahlungsstatus|payé(?:e)?(?: le)?|pagado|pago em|pagat[oa]|betaald`,
  ),
];

/** Amounts that a payslip or a bill has, by which it is known without being named. */
const TELLING: Readonly<Record<string, readonly FieldKind[]>> = {
  Number: ['invoice'],
  'Net pay': ['payslip'],
};
/** Columns that only a payslip has. */
const OF_PAY = new Set(['Gross pay', 'Deductions', 'Net pay']);

/** Characters and lines that are read of a document, and characters of one value. */
const READ = { length: 20_000, lines: 400, value: 120 } as const;

interface Line {
  text: string;
  start: number;
  end: number;
  segment: SourceSegment;
}

interface Found {
  value: string | number;
  unit: string | null;
  line: Line;
}

/**
 * What a short document says of itself under labels ('Invoice no.', 'Total due'), as a table of one
 * row; null for a document of another kind and where nothing of worth is found.
 */
export function fieldsOf(
  document: SourceDocument,
  { kind, languages }: { kind: DocumentKind | null; languages: readonly string[] },
): Pick<RecordTable, 'name' | 'fields' | 'columns' | 'rows'> | null {
  const lines = linesOf(document);
  const found = readLabels(lines, languages);
  const known =
    WITH_FIELDS.find((each) => each === kind) ?? (kind === null ? tellKind(found) : null);
  if (known === null) return null;
  if (known === 'invoice' || known === 'receipt') addAddress(found, lines, document.text);
  addDay(found, lines, languages);
  const isPay = known === 'payslip';
  const kept = LABELS.flatMap(({ name, type }) => {
    const value = found.get(name);
    return value === undefined ||
      OF_PAY.has(name) !== (isPay && type === 'amount' && name !== 'Tax')
      ? []
      : [{ name, type, ...value }];
  });
  const main = kept.find(({ name }) => name === (isPay ? 'Net pay' : 'Total'));
  const first = main ?? kept.find(({ type }) => type === 'amount');
  if (first === undefined) return null;
  return {
    name: known,
    fields: true,
    columns: kept.map(({ name, type, unit }) => ({ name, type, unit })),
    rows: [
      {
        cells: kept.map(({ value }) => value),
        ...placeOf(document.text, first.line),
        location: first.line.segment.location,
      },
    ],
  };
}

const tellKind = (found: ReadonlyMap<string, Found>): FieldKind | null => {
  if (!found.has('Total') && !found.has('Net pay')) return null;
  return [...found.keys()].flatMap((name) => TELLING[name] ?? [])[0] ?? null;
};

function linesOf({ text, segments }: SourceDocument): Line[] {
  const lines: Line[] = [];
  for (const segment of segments) {
    if (segment.start > READ.length || lines.length > READ.lines) break;
    // The sentences of a paragraph are looked at one by one: 'Due on 1 March 2024. Payable …'.
    for (let start = segment.start; start < Math.min(segment.end, READ.length);) {
      const stop = text.slice(start, segment.end).search(/\n|(?<=[\p{L}\d)]{2})\. (?=\p{Lu})| · /u);
      const end = stop === -1 ? segment.end : start + stop;
      const line = text.slice(start, end);
      const bare = line.trim();
      if (bare !== '') {
        const at = start + line.indexOf(bare);
        lines.push({ text: bare.slice(0, 400), start: at, end: at + bare.length, segment });
      }
      start = end + (/^\. | · /u.exec(text.slice(end, end + 3))?.[0].length ?? 1);
    }
  }
  return lines;
}

/** The cells of a line of a table, or the line itself; the marks of Markdown around it are left out. */
const cellsOf = (line: string): string[] =>
  line
    .replace(/^[|*\s-]+/u, '')
    .split(/[\t|]/u)
    .map((cell) => cell.trim())
    .filter((cell) => cell !== '');

/** The values behind labels, or on the line below a label that stands alone. */
function readLabels(lines: readonly Line[], languages: readonly string[]): Map<string, Found> {
  const found = new Map<string, Found>();
  lines.forEach((line, i) => {
    const cells = cellsOf(line.text);
    for (const { name, type, said, last } of LABELS) {
      if (found.has(name) && last !== true) continue;
      const match = said.exec(cells[0] ?? '');
      if (match === null) continue;
      const rest = `${cells[0]?.slice(match[0].length) ?? ''} ${cells.slice(1).join(' ')}`
        .replace(/\*+/gu, '')
        .trim();
      const alone = rest === '' && (match[0].trim().endsWith(':') || cells.length > 1);
      const value = readValue(
        rest === '' && alone ? (lines[i + 1]?.text ?? '') : rest,
        { name, type },
        languages,
        match[0],
      );
      if (value !== null) found.set(name, { ...value, line });
    }
  });
  return found;
}

function readValue(
  text: string,
  { name, type }: Pick<Label, 'name' | 'type'>,
  languages: readonly string[],
  said: string,
): { value: string | number; unit: string | null } | null {
  if (type === 'date') {
    const day = text.length > 60 ? null : dateIn(text, languages);
    return day === null ? null : { value: day, unit: null };
  }
  if (type === 'amount') {
    const bare = text.replace(/(?<![\d.,])\d{1,3}(?:[.,]\d{1,4})?\s?%/u, '');
    const amount = text.length > 60 ? null : amountIn(bare);
    // A bare number among words is hardly an amount: 'Total tax due on 31 January'.
    const isBare = amount?.currency === null && /\p{L}/u.test(bare);
    return amount === null || isBare ? null : { value: amount.value, unit: amount.currency };
  }
  if (text === '' || text.length > READ.value) return null;
  if (name === 'Number') {
    const code = /^[A-Z0-9][\w/-]*\d[\w/-]*|^[A-Z]{1,4} ?\d[\w/-]*/u.exec(text)?.[0];
    return code === undefined ? null : { value: code, unit: null };
  }
  // 'To be paid', 'from the first of May': only a label with a colon, or what cannot be a sentence.
  const isLabel = said.trimEnd().endsWith(':') || /^(?:paid|bezahlt)/iu.test(said);
  return isLabel ? { value: text, unit: null } : null;
}

/** The addressee of a bill without a label: the first line of a block of short lines near its head. */
function addAddress(found: Map<string, Found>, lines: readonly Line[], text: string): void {
  if (found.has('Client')) return;
  const blocks = [...Map.groupBy(lines.slice(0, 20), ({ segment }) => segment).values()].slice(
    0,
    6,
  );
  for (const block of blocks) {
    const [first, second] = block;
    const isAddress =
      first !== undefined &&
      first !== lines[0] &&
      second !== undefined &&
      text.slice(first.end, second.start).trim() === '' &&
      block.length <= 6 &&
      block.every(({ text }) => text.length <= 60 && !/[£€$:\t|]/u.test(text)) &&
      !/\d/u.test(first.text);
    if (!isAddress) continue;
    found.set('Client', { value: first.text, unit: null, line: first });
    return;
  }
}

/** A day on a line of its own, where no label names the day. */
function addDay(
  found: Map<string, Found>,
  lines: readonly Line[],
  languages: readonly string[],
): void {
  if (found.has('Date')) return;
  const line = lines
    .slice(0, 30)
    .find(
      ({ text }) => text.length <= 40 && /\d{4}/u.test(text) && dateIn(text, languages) !== null,
    );
  const value = line === undefined ? null : dateIn(line.text, languages);
  if (line !== undefined && value !== null) found.set('Date', { value, unit: null, line });
}
