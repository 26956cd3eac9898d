import type { Invoice } from '@engram/contract';
import type { DocumentKind, DocumentLinks } from './document-links.ts';
import type { KeptPlan } from '../subscription/subscription.service.ts';
import type { Intake } from './intake.ts';
import type { PaymentsRepository } from './payments.repository.ts';
import type { InvoiceRow } from './payments.tables.ts';
import type { PaymentProvider, ProviderName } from './provider.ts';

export interface InvoicesDependencies {
  repository: Pick<PaymentsRepository, 'listInvoices'>;
  providers: Partial<Record<ProviderName, PaymentProvider>>;
  links: DocumentLinks;
  /** Seconds until the person may have the provider asked; 0 when they may now. */
  limit: (userId: string) => Promise<number>;
  findPlan: (userId: string) => Promise<KeptPlan | undefined>;
  intake: Pick<Intake, 'take'>;
}

/** What people have paid, with links to the documents of it. */
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
  };
}

export type Invoices = ReturnType<typeof createInvoices>;
