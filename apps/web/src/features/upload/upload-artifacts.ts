import type { UploadResult } from '@engram/contract';
import { uploadArtifacts as route } from '@engram/contract/browser';
import { api } from '../../api/api.ts';
import { deviceLabel } from '../../browser/device.ts';
import type { UploadItem } from './upload-item.ts';

interface CallOptions {
  signal: AbortSignal;
  /** Called with the share of the call's bytes that was sent, 0 to 1. */
  onProgress: (share: number) => void;
}

/** The files' paths in the folder that they came from, if one of them has a path. */
const metaOf = (items: readonly UploadItem[]): { meta?: string } =>
  items.some(({ path }) => path !== null)
    ? {
        meta: JSON.stringify(
          items.map(({ path, file }) => ({
            path,
            modifiedAt: new Date(file.lastModified).toISOString(),
          })),
        ),
      }
    : {};

/**
 * Sends files with different names, and up to one note, in one call. They have the same source and
 * the same keywords of their upload.
 */
export async function uploadArtifacts(
  items: readonly UploadItem[],
  options: CallOptions,
): Promise<UploadResult> {
  const files = items.filter(({ note }) => note === null);
  const tagged = files.filter(({ keywords }) => keywords.length > 0);
  const answer = await api.upload(
    route,
    files.map(({ name, file }) => ({ name, content: file })),
    {
      filesKeywords: JSON.stringify(
        Object.fromEntries(tagged.map(({ name, keywords }) => [name, keywords])),
      ),
      artifactText: items.find(({ note }) => note !== null)?.note ?? '',
      keywords: JSON.stringify(items[0]?.uploadKeywords ?? []),
      source: items[0]?.source ?? 'Web',
      ...metaOf(files),
      device: deviceLabel(),
    },
    options,
  );
  return answer.data;
}
