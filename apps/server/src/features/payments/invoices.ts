import { Readable } from 'node:stream';
import type { Invoice } from '@engram/contract';
import { z } from 'zod';
import { HttpError } from '../../platform/http/errors.ts';
import type { FileReply } from '../../platform/http/file-reply.ts';
import { createSignedTokens } from '../../platform/http/signed-tokens.ts';
import type { DocumentKind } from './document-pdf.ts';
import type { InvoiceRow } from './payments.tables.ts';
import type { PaymentsContext, SubscriptionSync } from './subscription-sync.ts';

/** How long a link to a document works, in milliseconds. */
const LINK_TTL_MS = 15 * 60_000;

const claims = z.tuple([z.enum(['invoice', 'receipt']), z.uuid(), z.uuid(), z.number()]);

export function createInvoices(
  { core, subscription, repository, providers, limit }: PaymentsContext,
  { sync }: SubscriptionSync,
) {
  const { now } = core;
  const tokens = createSignedTokens(core.config.secret, 'payment-documents');

  const present = (row: InvoiceRow, currentLinks: ReadonlyMap<string, string>): Invoice => {
    const sandboxDocument = (kind: DocumentKind): string | null => {
      if (row.provider !== 'sandbox') return null;
      const until = now().getTime() + LINK_TTL_MS;
      return `/v1/payments/documents/${tokens.sign([kind, row.userId, row.id, until])}`;
    };
    return {
      invoiceNo: row.invoiceNo,
      plan: row.plan,
      paymentDate: row.paidAt.toISOString(),
      amount: row.amount / 100,
      invoicePdf:
        sandboxDocument('invoice') ?? currentLinks.get(row.providerInvoice) ?? row.invoiceUrl,
      receiptUrl: sandboxDocument('receipt') ?? row.receiptUrl,
    };
  };

  return {
    /** A user's invoices, newest first, with stored links if the rate limit is reached. */
    async list(userId: string): Promise<Invoice[]> {
      const plan = await subscription.find(userId);
      const purchase = plan?.purchase;
      // The next plan has begun and has been paid.
      if (purchase && plan.isPaid && plan.isOutdated)
        await sync(purchase.provider, purchase.subscription);
      const rows = await repository.listInvoices(userId);
      const mayCallProvider = purchase && rows.length > 0 && (await limit(userId)) === 0;
      const links = mayCallProvider
        ? await providers[purchase.provider]?.invoiceLinks(purchase.customer).catch(() => undefined)
        : undefined;
      return rows.map((row) => present(row, links ?? new Map()));
    },

    /** The document of a signed link. @throws HttpError 404, or 410 for an expired link. */
    async readDocument(token: string): Promise<FileReply> {
      const signed = tokens.read(token);
      const [kind, userId, invoiceId, until] = signed === undefined ? [] : claims.parse(signed);
      if (until !== undefined && until < now().getTime()) {
        const message = 'The link has expired. Please open the document from your invoices again.';
        throw new HttpError(410, 'link_expired', message);
      }
      const invoice = invoiceId && (await repository.findInvoice(invoiceId));
      const email = invoice && (await core.storage.emailOf(invoice.userId));
      if (!kind || !email || invoice.userId !== userId || invoice.provider !== 'sandbox') {
        throw new HttpError(404, 'document_not_found', 'This document does not exist.');
      }
      // Loaded on demand, because the library and its fonts are large.
      const { documentPdf } = await import('./document-pdf.ts');
      const bytes = await documentPdf(kind, invoice, email);
      return {
        fileName: `engram-${kind}-${invoice.invoiceNo}.pdf`,
        mediaType: 'application/pdf',
        size: bytes.length,
        read: async ({ start, end }) => Readable.from([bytes.subarray(start, end + 1)]),
      };
    },
  };
}

export type Invoices = ReturnType<typeof createInvoices>;
