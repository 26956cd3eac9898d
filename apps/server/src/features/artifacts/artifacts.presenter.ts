import { type Artifact, READING_SHARE } from '@engram/contract';
import { z } from 'zod';
import { originalKey } from '../../platform/files/keys.ts';
import {
  createSignedLinks,
  type LinkHolder,
  type SignedLinksOptions,
} from '../../platform/http/signed-links.ts';
import type { ListedRow } from './artifacts.tables.ts';

/** The user whose files are shown, and the credential that their signed links depend on. */
export interface Owner extends LinkHolder {
  email: string;
}

const linkedPart = z.enum(['original', 'thumbnail']);
export type LinkedPart = z.output<typeof linkedPart>;
const claims = z.tuple([z.uuid(), linkedPart]);

export function createFileLinks(options: SignedLinksOptions) {
  const links = createSignedLinks(options, 'signed-links', claims);

  return {
    sign(holder: LinkHolder, artifactId: string, part: LinkedPart = 'original') {
      const { token, expiresAt } = links.sign(holder, [artifactId, part]);
      return { path: `/v1/files/${token}`, expiresAt };
    },
    open: links.open,
  };
}

export type FileLinks = ReturnType<typeof createFileLinks>;

function stageOf({ status, progress }: ListedRow): Artifact['stage'] {
  if (status === 'PENDING') return 'stored';
  if (status === 'PROCESSING') return progress < READING_SHARE ? 'reading' : 'indexing';
  return status === 'SUCCESS' ? 'ready' : 'failed';
}

export function presentArtifact(row: ListedRow, owner: Owner, links: FileLinks): Artifact {
  return {
    artifactId: row.id,
    artifactGroupId: row.groupId,
    artifactFileType: row.mediaType,
    artifactFileName: row.fileName,
    artifactFileSize: row.size,
    artifactFilePathS3: originalKey(row.userId, row.id),
    artifactArchived: row.archived,
    artifactCreatedDate: row.createdAt.toISOString(),
    artifactUpdatedDate: row.updatedAt.toISOString(),
    artifactCreatedBy: owner.email,
    artifactUpdatedBy: owner.email,
    deviceUsed: row.device,
    uploadStatus: row.status,
    statusReason: row.statusReason,
    progress: row.progress,
    stage: stageOf(row),
    needsPassword: row.needsPassword && (row.status === 'FAILED' || row.status === 'SUCCESS'),
    durationMs: row.durationMs,
    thumbnailUrl: row.thumbnail ? links.sign(owner, row.id, 'thumbnail').path : null,
    keywords: row.keywords,
    userId: row.userId,
    isVectorReady: row.indexed,
    artifactText: row.preview,
    source: row.source,
    path: row.path,
    webAddress: row.webAddress,
    modifiedAt: row.modifiedAt?.toISOString() ?? null,
  };
}
