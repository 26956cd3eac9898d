import type { LedgerEntry } from '@engram/contract';
import type { Core } from '../../composition/core.ts';
import type { PortableFiles } from '../artifacts/portable-files.ts';
import type { RunningQuota } from '../artifacts/running-quota.ts';
import type { PortableHistory } from '../history/portable-history.ts';
import type { KeywordsService } from '../keywords/keywords.service.ts';
import type { Payments } from '../payments/payments.module.ts';
import type { ProfileService } from '../profile/profile.service.ts';
import type { QuestionnaireService } from '../questionnaire/questionnaire.service.ts';
import type { CreditsService } from '../subscription/credits.service.ts';
import type { SubscriptionService } from '../subscription/subscription.service.ts';
import { createExportService } from './export.service.ts';
import type { Billing } from './export-text.ts';
import { createImportService } from './import.service.ts';
import { createPortableProfile } from './portable-profile.ts';

interface Services {
  files: PortableFiles;
  arriving: RunningQuota;
  history: PortableHistory;
  keywords: KeywordsService;
  profile: ProfileService;
  questionnaire: QuestionnaireService;
  subscription: SubscriptionService;
  credits: CreditsService;
  payments: Pick<Payments, 'invoices'>;
}

/** The plan, payments and credits of a user, which are exported and never imported. */
async function readBilling(
  { subscription, credits, payments }: Services,
  userId: string,
): Promise<Billing> {
  const { plan, status, credit } = await subscription.metrics(userId);
  const ledger = await credits.ledger(userId, {});
  const changes: LedgerEntry[] = [];
  for await (const page of ledger.pages ?? []) changes.push(...page);
  const invoices = await payments.invoices.list(userId);
  return {
    plan,
    status,
    credits: credit,
    ledger: changes.map(({ createdDate: date, change, balance, reason }) => ({
      date,
      change,
      balance,
      reason,
    })),
    // Without links to the documents, which would work without a session.
    invoices: invoices.map(({ invoiceNo, plan: bought, paymentDate: date, amount }) => ({
      invoiceNo,
      plan: bought,
      date,
      amount,
    })),
  };
}

/** Export and import of all data of a user. */
export async function createPortability(core: Core, services: Services) {
  const profile = createPortableProfile(services.profile, services.questionnaire);
  const readBillingOf = (userId: string) => readBilling(services, userId);
  const exports = createExportService(core, { ...services, profile, readBilling: readBillingOf });
  const imports = await createImportService(core, { ...services, profile });

  return {
    exports,
    imports,
    async close(): Promise<void> {
      await Promise.all([exports.close(), imports.close()]);
    },
  };
}
