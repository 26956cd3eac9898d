import { Readable } from 'node:stream';
import { z } from 'zod';
import type { FastifyBaseLogger } from 'fastify';
import type { PortableFile, PortableFiles } from '../artifacts/portable-files.ts';
import type { PortableHistory } from '../history/portable-history.ts';
import {
  type ExportedEntry,
  type ExportedFile,
  type ExportedKeyword,
  type ExportedProfile,
  FILES_FOLDER,
  FORMAT,
  MEMBERS,
  VERSION,
} from './export-format.ts';
import { type Billing, entryText, historyHead, profileText } from './export-text.ts';
import { createMemberNames } from '../../platform/files/member-names.ts';
import { exportLinkExpired, exportNotFound, tooManyExports } from './portability.errors.ts';
import { createZipRuns } from '../../platform/files/zip-runs.ts';
import type { ZipWriter } from '../../platform/files/zip-writer.ts';
import {
  createSignedLinks,
  type LinkHolder,
  type SignedLinksOptions,
} from '../../platform/http/signed-links.ts';

export interface ExportDependencies {
  files: Pick<PortableFiles, 'ids' | 'some' | 'open'>;
  history: Pick<PortableHistory, 'ids' | 'some'>;
  keywords: (userId: string) => Promise<ExportedKeyword[]>;
  /** Undefined for an account that does not exist. */
  profile: (userId: string) => Promise<ExportedProfile | undefined>;
  billing: (userId: string) => Promise<Billing>;
  signing: SignedLinksOptions;
  /** Such as '0.1.0'. */
  version: string;
  log: Pick<FastifyBaseLogger, 'error'>;
  now: () => Date;
}

type HistoryRow = Awaited<ReturnType<PortableHistory['some']>>[number];

/** Rows that are read and written at once: others come in between. */
const ROWS_PER_PAGE = 50;

/** Exports of one person at the same time. */
const EXPORTS_AT_ONCE = 3;

const presentFile = (row: PortableFile, path: string | null): ExportedFile => ({
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
  createdDate: row.createdAt.toISOString(),
  updatedDate: row.updatedAt.toISOString(),
});

const presentEntry = (row: HistoryRow): ExportedEntry => ({
  id: row.id,
  question: row.question,
  answer: row.answer,
  grounded: row.grounded,
  notice: row.notice,
  citations: row.citations as ExportedEntry['citations'],
  nearest: row.nearest as ExportedEntry['nearest'],
  found: row.found as ExportedEntry['found'],
  related: row.related,
  recommendations: row.recommendations,
  keywords: row.keywords,
  chosenFiles: row.chosenFiles,
  latitude: row.latitude,
  longitude: row.longitude,
  ip: row.ip,
  device: row.device,
  saved: row.bookmarked,
  archived: row.archived,
  follows: row.follows,
  writtenBy: row.writtenBy,
  date: row.createdAt.toISOString(),
});

function* pagesOf(ids: readonly string[]): Generator<string[]> {
  for (let at = 0; at < ids.length; at += ROWS_PER_PAGE) yield ids.slice(at, at + ROWS_PER_PAGE);
}

async function* jsonList(items: AsyncIterable<unknown> | Iterable<unknown>) {
  let before = '[\n';
  for await (const item of items) {
    yield Buffer.from(before + JSON.stringify(item));
    before = ',\n';
  }
  yield Buffer.from(before === '[\n' ? '[]\n' : '\n]\n');
}

/** Everything of a person as one zip, written while it is read. */
export function createExportService(deps: ExportDependencies) {
  const { files, history, signing, now, log } = deps;
  const links = createSignedLinks(signing, 'exports', z.null());
  const runs = createZipRuns({
    isAlive: signing.isAlive,
    atOnce: EXPORTS_AT_ONCE,
    refuse: tooManyExports,
    broke: 'an export broke off',
    log,
  });

  /** Documents are packed; files stand in the export as they are, as most of them are packed already. */
  const document = (zip: ZipWriter, path: string, content: AsyncIterable<Buffer> | string[]) =>
    zip.add({ path, content: Readable.from(content), at: now(), compress: true });

  const json = (zip: ZipWriter, path: string, value: unknown): Promise<void> =>
    document(zip, path, [`${JSON.stringify(value, null, 2)}\n`]);

  async function* entries(userId: string, ids: readonly string[]) {
    for (const page of pagesOf(ids)) {
      for (const row of await history.some(userId, page)) yield presentEntry(row);
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
      for (const row of await files.some(userId, page)) {
        const content = await files.open(userId, row.id);
        const path = content && FILES_FOLDER + nameOf(row.fileName);
        if (content && path) await zip.add({ path, content, at: row.createdAt, compress: false });
        written.push(presentFile(row, path));
      }
    }
    await document(zip, MEMBERS.files, jsonList(written));
  };

  const write = async (zip: ZipWriter, userId: string, profile: ExportedProfile) => {
    const madeBy = `Engram ${deps.version}`;
    const madeAt = now().toISOString();
    await json(zip, MEMBERS.manifest, { format: FORMAT, version: VERSION, madeAt, madeBy });
    const billing = await deps.billing(userId);
    await json(zip, MEMBERS.profile, profile);
    await json(zip, MEMBERS.billing, billing);
    await document(zip, MEMBERS.profileText, [profileText(profile, billing)]);
    await document(zip, MEMBERS.keywords, jsonList(await deps.keywords(userId)));
    // Answers before files: of a file that came meanwhile nobody speaks.
    const asked = await history.ids(userId);
    await document(zip, MEMBERS.history, jsonList(entries(userId, asked)));
    await document(zip, MEMBERS.historyText, historyDocument(userId, asked));
    await writeFiles(zip, userId);
  };

  return {
    /** A link under which the person's export can be had for a while. */
    sign(holder: LinkHolder) {
      const { token, expiresAt } = links.sign(holder, null);
      return { path: `/v1/exports/${token}`, expiresAt };
    },

    /** @throws HttpError 404 for a forged token, 410 for an old one. */
    async holderOf(token: string): Promise<LinkHolder> {
      const link = await links.open(token);
      if (link === 'expired') throw exportLinkExpired();
      if (link === null) throw exportNotFound();
      return link.holder;
    },

    /**
     * Begins an export; it ends where it is not read to its end.
     * @throws HttpError 404 when the account is gone, 429 where several are being made.
     */
    async start(holder: LinkHolder): Promise<{ fileName: string; content: Readable }> {
      const content = await runs.start(holder, async () => {
        const { userId } = holder;
        const profile = await deps.profile(userId);
        if (!profile) throw exportNotFound();
        return (zip) => write(zip, userId, profile);
      });
      return { fileName: `engram-export-${now().toISOString().slice(0, 10)}.zip`, content };
    },

    close: runs.close,
  };
}

export type ExportService = ReturnType<typeof createExportService>;
