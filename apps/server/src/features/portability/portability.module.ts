import path from 'node:path';
import type { LedgerEntry } from '@engram/contract';
import type { PortableFiles } from '../artifacts/portable-files.ts';
import type { RunningQuota } from '../artifacts/running-quota.ts';
import type { History } from '../history/history.module.ts';
import type { KeywordsService } from '../keywords/keywords.service.ts';
import { createExportService } from './export.service.ts';
import type { Billing } from './export-text.ts';
import { createImportService } from './import.service.ts';
import { createPortableProfile } from './portable-profile.ts';
import type { ProfileService } from '../profile/profile.service.ts';
import type { QuestionnaireService } from '../questionnaire/questionnaire.service.ts';
import type { CreditsService } from '../subscription/credits.service.ts';
import type { SubscriptionService } from '../subscription/subscription.service.ts';
import type { Core } from '../../composition/core.ts';
import type { Payments } from '../payments/payments.module.ts';

interface Parts {
  files: PortableFiles;
  arriving: RunningQuota;
  history: History['portable'];
  services: {
    keywords: KeywordsService;
    profile: ProfileService;
    questionnaire: QuestionnaireService;
    subscription: SubscriptionService;
    credits: CreditsService;
    payments: Pick<Payments, 'invoices'>;
  };
}

/** What a person's plan is, and what was paid and credited: to be read, never to be brought in. */
async function readBilling(
  { subscription, credits, payments }: Parts['services'],
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
    // Without the links to their documents, which work without a session.
    invoices: invoices.map(({ invoiceNo, plan: bought, paymentDate: date, amount }) => ({
      invoiceNo,
      plan: bought,
      date,
      amount,
    })),
  };
}

/** How everything of a person leaves as one zip, and comes in again. */
export async function createPortability(core: Core, parts: Parts) {
  const { config, storage, version, log, now } = core;
  const { files, arriving, history, services } = parts;
  const { keywords, subscription } = services;
  const { backgroundYield } = storage;
  const profile = createPortableProfile(services);
  const exports = createExportService({
    files,
    history,
    keywords: async (userId) =>
      (await keywords.list(userId)).map(({ keyword, isActive, isDefault, createdDate }) => ({
        keyword,
        active: isActive,
        default: isDefault,
        createdDate,
      })),
    profile: profile.read,
    billing: (userId) => readBilling(services, userId),
    signing: storage.signing,
    version,
    log,
    now,
  });
  const imports = await createImportService({
    files,
    history,
    keywords,
    fillProfile: profile.fill,
    assertMayUpload: subscription.assertMayUpload,
    arriving,
    folder: path.join(config.dataDir, 'imports'),
    room: storage.room,
    limitMb: config.importLimitMb,
    now,
    yieldToRequests: backgroundYield.yieldToRequests,
  });

  return {
    exports,
    imports,
    /** Ends what is under way. */
    async close(): Promise<void> {
      await Promise.all([exports.close(), imports.close()]);
    },
  };
}
