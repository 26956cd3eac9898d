import type { RelatedFile } from '@engram/contract';
import { useSignedFile } from '../../artifacts/signed-file.ts';
import { categoryOf } from './related-categories.ts';

/** How long a link holds, in milliseconds. */
const LINK_MS = 15 * 60_000;

/** Kinds of files of which the server has small pictures. */
const PICTURED = new Set(['Images', 'Videos', 'Pdf']);

/** A related file with a link that works now; its first one came with the answer at `receivedAt`. */
export function useRelatedFile(file: RelatedFile, receivedAt: number) {
  const known = {
    presignedUrl: file.presignedUrl,
    expiresAt: new Date(receivedAt + LINK_MS).toISOString(),
    fileName: file.fileName,
    fileType: file.fileType,
    size: file.size,
    thumbnailUrl: null,
  };
  const query = useSignedFile(file.artifactId, {
    file: known,
    at: receivedAt,
    wantsMore: PICTURED.has(categoryOf(file.fileType)),
  });
  return {
    query,
    signed: query.data ?? known,
    /** When the link was signed, in milliseconds since the epoch. */
    signedAt: query.isPlaceholderData || !query.data ? receivedAt : query.dataUpdatedAt,
  };
}

export type SignedRelatedFile = ReturnType<typeof useRelatedFile>;
