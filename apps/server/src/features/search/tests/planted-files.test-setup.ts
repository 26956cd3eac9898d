import { utils, write } from '@e965/xlsx';
import { strToU8, zipSync } from 'fflate';
import { presentation } from '../../../../../../packages/extraction/src/office/tests/presentation.test-setup.ts';
import { makeDocx, makePptx } from '../../../../../../tests/quality/everyday/office.ts';

/** A file that contains a fact at a known source location. */
export interface PlantedFile {
  name: string;
  content: Uint8Array | string;
  /** The source location of the fact. Default: its line in the extracted text. */
  location?: Record<string, string | number>;
}

/** The paragraphs of a file, one of which states the fact. */
export interface PlantedText {
  paragraphs: readonly string[];
  /** The index of the paragraph that states the fact. */
  at: number;
}

const pack = (parts: Record<string, string>): Uint8Array =>
  zipSync(Object.fromEntries(Object.entries(parts).map(([path, text]) => [path, strToU8(text)])));

const openDocument = (kind: string, body: string): Uint8Array => {
  const names = ['office', 'text', 'table', 'draw', 'presentation'];
  const spaces = names.map((name) => `xmlns:${name}="urn:${name}"`).join(' ');
  const media = kind === 'text' ? 'text' : 'presentation';
  return pack({
    mimetype: `application/vnd.oasis.opendocument.${media}`,
    'content.xml': `<office:document-content ${spaces}><office:body><office:${kind}>${body}</office:${kind}></office:body></office:document-content>`,
  });
};

const epub = (paragraphs: readonly string[]): Uint8Array =>
  pack({
    mimetype: 'application/epub+zip',
    'META-INF/container.xml':
      '<container xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles><rootfile full-path="book.opf" media-type="application/oebps-package+xml"/></rootfiles></container>',
    'book.opf':
      '<package xmlns="http://www.idpf.org/2007/opf"><manifest><item id="a" href="a.xhtml" media-type="application/xhtml+xml"/></manifest><spine><itemref idref="a"/></spine></package>',
    'a.xhtml': `<html xmlns="http://www.w3.org/1999/xhtml"><body>${tagged(paragraphs)}</body></html>`,
  });

const tagged = (paragraphs: readonly string[], tag = 'p'): string =>
  paragraphs.map((text) => `<${tag}>${text}</${tag}>`).join('\n');

/** A PDF with a paragraph on each page. */
function pagesOf(paragraphs: readonly string[]): Uint8Array {
  const pages = paragraphs.map((_, i) => 4 + 2 * i);
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Kids [${pages.map((n) => `${n} 0 R`).join(' ')}] /Count ${pages.length} >>`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
    ...paragraphs.flatMap((text, i) => {
      const lines = (text.match(/.{1,80}(?:\s|$)/gu) ?? []).map(
        (line) => `(${line.trim()}) Tj 0 -16 Td`,
      );
      const content = `BT /F1 12 Tf 72 720 Td ${lines.join(' ')} ET`;
      return [
        `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents ${5 + 2 * i} 0 R /Resources << /Font << /F1 3 0 R >> >> >>`,
        `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
      ];
    }),
  ];
  let out = '%PDF-1.4\n';
  const offsets = objects.map((text, i) => {
    const offset = out.length;
    out += `${i + 1} 0 obj\n${text}\nendobj\n`;
    return offset;
  });
  const table = offsets.map((at) => `${String(at).padStart(10, '0')} 00000 n \n`).join('');
  const size = objects.length + 1;
  const trailer = `trailer\n<< /Size ${size} /Root 1 0 R >>\nstartxref\n${out.length}\n%%EOF\n`;
  return strToU8(`${out}xref\n0 ${size}\n0000000000 65535 f \n${table}${trailer}`);
}

function workbook(rows: string[][], bookType: 'xlsx' | 'ods'): Uint8Array {
  const book = utils.book_new();
  utils.book_append_sheet(book, utils.aoa_to_sheet(rows), 'Log');
  return new Uint8Array(write(book, { type: 'array', bookType }) as ArrayBuffer);
}

const mail = (body: string, subject: string): string =>
  [
    'From: ann@example.org',
    'To: ben@example.org',
    `Subject: ${subject}`,
    'Date: Mon, 02 Mar 2026 10:00:00 +0000',
    'Content-Type: text/plain; charset=utf-8',
    '',
    body,
    '',
  ].join('\r\n');

const unfolded = (text: string): string => text.replaceAll(',', String.raw`\,`);

/** Creators of a file of each text type, keyed by the end of its name. */
export const PLANTED: Record<string, (text: PlantedText) => Omit<PlantedFile, 'name'>> = {
  txt: ({ paragraphs }) => ({ content: paragraphs.join('\n\n') }),
  // The lines form one paragraph.
  'lines.txt': ({ paragraphs, at }) => ({
    content: paragraphs.join('\n'),
    location: { line: at + 1 },
  }),
  md: ({ paragraphs, at }) => ({
    content: `# Notes\n\n${paragraphs.join('\n\n')}\n`,
    location: { line: 2 * at + 3 },
  }),
  csv: ({ paragraphs, at }) => ({
    content: ['Number,Remark', ...paragraphs.map((text, i) => `${i + 1},"${text}"`)].join('\n'),
    location: { row: at + 2 },
  }),
  html: ({ paragraphs }) => ({
    content: `<!doctype html><html><head><title>Notes</title></head><body>${tagged(paragraphs)}</body></html>`,
  }),
  json: ({ paragraphs }) => ({
    content: JSON.stringify(paragraphs.map((remark, number) => ({ number, remark }))),
  }),
  pdf: ({ paragraphs, at }) => ({ content: pagesOf(paragraphs), location: { page: at + 1 } }),
  docx: ({ paragraphs }) => ({ content: makeDocx(paragraphs) }),
  xlsx: ({ paragraphs, at }) => ({
    content: workbook(
      [['Number', 'Remark'], ...paragraphs.map((text, i) => [`N${i}`, text])],
      'xlsx',
    ),
    location: { sheet: 'Log', row: at + 2 },
  }),
  ods: ({ paragraphs, at }) => ({
    content: workbook(
      [['Number', 'Remark'], ...paragraphs.map((text, i) => [`N${i}`, text])],
      'ods',
    ),
    location: { sheet: 'Log', row: at + 2 },
  }),
  pptx: ({ paragraphs, at }) => ({
    content: makePptx(paragraphs.map((text, i) => [`Slide ${i + 1}`, text])),
    location: { slide: at + 1 },
  }),
  ppt: ({ paragraphs, at }) => ({
    content: presentation(paragraphs.map((text) => ({ title: 'Minutes', body: [text] }))),
    location: { slide: at + 1 },
  }),
  odt: ({ paragraphs }) => ({ content: openDocument('text', tagged(paragraphs, 'text:p')) }),
  odp: ({ paragraphs, at }) => ({
    content: openDocument(
      'presentation',
      paragraphs
        .map(
          (text) =>
            `<draw:page><draw:frame><draw:text-box><text:p>${text}</text:p></draw:text-box></draw:frame></draw:page>`,
        )
        .join(''),
    ),
    location: { slide: at + 1 },
  }),
  rtf: ({ paragraphs }) => ({
    content: String.raw`{\rtf1\ansi ${paragraphs.map((text) => String.raw`${text}\par`).join('\n')}}`,
  }),
  epub: ({ paragraphs }) => ({ content: epub(paragraphs) }),
  eml: ({ paragraphs }) => ({ content: mail(paragraphs.join('\r\n\r\n'), 'Minutes') }),
  mbox: ({ paragraphs }) => ({
    content: paragraphs
      .map(
        (text, i) =>
          `From ann@example.org Mon Mar  2 10:00:00 2026\r\n${mail(text, `Minutes ${i}`)}`,
      )
      .join('\r\n'),
  }),
  ics: ({ paragraphs }) => ({
    content: [
      'BEGIN:VCALENDAR',
      'VERSION:2.0',
      ...paragraphs.flatMap((text, i) => [
        'BEGIN:VEVENT',
        `UID:${i}`,
        `DTSTART:202603${String(1 + (i % 28)).padStart(2, '0')}T100000Z`,
        `SUMMARY:Meeting ${i}`,
        `DESCRIPTION:${unfolded(text)}`,
        'END:VEVENT',
      ]),
      'END:VCALENDAR',
    ].join('\r\n'),
  }),
  vcf: ({ paragraphs }) => ({
    content: paragraphs
      .map(
        (text, i) =>
          `BEGIN:VCARD\r\nVERSION:3.0\r\nFN:Person ${i}\r\nNOTE:${unfolded(text)}\r\nEND:VCARD`,
      )
      .join('\r\n'),
  }),
  zip: ({ paragraphs, at }) => ({
    content: pack({ 'first.txt': 'Nothing of note.\n', 'logs/notes.txt': paragraphs.join('\n') }),
    location: { path: 'logs/notes.txt', line: at + 1 },
  }),
};
