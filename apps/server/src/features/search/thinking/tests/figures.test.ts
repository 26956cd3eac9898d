import { extract, type FileType } from '@engram/extraction';
import type { Answer } from '@engram/retrieval';
import PdfDocument from 'pdfkit';
import { describe, expect, test } from 'vitest';
import { storedZip } from '../../../../tests/archives.test-setup.ts';
import { shared } from '../../../artifacts/known-files.ts';
import { prepare } from '../../../ingestion/prepare.ts';
import { type Ranked, tasks } from '../tasks.ts';

type Content = string | Uint8Array | Promise<Uint8Array>;
type Files = Readonly<Record<string, Content>>;

/** A workbook of one sheet with its cells as they are. */
function xlsx(name: string, rows: readonly (readonly (string | number)[])[]): Uint8Array {
  const cell = (value: string | number): string =>
    typeof value === 'number'
      ? `<c><v>${value}</v></c>`
      : `<c t="inlineStr"><is><t>${value}</t></is></c>`;
  const sheet = rows.map((row) => `<row>${row.map(cell).join('')}</row>`).join('');
  const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
  const types = 'application/vnd.openxmlformats-officedocument.spreadsheetml';
  const links = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
  const packages = 'http://schemas.openxmlformats.org/package/2006';
  const members = {
    '[Content_Types].xml': `<Types xmlns="${packages}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/xl/workbook.xml" ContentType="${types}.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="${types}.worksheet+xml"/></Types>`,
    '_rels/.rels': `<Relationships xmlns="${packages}/relationships"><Relationship Id="rId1" Type="${links}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
    'xl/workbook.xml': `<workbook xmlns="${main}" xmlns:r="${links}"><sheets><sheet name="${name}" sheetId="1" r:id="rId1"/></sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `<Relationships xmlns="${packages}/relationships"><Relationship Id="rId1" Type="${links}/worksheet" Target="worksheets/sheet1.xml"/></Relationships>`,
    'xl/worksheets/sheet1.xml': `<worksheet xmlns="${main}"><sheetData>${sheet}</sheetData></worksheet>`,
  };
  return storedZip(
    Object.fromEntries(
      Object.entries(members).map(([path, text]) => [
        path,
        Buffer.from(`<?xml version="1.0" encoding="UTF-8"?>${text}`),
      ]),
    ),
  );
}

/** A page with lines of cells at places of their own, as banks print statements. */
function pdf(
  head: string,
  places: readonly number[],
  rows: readonly string[][],
): Promise<Uint8Array> {
  const document = new PdfDocument({ size: 'A4' });
  const parts: Buffer[] = [];
  document.on('data', (part: Buffer) => parts.push(part));
  document.fontSize(10).text(head, 50, 50);
  rows.forEach((row, line) => {
    row.forEach((cell, i) =>
      document.text(cell, places[i] ?? 50, 110 + 16 * line, { lineBreak: false }),
    );
  });
  document.end();
  return new Promise((resolve) => document.on('end', () => resolve(Buffer.concat(parts))));
}

async function read(files: Files) {
  return Promise.all(
    Object.entries(files).map(async ([fileName, content]) => {
      const given = await content;
      const bytes = typeof given === 'string' ? new TextEncoder().encode(given) : given;
      const type = fileName.split('.').at(-1) as FileType;
      const extraction = await extract({ bytes, fileName, type });
      return {
        fileName,
        ...prepare(extraction, { artifactId: fileName, fileName, path: null, keywords: [] }),
      };
    }),
  );
}

/** What is answered to a question from these files, by what the server's threads run. */
function askerOf(files: Files) {
  const library = read(files);
  return async (text: string): Promise<Answer> => {
    const documents = await library;
    const languages = [...new Set(documents.flatMap(({ language }) => language ?? []))];
    const now = new Date('2024-12-31T12:00:00Z');
    const names = shared(
      '',
      JSON.stringify(documents.map(({ fileName }) => ({ id: fileName, fileName }))),
    );
    const understood = tasks.read({ text, turns: [], languages, names, timeZone: 'UTC', now });
    if (understood === null) throw new Error('The names were not taken.');
    const passages = documents.flatMap(({ fileName, rows }) =>
      rows.map((row) => ({ ...row, fileName, score: 1 })),
    );
    const searches = [{ question: understood.question, passages }];
    const { lists } = tasks.rank({ searches, tellUnfound: false }) as Ranked;
    const { answer } = tasks.answer({
      lists,
      questions: [understood.question],
      asked: [],
      papers: {
        documents: [],
        facts: shared('', '[]'),
        only: null,
        tables: documents.map(({ fileName, tables }) =>
          shared(`${text}${fileName}`, JSON.stringify(tables)),
        ),
        tablesOf: null,
        today: '2024-12-31',
      },
      librarySize: 600,
      recommendations: 0,
      explain: false,
      handBack: false,
    });
    return answer;
  };
}

const CAFE: Files = {
  'takings.csv': [
    'Week ending,Stall,Cups sold,Takings (GBP),Weather',
    '07/01/2024,Harbour,120,"1,240.50",rain',
    '14/01/2024,Harbour,98,980.00,snow',
    '14/01/2024,Station,210,"2,105.25",snow',
    '28/01/2024,Station,190,"1,890.00",sun',
    '04/02/2024,Harbour,150,"1,502.75",sun',
    'Total,,768,"7,718.50",',
  ].join('\n'),
  'suppliers.xlsx': xlsx('Deliveries', [
    ['Delivered', 'Supplier', 'Goods', 'Kilos', 'Price EUR', 'Settled'],
    ['2024-01-03', 'Brandao', 'Beans', 20, 310.5, 'yes'],
    ['2024-01-19', 'Miller & Sons', 'Oat milk', 48, 72, 'yes'],
    ['2024-02-02', 'Brandao', 'Beans', 25, 395, 'no'],
    ['2024-02-20', 'Dairy Coop', 'Butter', 6, 51.6, 'no'],
    ['2024-03-01', 'Brandao', 'Filters', 2, 18.4, 'yes'],
  ]),
  'rota.md': [
    '# Rota',
    '',
    '| Day | Barista | Hours |',
    '| --- | --- | ---: |',
    '| 2024-03-04 | Ines | 6.5 |',
    '| 2024-03-05 | Ines | 8 |',
    '| 2024-03-05 | Tomás | 4 |',
    '| 2024-03-06 | Tomás | 7.25 |',
  ].join('\n'),
  'bank march.pdf': pdf(
    'Northern Bank\nStatement of account, March 2024',
    [50, 130, 320, 400, 480],
    [
      ['Date', 'Details', 'Paid out', 'Paid in', 'Balance'],
      ['01/03/2024', 'Opening balance', '', '', '900.00'],
      ['04/03/2024', 'Gasworks', '62.10', '', '837.90'],
      ['11/03/2024', 'Card takings', '', '410.00', '1,247.90'],
      ['15/03/2024', 'Gasworks', '58.40', '', '1,189.50'],
      ['29/03/2024', 'Rent of Quay', '700.00', '', '489.50'],
    ],
  ),
};

const invoice = (no: string, client: string, day: string, total: string, more = ''): string =>
  `INVOICE\n\nInvoice no: ${no}\n\nDate: ${day}\n\nBill to: ${client}\n\nTotal due: ${total}\n\n${more}\n`;

const STUDIO: Files = {
  'inv-31.txt': invoice('31', 'Halden Ltd', '3 May 2024', '£300.00', 'Status: paid'),
  'inv-32.txt': invoice('32', 'Halden Ltd', '9 June 2024', '£120.50', 'Status: open'),
  'inv-33.md':
    '# Invoice 33\n\n| | |\n| --- | --- |\n| Invoice number | 33 |\n| Invoice date | 2024-06-30 |\n| Client | Orchard House |\n| Subtotal | £500.00 |\n| VAT 20% | £100.00 |\n| Total | £600.00 |\n| Status | open |\n',
  'inv-34.txt': invoice('34', 'Mill Trust', '1 July 2024', '£75.00', 'Status: paid'),
};

const VEREIN: Files = {
  'mitglieder.csv': [
    'Name;Eintritt;Beitrag;Bezahlt am',
    'Anke Vogt;01.03.2019;48,00 €;12.01.2024',
    'Jörg Brandt;15.06.2020;48,00 €;',
    'Lena Kurz;02.02.2022;24,00 €;20.02.2024',
    'Emre Aslan;09.09.2023;24,00 €;',
  ].join('\n'),
  'kasse.csv': [
    'Datum;Zweck;Kategorie;Betrag',
    '05.01.2024;Hallenmiete;Miete;-1.250,00 €',
    '17.01.2024;Bälle;Material;-89,90 €',
    '05.02.2024;Hallenmiete;Miete;-1.250,00 €',
    '14.02.2024;Netze für Bälle;Material;-140,10 €',
    '20.02.2024;Spende Sparkasse;Spende;500,00 €',
  ].join('\n'),
};

describe.each([
  [
    'a café',
    CAFE,
    [
      ['How much did we take in total at the Harbour stall?', 3723.25],
      ['What were the total takings in January 2024?', 6215.75],
      ['How many cups were sold at the Station?', 400],
      ['What were the largest takings of the Station stall?', 2105.25],
      ['How much did we pay Brandao in total?', 723.9],
      ['How many deliveries from Brandao were there?', 3],
      ['Which deliveries are still unpaid?', 2],
      ['How many kilos of beans were delivered in February 2024?', 25],
      ['How many hours did Ines work in March 2024?', 14.5],
      ['How much was paid to Gasworks in March 2024 in total?', 120.5],
      ['How many suppliers delivered beans?', 1],
      ['How many suppliers are there in the deliveries?', 3],
      ['What did we pay Brandao for?', 723.9],
      ['Which deliveries cost over 100 euros?', 2],
      ['List all deliveries from Brandao since February 2024', 2],
    ],
  ],
  [
    'a studio',
    STUDIO,
    [
      ['What is the total of all invoices to Halden?', 420.5],
      ['Which invoices are still open?', 2],
      ['How many invoices are unpaid?', 2],
      ['How many invoices were written in June 2024?', 2],
      ['Which invoices are over 200 pounds?', 2],
      ['What is the largest invoice?', 600],
    ],
  ],
  [
    'a German club',
    VEREIN,
    [
      ['Wie viel haben wir insgesamt für Material ausgegeben?', 230],
      ['Wie hoch ist die Summe der Ausgaben für Miete im Januar 2024?', 1250],
      ['Wer hat noch nicht bezahlt?', 2],
      ['Wie oft haben wir Miete bezahlt?', 2],
      ['Alle Buchungen über 1.000 Euro', 2],
    ],
  ],
] as [string, Files, [string, number][]][])('figures and lists of %s', (_, files, questions) => {
  const ask = askerOf(files);
  test.each(questions)('%s', async (question, value) => {
    const answer = await ask(question);
    expect({ value: answer.computed?.value ?? answer.markdown }).toEqual({ value });
    const marks = [...answer.markdown.matchAll(/\[(\d+)\]/gu)].map((match) => Number(match[1]));
    expect(marks.toSorted((a, b) => a - b)).toEqual(answer.citations.map(({ n }) => n));
  });
});

describe('no figure over rows that cannot be told apart', () => {
  const mixed: Files = {
    'travel.csv': [
      'Date,City,Cost',
      '2024-01-02,Porto,€ 20.00',
      '2024-01-03,Porto,€ 30.00',
      '2024-01-04,Porto,€ 10.00',
      '2024-01-05,Porto,€ 12.00',
      '2024-01-09,Porto,$ 15.00',
      '2024-01-11,Leeds,€ 5.00',
    ].join('\n'),
    'orders.csv': [
      'Day,Shop,Amount,Currency',
      '2024-02-01,Lantern,10.00,EUR',
      '2024-02-02,Lantern,12.00,GBP',
      '2024-02-03,Quill,3.00,EUR',
    ].join('\n'),
    'energy.csv': [
      'Day,Flat,Net,Fee',
      '2024-05-01,Attic,50.00,7.00',
      '2024-05-02,Attic,60.00,8.00',
      '2024-05-03,Cellar,70.00,9.00',
    ].join('\n'),
    'notes.csv': [
      'Day,Plot,Harvest kg',
      '2024-06-01,North,4',
      '2024-06-02,North,5',
      '2024-06-03,North,6',
      '2024-06-04,North,7',
      '2024-06-05,North,about 9',
      '2024-06-06,South,1',
    ].join('\n'),
  };
  const ask = askerOf(mixed);
  test.each([
    ['How much did we spend in Porto in total?', 'two currencies in a column'],
    ['How much did we spend at Lantern in total?', 'a currency for each row'],
    ['How much did we pay for the Attic in total?', 'two amounts of which none is named'],
    ['What was the total harvest of the North plot?', 'a figure that is not one'],
    ['How much did we not spend in Leeds in total?', 'a negation'],
    ['Which orders at Lantern are unpaid?', 'no column that says so'],
    ['Why did we pay so much in Leeds in total?', 'a reason'],
    ['How many orders of more than Quill were there?', 'a comparison with no amount'],
    ['How much did we spend in Leeds since last summer in total?', 'days that are not read'],
  ])('%s (%s)', async (question) => {
    const { computed } = await ask(question);
    expect(computed).toBeUndefined();
  });

  test('what is of one currency is computed', async () => {
    expect((await ask('How much did we spend in Leeds in total?')).computed?.value).toBe(5);
    expect((await ask('How much did we spend at Quill in total?')).computed?.value).toBe(3);
  });
});
