import { uploadArtifacts } from '@engram/contract/browser';
import { api } from '../../../api/api.ts';
import { deviceLabel } from '../../../browser/device.ts';

/** Keeps a text as a file of its own. */
export async function keepNote(text: string): Promise<void> {
  await api.upload(uploadArtifacts, [], {
    filesKeywords: '{}',
    artifactText: text,
    keywords: '[]',
    source: 'Web',
    device: deviceLabel(),
  });
}
