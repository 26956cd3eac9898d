import { Readable } from 'node:stream';
import type { FileReply } from '../../platform/http/file-reply.ts';
import type { DocumentLinks } from './document-links.ts';
import { documentLinkExpired, documentNotFound } from './payments.errors.ts';
import type { PaymentsRepository } from './payments.repository.ts';

export interface DocumentsDependencies {
  repository: Pick<PaymentsRepository, 'findInvoice'>;
  links: DocumentLinks;
  /** Undefined for an account that is gone. */
  emailOf: (userId: string) => Promise<string | undefined>;
}

/** The invoices and receipts that the server makes itself. */
export function createDocuments({ repository, links, emailOf }: DocumentsDependencies) {
  return {
    /**
     * The document behind a signed link.
     * @throws HttpError 404 for what is not there or not signed by us, 410 for an old link.
     */
    async read(token: string): Promise<FileReply> {
      const opened = links.open(token);
      if (opened === 'expired') throw documentLinkExpired();
      const invoice = opened && (await repository.findInvoice(opened.invoiceId));
      const email = invoice && (await emailOf(invoice.userId));
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

export type Documents = ReturnType<typeof createDocuments>;
