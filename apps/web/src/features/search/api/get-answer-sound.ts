import { ApiError } from '@engram/client';
import { historyAudio } from '@engram/contract/browser';
import { api } from '../../../api/api.ts';

/**
 * An answer as sound; the server speaks it now unless it did before. Throws an {@link ApiError} when
 * nothing speaks it.
 */
export async function getAnswerSound(historyId: string, signal: AbortSignal): Promise<Blob> {
  try {
    const response = await api.file(historyAudio, { params: { id: historyId } }, { signal });
    return await response.blob();
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 503) throw error;
    const message = `${error.message} The answer is here to read.`;
    throw new ApiError(503, { code: error.code, message }, error.retryAfterMs);
  }
}
