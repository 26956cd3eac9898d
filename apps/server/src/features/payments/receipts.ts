import type { FastifyBaseLogger } from 'fastify';
import type { Transaction } from '../../platform/database/database.ts';
import type { Jobs } from '../../platform/jobs/jobs.ts';
import { letter } from '../../platform/mail/letter.ts';
import type { Mailer, MailMessage } from '../../platform/mail/mailer.ts';
import type { PaymentsRepository } from './payments.repository.ts';
import type { InvoiceRow } from './payments.tables.ts';

export interface ReceiptsDependencies {
  repository: Pick<PaymentsRepository, 'findInvoice'>;
  jobs: Pick<Jobs, 'define' | 'enqueueAll'>;
  mailer: Pick<Mailer, 'send'>;
  log: Pick<FastifyBaseLogger, 'error'>;
  /** Undefined for an account that is gone. */
  emailOf: (userId: string) => Promise<string | undefined>;
  /** Address under which people reach the server, where it is set. */
  publicUrl: string | undefined;
}

interface ReceiptJob {
  invoice: string;
}

const SEND = 'send-receipt';

const day = new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone: 'UTC' });

/** US dollars, of cents. */
export const dollars = (cents: number): string => `$${(cents / 100).toFixed(2)}`;

/** The day of a payment, as documents and mails say it. */
export const dayOf = (moment: Date): string => day.format(moment);

/** The mail about an invoice that was paid. */
function receiptMail(to: string, invoice: InvoiceRow, publicUrl: string | undefined): MailMessage {
  const { plan, invoiceNo, paidAt, amount, billingAddress, provider } = invoice;
  const sandbox = provider === 'sandbox';
  return letter({
    to,
    subject: `Your receipt for ${plan}${sandbox ? ' (sandbox)' : ''}`,
    parts: [
      { text: 'Thank you. Your payment has arrived.' },
      {
        rows: [
          ['Plan', plan],
          ['Amount', dollars(amount)],
          ['Paid on', dayOf(paidAt)],
          ['Invoice', invoiceNo],
          ...(billingAddress ? [['Billed to', billingAddress] as const] : []),
        ],
      },
      ...(publicUrl
        ? [
            {
              button: {
                label: 'See your invoices',
                url: new URL('/profile#invoices', publicUrl).href,
              },
            },
          ]
        : []),
      ...(sandbox ? [{ text: 'This was paid in the sandbox: no money has moved.' }] : []),
    ],
  });
}

/** Sends a receipt for each paid invoice, once; a mail server that is down only delays it. */
export function createReceipts(deps: ReceiptsDependencies) {
  const { repository, jobs, mailer, log, emailOf, publicUrl } = deps;

  return {
    define: (): Promise<void> =>
      jobs.define<ReceiptJob>(SEND, {
        concurrency: 1,
        timeoutSeconds: 60,
        retryLimit: 20,
        retryDelaySeconds: 30,
        async handler({ data }) {
          const invoice = await repository.findInvoice(data.invoice);
          const to = invoice && (await emailOf(invoice.userId));
          if (invoice && to) await mailer.send(receiptMail(to, invoice, publicUrl));
        },
        async onFailed(data, error) {
          log.error({ err: error, ...data }, 'a receipt could not be sent');
        },
      }),

    /** @param rows Invoices that were not known before. */
    send: (tx: Transaction, rows: readonly InvoiceRow[]): Promise<void> =>
      jobs.enqueueAll<ReceiptJob>(
        SEND,
        rows.map(({ id }) => ({ data: { invoice: id }, key: id })),
        { tx },
      ),
  };
}
