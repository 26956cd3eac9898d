import { transcribe } from '@engram/contract/browser';
import { api } from '../../../api/api.ts';

/** What containers that browsers record in are called as files. */
const ENDINGS: Record<string, string> = {
  'audio/mp4': 'm4a',
  'audio/ogg': 'ogg',
  'audio/wav': 'wav',
};

/** What is said in a recording; empty where nothing is. */
export async function transcribeRecording(recording: Blob, signal: AbortSignal): Promise<string> {
  const ending = ENDINGS[recording.type.split(';')[0] ?? ''] ?? 'webm';
  const files = [{ name: `question.${ending}`, content: recording }];
  return (await api.upload(transcribe, files, {}, { signal })).data.text.trim();
}
