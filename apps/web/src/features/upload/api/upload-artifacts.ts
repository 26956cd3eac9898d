import type { UploadResult } from '@engram/contract';
import { uploadArtifacts as route } from '@engram/contract/browser';
import { api } from '../../../api/api.ts';
import { deviceLabel } from '../../../browser/device.ts';
import type { UploadItem } from '../upload-state.ts';

interface UploadCall {
  items: readonly UploadItem[];
  text: string;
  /** Keywords of everything in this call. */
  keywords: readonly string[];
  source: 'Web' | 'Share';
  signal: AbortSignal;
  /** Share of the call that has been sent, 0 to 1. */
  onProgress: (share: number) => void;
}

/** Where the files stand in the folder that they came from, if any of them does. */
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

/** Sends one call's files, which all have different names, and typed text. */
export async function uploadArtifacts(call: UploadCall): Promise<UploadResult> {
  const tagged = call.items.filter((item) => item.keywords.length > 0);
  const answer = await api.upload(
    route,
    call.items.map((item) => ({ name: item.name, content: item.file })),
    {
      filesKeywords: JSON.stringify(
        Object.fromEntries(tagged.map((item) => [item.name, item.keywords])),
      ),
      artifactText: call.text,
      keywords: JSON.stringify(call.keywords),
      source: call.source,
      ...metaOf(call.items),
      device: deviceLabel(),
    },
    { signal: call.signal, onProgress: call.onProgress },
  );
  return answer.data;
}
