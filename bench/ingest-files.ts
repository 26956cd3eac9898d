import { zipSync, strToU8 } from 'fflate';
import sharp from 'sharp';
import * as xlsx from '@e965/xlsx';
import { createCorpus } from './index-corpus.ts';

/** A generated file with what its reading can be counted by. */
export interface SampleFile {
  format: string;
  fileName: string;
  bytes: Uint8Array;
  /** Pages, slides or pictures; null where the format has none. */
  pages: number | null;
}

const WORDS_PER_SENTENCE = 12;
const SENTENCES_PER_PARAGRAPH = 8;
const PDF_PAGES = 118;
const PDF_LINES = 46;

type Corpus = ReturnType<typeof createCorpus>;

const words = (corpus: Corpus, count: number): string =>
  Array.from({ length: count }, corpus.word).join(' ');
const paragraph = (corpus: Corpus): string =>
  Array.from(
    { length: SENTENCES_PER_PARAGRAPH },
    () => `${words(corpus, WORDS_PER_SENTENCE)}.`,
  ).join(' ');

/** Paragraphs of about `bytes` in all. */
function paragraphs(corpus: Corpus, bytes: number): string[] {
  const made: string[] = [];
  for (let length = 0; length < bytes; length += made.at(-1)?.length ?? 0) {
    made.push(paragraph(corpus));
  }
  return made;
}

function rows(corpus: Corpus, count: number): string[][] {
  const head = ['Number', 'Customer', 'Product', 'City', 'Amount', 'Note'];
  const body = Array.from({ length: count }, (_, n) => [
    String(n + 1),
    words(corpus, 2),
    words(corpus, 1),
    words(corpus, 1),
    String((n * 37) % 10_000),
    words(corpus, 4),
  ]);
  return [head, ...body];
}

/** A PDF with a text layer, by ISO 32000's plainest means: one font, one content stream a page. */
function pdf(corpus: Corpus, pages: number): Uint8Array {
  const objects: string[] = [];
  const kids = Array.from({ length: pages }, (_, n) => `${4 + n * 2} 0 R`).join(' ');
  objects.push('<</Type/Catalog/Pages 2 0 R>>', `<</Type/Pages/Kids[${kids}]/Count ${pages}>>`);
  objects.push('<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>');
  for (let page = 0; page < pages; page += 1) {
    const lines = Array.from({ length: PDF_LINES }, () => `(${words(corpus, 14)}) Tj T*`);
    const stream = `BT /F1 10 Tf 14 TL 60 760 Td ${lines.join('\n')} ET`;
    objects.push(
      `<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Contents ${5 + page * 2} 0 R/Resources<</Font<</F1 3 0 R>>>>>>`,
      `<</Length ${stream.length}>>\nstream\n${stream}\nendstream`,
    );
  }
  let text = '%PDF-1.4\n';
  const offsets = objects.map((object, n) => {
    const at = text.length;
    text += `${n + 1} 0 obj\n${object}\nendobj\n`;
    return at;
  });
  const table = offsets.map((at) => `${String(at).padStart(10, '0')} 00000 n \n`).join('');
  const count = objects.length + 1;
  text += `xref\n0 ${count}\n0000000000 65535 f \n${table}trailer\n<</Size ${count}/Root 1 0 R>>\nstartxref\n${text.length}\n%%EOF\n`;
  return strToU8(text);
}

const escapeXml = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

function docx(texts: readonly string[]): Uint8Array {
  const body = texts.map((text) => `<w:p><w:r><w:t>${escapeXml(text)}</w:t></w:r></w:p>`).join('');
  const word = 'http://schemas.openxmlformats.org/wordprocessingml/2006/main';
  return zipSync(
    {
      '[Content_Types].xml': strToU8(
        '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>',
      ),
      '_rels/.rels': strToU8(
        '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="word/document.xml"/></Relationships>',
      ),
      'word/document.xml': strToU8(
        `<w:document xmlns:w="${word}"><w:body>${body}</w:body></w:document>`,
      ),
    },
    { level: 0 },
  );
}

function html(texts: readonly string[]): string {
  const body = texts.map(
    (text, n) => (n % 20 === 0 ? `<h2>Part ${n}</h2>` : '') + `<p>${text}</p>`,
  );
  return `<!doctype html><html><head><title>Bench</title></head><body><article>${body.join('\n')}</article></body></html>`;
}

/** A page of print as a scanner would hand it over. */
function scan(corpus: Corpus): Promise<Uint8Array> {
  const lines = Array.from({ length: 40 }, (_, n) => {
    const text = `${words(corpus, 9)} invoice number ${n * 31}`;
    return `<text x="120" y="${140 + n * 46}" font-family="DejaVu Sans" font-size="26">${text}</text>`;
  });
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="1240" height="2060"><rect width="100%" height="100%" fill="white"/>${lines.join('')}</svg>`;
  return sharp(Buffer.from(svg)).png().toBuffer();
}

const text = (content: string): Uint8Array => new TextEncoder().encode(content);

/** One file of each format that has a library of its own to be measured against, most above 1 MB. */
export async function sampleFiles(seed: number): Promise<SampleFile[]> {
  const corpus = createCorpus(seed);
  const table = rows(corpus, 24_000);
  const book = xlsx.utils.book_new();
  xlsx.utils.book_append_sheet(book, xlsx.utils.aoa_to_sheet(table), 'Sales');
  const records = table.slice(1).map(([number, customer, product, city, amount, note]) => ({
    number,
    customer,
    product,
    city,
    amount,
    note,
  }));
  const prose = paragraphs(corpus, 1_500_000);
  const member = (n: number) => text(prose.slice(n * 10, n * 10 + 10).join('\n\n'));
  const members = Array.from({ length: 200 }, (_, n) => [`part-${n}.txt`, member(n)] as const);
  return [
    { format: 'txt', fileName: 'a.txt', bytes: text(prose.join('\n\n')), pages: null },
    {
      format: 'csv',
      fileName: 'a.csv',
      bytes: text(table.map((row) => row.join(',')).join('\n')),
      pages: null,
    },
    { format: 'json', fileName: 'a.json', bytes: text(JSON.stringify(records)), pages: null },
    { format: 'html', fileName: 'a.html', bytes: text(html(prose)), pages: null },
    { format: 'docx', fileName: 'a.docx', bytes: docx(prose), pages: null },
    {
      format: 'xlsx',
      fileName: 'a.xlsx',
      bytes: xlsx.write(book, {
        type: 'buffer',
        bookType: 'xlsx',
        compression: true,
      }) as Uint8Array,
      pages: 1,
    },
    { format: 'pdf', fileName: 'a.pdf', bytes: pdf(corpus, PDF_PAGES), pages: PDF_PAGES },
    {
      format: 'zip',
      fileName: 'a.zip',
      bytes: zipSync(Object.fromEntries(members), { level: 1 }),
      pages: null,
    },
    { format: 'png (scan)', fileName: 'a.png', bytes: await scan(corpus), pages: 1 },
  ];
}
