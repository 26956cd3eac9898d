import { Readable } from 'node:stream';
import type { LedgerEntry } from '@engram/contract';
import { z } from 'zod';
import type { Core } from '../../composition/core.ts';
import { createMemberNames } from '../../platform/files/member-names.ts';
import { createZipRuns, type ZipWriter } from '../../platform/files/zip-writer.ts';
import { HttpError } from '../../platform/http/errors.ts';
import { createSignedLinks, type LinkHolder } from '../../platform/http/signed-links.ts';
import type { ArtifactRow } from '../artifacts/artifacts.tables.ts';
import type { PortableFiles } from '../artifacts/portable-files.ts';
import type { RunningQuota } from '../artifacts/upload-intake.ts';
import type { PortableHistory } from '../history/portable-history.ts';
import type { KeywordsService } from '../keywords/keywords.service.ts';
import type { Payments } from '../payments/payments.module.ts';
import type { CreditsService } from '../subscription/credits.service.ts';
import type { SubscriptionService } from '../subscription/subscription.service.ts';
import {
  type ExportedEntry,
  type ExportedFile,
  type ExportedProfile,
  FILES_FOLDER,
  FORMAT,
  MEMBERS,
  VERSION,
} from './export-format.ts';
import { type Billing, entryText, historyHead, profileText } from './export-text.ts';
import { refusal } from './portability.errors.ts';
import type { PortableProfile } from './portable-profile.ts';

/** The services that exports read and imports write. */
export interface PortableServices {
  files: PortableFiles;
  arriving: RunningQuota;
  history: PortableHistory;
  keywords: KeywordsService;
  profile: PortableProfile;
  subscription: SubscriptionService;
  credits: CreditsService;
  payments: Pick<Payments, 'invoices'>;
}

type HistoryRow = Awaited<ReturnType<PortableHistory['findMany']>>[number];

/** Few rows per query, so that other queries can run in between. */
const ROWS_PER_PAGE = 50;

/** Concurrent exports of one user. */
const MAX_PARALLEL_EXPORTS = 3;

const presentFile = (row: ArtifactRow, path: string | null): ExportedFile => ({
  id: row.id,
  name: row.fileName,
  path,
  sha256: row.sha256,
  size: row.size,
  type: row.mediaType,
  keywords: row.keywords,
  archived: row.archived,
  source: row.source,
  device: row.device,
  folderPath: row.path,
  modifiedDate: row.modifiedAt?.toISOString() ?? null,
  webAddress: row.webAddress,
  createdDate: row.createdAt.toISOString(),
  updatedDate: row.updatedAt.toISOString(),
});

function presentEntry(row: HistoryRow): ExportedEntry {
  const { userId: _user, thread: _thread, bookmarked: saved, createdAt, ...entry } = row;
  const date = createdAt.toISOString();
  // The export format has a separate type for each kind of location.
  return { ...(entry as Omit<ExportedEntry, 'saved' | 'date'>), saved, date };
}

function* pagesOf(ids: readonly string[]): Generator<string[]> {
  for (let i = 0; i < ids.length; i += ROWS_PER_PAGE) yield ids.slice(i, i + ROWS_PER_PAGE);
}

async function* jsonList(items: AsyncIterable<unknown> | Iterable<unknown>) {
  let separator = '[\n';
  for await (const item of items) {
    yield Buffer.from(separator + JSON.stringify(item));
    separator = ',\n';
  }
  yield Buffer.from(separator === '[\n' ? '[]\n' : '\n]\n');
}

/** Exports all data of a user as one streamed zip. */
export function createExportService(
  { storage: { signing }, version, now, log }: Core,
  {
    files,
    history,
    keywords,
    profile: portableProfile,
    subscription,
    credits,
    payments,
  }: PortableServices,
) {
  const links = createSignedLinks(signing, 'exports', z.null());
  const runs = createZipRuns({
    isAlive: signing.isAlive,
    maxParallel: MAX_PARALLEL_EXPORTS,
    tooMany: () =>
      new HttpError(
        429,
        'too_many_exports',
        'You already have several exports in progress. Please wait until one is complete.',
        { 'retry-after': '60' },
      ),
    failureMessage: 'an export was interrupted',
    log,
  });

  /** Compresses documents, unlike files, most of which are already compressed. */
  const addDocument = (zip: ZipWriter, path: string, content: AsyncIterable<Buffer> | string[]) =>
    zip.add({ path, content: Readable.from(content), at: now(), compress: true });

  const addJson = (zip: ZipWriter, path: string, value: unknown): Promise<void> =>
    addDocument(zip, path, [`${JSON.stringify(value, null, 2)}\n`]);

  /** The plan, payments and credits of a user. They are never imported. */
  const readBilling = async (userId: string): Promise<Billing> => {
    const { plan, status, credit } = await subscription.metrics(userId);
    const ledger = await credits.ledger(userId, {});
    const changes: LedgerEntry[] = [];
    for await (const page of ledger.pages ?? []) changes.push(...page);
    const invoices = await payments.invoices.list(userId);
    return {
      plan,
      status,
      credits: credit,
      ledger: changes.map(({ createdDate: date, change, balance, reason }) => {
        return { date, change, balance, reason };
      }),
      // Without links to the documents, which would work without a session.
      invoices: invoices.map(({ invoiceNo, plan, paymentDate: date, amount }) => {
        return { invoiceNo, plan, date, amount };
      }),
    };
  };

  async function* entries(userId: string, ids: readonly string[]) {
    for (const page of pagesOf(ids)) {
      for (const row of await history.findMany(userId, page)) yield presentEntry(row);
    }
  }

  async function* historyDocument(userId: string, ids: readonly string[]) {
    yield Buffer.from(historyHead(ids.length));
    for await (const entry of entries(userId, ids)) yield Buffer.from(entryText(entry));
  }

  const writeFiles = async (zip: ZipWriter, userId: string): Promise<void> => {
    const nameOf = createMemberNames();
    const written: ExportedFile[] = [];
    for (const page of pagesOf(await files.ids(userId))) {
      for (const row of await files.findMany(userId, page)) {
        const content = await files.open(userId, row.id);
        const path = content && FILES_FOLDER + nameOf(row.fileName);
        if (content && path) await zip.add({ path, content, at: row.createdAt, compress: false });
        written.push(presentFile(row, path));
      }
    }
    await addDocument(zip, MEMBERS.files, jsonList(written));
  };

  const write = async (zip: ZipWriter, userId: string, profile: ExportedProfile) => {
    const madeBy = `Engram ${version}`;
    const madeAt = now().toISOString();
    await addJson(zip, MEMBERS.manifest, { format: FORMAT, version: VERSION, madeAt, madeBy });
    const billing = await readBilling(userId);
    await addJson(zip, MEMBERS.profile, profile);
    await addJson(zip, MEMBERS.billing, billing);
    await addDocument(zip, MEMBERS.profileText, [profileText(profile, billing)]);
    const exportedKeywords = (await keywords.list(userId)).map(
      ({ keyword, isActive: active, isDefault, createdAt }) => {
        return { keyword, active, default: isDefault, createdDate: createdAt.toISOString() };
      },
    );
    await addDocument(zip, MEMBERS.keywords, jsonList(exportedKeywords));
    // Read before the files, so that answers never cite a file that is missing from the export.
    const historyIds = await history.ids(userId);
    await addDocument(zip, MEMBERS.history, jsonList(entries(userId, historyIds)));
    await addDocument(zip, MEMBERS.historyText, historyDocument(userId, historyIds));
    await writeFiles(zip, userId);
  };

  return {
    sign(holder: LinkHolder) {
      const { token, expiresAt } = links.sign(holder, null);
      return { path: `/v1/exports/${token}`, expiresAt };
    },

    /** @throws HttpError 404 for a forged token, 410 for an expired one. */
    async holderOf(token: string): Promise<LinkHolder> {
      const link = await links.open(token);
      if (link === 'expired') throw refusal('link_expired');
      if (link === null) throw refusal('export_not_found');
      return link.holder;
    },

    /** @throws HttpError 404 if the account was deleted, 429 if too many exports are running */
    async start(holder: LinkHolder): Promise<{ fileName: string; content: Readable }> {
      const content = await runs.start(holder, async () => {
        const { userId } = holder;
        const profile = await portableProfile.read(userId);
        if (!profile) throw refusal('export_not_found');
        return (zip) => write(zip, userId, profile);
      });
      return { fileName: `engram-export-${now().toISOString().slice(0, 10)}.zip`, content };
    },

    close: runs.close,
  };
}

export type ExportService = ReturnType<typeof createExportService>;
