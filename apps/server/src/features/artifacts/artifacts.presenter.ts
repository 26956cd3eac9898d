import type { Artifact } from '@engram/contract';
import { originalKey } from '../../platform/files/keys.ts';
import type { ArtifactRow } from './artifacts.tables.ts';

/** An artifact as callers see it. */
export function presentArtifact(row: ArtifactRow, ownerEmail: string): Artifact {
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
    artifactCreatedBy: ownerEmail,
    artifactUpdatedBy: ownerEmail,
    deviceUsed: row.device,
    uploadStatus: row.status,
    statusReason: row.statusReason,
    progress: row.progress,
    keywords: row.keywords,
    userId: row.userId,
    isVectorReady: row.indexed,
    artifactText: row.preview,
    source: row.source,
  };
}
