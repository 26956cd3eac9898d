import type { Core } from '../../composition/core.ts';
import type { Transaction } from '../../platform/database/database.ts';
import { renderMail } from '../../platform/mail/mail-template.ts';
import type { MailMessage } from '../../platform/mail/mailer.ts';
import type { PaymentsRepository } from './payments.repository.ts';
import type { InvoiceRow } from './payments.tables.ts';

interface ReceiptJob {
  invoice: string;
}

const SEND = 'send-receipt';

export const dollars = (cents: number): string => `$${(cents / 100).toFixed(2)}`;

const day = new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone: 'UTC' });
export const formatDay = (time: Date): string => day.format(time);

function receiptMail(to: string, invoice: InvoiceRow, publicUrl: string | undefined): MailMessage {
  const { plan, invoiceNo, paidAt, amount, billingAddress, provider } = invoice;
  const isSandbox = provider === 'sandbox';
  const button = publicUrl && {
    label: 'See your invoices',
    url: new URL('/profile#invoices', publicUrl).href,
  };
  return renderMail({
    to,
    subject: `Your receipt for ${plan}${isSandbox ? ' (sandbox)' : ''}`,
    parts: [
      { text: 'Thank you. We have received your payment.' },
      {
        rows: [
          ['Plan', plan],
          ['Amount', dollars(amount)],
          ['Paid on', formatDay(paidAt)],
          ['Invoice', invoiceNo],
          ...(billingAddress ? [['Billed to', billingAddress] as const] : []),
        ],
      },
      ...(button ? [{ button }] : []),
      ...(isSandbox ? [{ text: 'This was paid in the sandbox: no money has moved.' }] : []),
    ],
  });
}

/** Sends one receipt for each paid invoice. Jobs retry while the mail server is down. */
export function createReceipts(
  { config, storage: { jobs, emailOf }, providers: { mailer }, log }: Core,
  repository: PaymentsRepository,
) {
  jobs.define<ReceiptJob>(SEND, {
    concurrency: 1,
    timeoutSeconds: 60,
    retryLimit: 20,
    retryDelaySeconds: 30,
    async handler({ data }) {
      const invoice = await repository.findInvoice(data.invoice);
      const to = invoice && (await emailOf(invoice.userId));
      if (invoice && to) await mailer.send(receiptMail(to, invoice, config.publicUrl));
    },
    async onFailed(data, error) {
      log.error({ err: error, ...data }, 'a receipt could not be sent');
    },
  });

  return {
    send: (tx: Transaction, rows: readonly InvoiceRow[]): Promise<void> =>
      jobs.enqueueAll<ReceiptJob>(
        SEND,
        rows.map(({ id }) => ({ data: { invoice: id }, key: id })),
        { tx },
      ),
  };
}

export type Receipts = ReturnType<typeof createReceipts>;
