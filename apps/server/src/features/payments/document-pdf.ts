import { createRequire } from 'node:module';
import Document from 'pdfkit';
import type { InvoiceRow } from './payments.tables.ts';
import { dollars, formatDay } from './receipts.ts';

const resolve = createRequire(import.meta.url).resolve;
const REGULAR = resolve('dejavu-fonts-ttf/ttf/DejaVuSans.ttf');
const BOLD = resolve('dejavu-fonts-ttf/ttf/DejaVuSans-Bold.ttf');

const ACCENT = '#4c46c9';
const INK = '#1c1c22';
const MUTED = '#5c5c68';
const HAIRLINE = '#e3e3e8';
const WARNING = '#9a3412';

const LEFT = 56;
const RIGHT = 539;
const WIDTH = RIGHT - LEFT;
const LABELS = 150;

const TITLES = { invoice: 'Invoice', receipt: 'Receipt' };
export type DocumentKind = keyof typeof TITLES;

// Control characters would show as boxes. Line breaks separate the lines of an address.
const printable = (text: string): string => text.replaceAll(/[^\P{Cc}\n]+/gu, ' ').trim();

export async function documentPdf(
  kind: DocumentKind,
  invoice: InvoiceRow,
  email: string,
): Promise<Buffer> {
  const { plan, invoiceNo, amount, paidAt, billingAddress } = invoice;
  const title = `${TITLES[kind]} ${invoiceNo}`;
  const pdf = new Document({
    size: 'A4',
    margins: { top: 56, bottom: 56, left: LEFT, right: 56 },
    lang: 'en-US',
    info: { Title: `${title} (sandbox)`, Author: 'Engram', CreationDate: paidAt },
  });
  pdf.registerFont('regular', REGULAR).registerFont('bold', BOLD);

  const line = (): void => {
    pdf.moveTo(LEFT, pdf.y).lineTo(RIGHT, pdf.y).lineWidth(0.5).stroke(HAIRLINE);
    pdf.y += 12;
  };
  const row = (label: string, value: string, font = 'regular'): void => {
    const top = pdf.y;
    pdf.font('regular').fontSize(10).fillColor(MUTED).text(label, LEFT, top, { width: LABELS });
    const options = { width: WIDTH - LABELS };
    pdf
      .font(font)
      .fillColor(INK)
      .text(printable(value), LEFT + LABELS, top, options);
    pdf.y += 12;
    line();
  };

  pdf.font('bold').fontSize(14).fillColor(ACCENT).text('Engram', LEFT, 56);
  pdf.moveDown(1.5).fontSize(24).fillColor(INK).text(TITLES[kind]);
  pdf.moveDown(0.4).fontSize(12).fillColor(WARNING).text('SANDBOX – no money has moved');
  pdf.moveDown(0.3).font('regular').fontSize(10).fillColor(MUTED);
  pdf.text('This document comes from a test checkout. It is not a bill, and no payment is due.');
  pdf.y += 24;
  line();
  row('Number', invoiceNo);
  row(kind === 'invoice' ? 'Date' : 'Paid on', formatDay(paidAt));
  row('Billed to', [email, billingAddress].filter(Boolean).join('\n'));
  row('Plan', plan);
  row(kind === 'invoice' ? 'Total, paid' : 'Amount paid', `${dollars(amount)} USD`, 'bold');
  pdf.end();
  return Buffer.concat(await pdf.toArray());
}
