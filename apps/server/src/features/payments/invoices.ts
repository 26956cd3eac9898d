import type { Invoice } from '@engram/contract';
import { Readable } from 'node:stream';
import type { FileReply } from '../../platform/http/file-reply.ts';
import type { DocumentKind, DocumentLinks } from './document-links.ts';
import type { KeptPlan } from '../subscription/subscription.service.ts';
import type { Intake } from './intake.ts';
import { documentLinkExpired, documentNotFound } from './payments.errors.ts';
import type { PaymentsRepository } from './payments.repository.ts';
import type { InvoiceRow } from './payments.tables.ts';
import type { PaymentProvider, ProviderName } from './provider.ts';

export interface InvoicesDependencies {
  repository: Pick<PaymentsRepository, 'listInvoices' | 'findInvoice'>;
  providers: Partial<Record<ProviderName, PaymentProvider>>;
  links: DocumentLinks;
  /** Seconds until the person may have the provider asked; 0 when they may now. */
  limit: (userId: string) => Promise<number>;
  findPlan: (userId: string) => Promise<KeptPlan | undefined>;
  intake: Pick<Intake, 'take'>;
  /** Undefined for an account that is gone. */
  emailOf: (userId: string) => Promise<string | undefined>;
}

/** What people have paid, and the invoices and receipts of it that the server makes itself. */
export function createInvoices({ repository, providers, links, ...deps }: InvoicesDependencies) {
  const present = (row: InvoiceRow, fresh: ReadonlyMap<string, string>): Invoice => {
    const own = (kind: DocumentKind): string | null =>
      row.provider === 'sandbox' ? links.sign(row.userId, row.id, kind) : null;
    return {
      invoiceNo: row.invoiceNo,
      plan: row.plan,
      paymentDate: row.paidAt.toISOString(),
      amount: row.amount / 100,
      invoicePdf: own('invoice') ?? fresh.get(row.providerInvoice) ?? row.invoiceUrl,
      receiptUrl: own('receipt') ?? row.receiptUrl,
    };
  };

  return {
    /** What was paid, newest first; with the links of before where the provider is not asked. */
    async list(userId: string): Promise<Invoice[]> {
      const kept = await deps.findPlan(userId);
      const bought = kept?.bought;
      // A plan that was to follow has begun, and was paid then.
      if (bought && kept.runs && kept.ranOut) {
        await deps.intake.take(bought.provider, bought.subscription);
      }
      const rows = await repository.listInvoices(userId);
      const asks = bought && rows.length > 0 && (await deps.limit(userId)) === 0;
      const provider = asks ? providers[bought.provider] : undefined;
      const fresh = await provider?.invoiceLinks(bought?.customer ?? '').catch(() => undefined);
      return rows.map((row) => present(row, fresh ?? new Map()));
    },

    /**
     * The document behind a signed link.
     * @throws HttpError 404 for what is not there or not signed by us, 410 for an old link.
     */
    async readDocument(token: string): Promise<FileReply> {
      const opened = links.open(token);
      if (opened === 'expired') throw documentLinkExpired();
      const invoice = opened && (await repository.findInvoice(opened.invoiceId));
      const email = invoice && (await deps.emailOf(invoice.userId));
      if (!email || invoice.userId !== opened.userId || invoice.provider !== 'sandbox') {
        throw documentNotFound();
      }
      // The library with its fonts is large, and seldom needed.
      const { documentPdf } = await import('./document-pdf.ts');
      const bytes = await documentPdf(opened.kind, invoice, email);
      return {
        fileName: `engram-${opened.kind}-${invoice.invoiceNo}.pdf`,
        mediaType: 'application/pdf',
        size: bytes.length,
        read: async ({ start, end }) => Readable.from([bytes.subarray(start, end + 1)]),
      };
    },
  };
}

export type Invoices = ReturnType<typeof createInvoices>;
