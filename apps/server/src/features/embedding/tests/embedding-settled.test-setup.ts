import { vi } from 'vitest';
import type { Jobs } from '../../../platform/jobs/jobs.ts';
import type { EmbeddingService } from '../embedding.service.ts';

/** Waits until all vectors are created or the jobs are paused. */
export async function embeddingSettled(service: EmbeddingService, jobs: Jobs): Promise<void> {
  await service.settled();
  const hasJobs = async (): Promise<boolean> =>
    (await jobs.counts()).some(
      ({ queue, state, count }) =>
        queue === 'embed-library' && count > 0 && (state === 'waiting' || state === 'running'),
    );
  await vi.waitUntil(async () => !(await hasJobs()), { timeout: 60_000, interval: 5 });
}
