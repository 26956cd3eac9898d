import { expect, test, vi } from 'vitest';
import type { Job, Jobs, QueueDefinition } from '../../../platform/jobs/jobs.ts';
import type { ArtifactRow } from '../../artifacts/artifacts.tables.ts';
import { ExtractionCrash } from '../extraction-pool.ts';
import { createIngestionService } from '../ingestion.service.ts';
import {
  createExtractionQueue,
  laneOf,
  type ExtractionLane,
  SHORT_FILE_BYTES,
} from '../extraction-queue.ts';

const file = (fileType: ArtifactRow['fileType'], size: number) =>
  ({ id: 'a', userId: 'ann', revision: 1, status: 'PENDING', fileType, size }) as ArtifactRow;

/** Runs the first job of a file and those that follow. Returns the lanes in which it ran. */
async function lanesOf(artifact: ArtifactRow, crash: (lane: ExtractionLane) => Error | null) {
  const handlers = new Map<string, QueueDefinition<object>['handler']>();
  const queued: [queue: string, data: object][] = [];
  const lanes: ExtractionLane[] = [];
  const jobs = {
    define: async (queue: string, { handler }: QueueDefinition<object>) =>
      void handlers.set(queue, handler),
    enqueue: async (queue: string, data: object) => void queued.push([queue, data]),
    enqueueAll: async (queue: string, added: readonly { data: object }[]) =>
      void queued.push(...added.map(({ data }): [string, object] => [queue, data])),
  } as unknown as Jobs;
  const extractionQueue = createExtractionQueue(jobs);
  const core = {
    storage: {
      files: { removePrefix: async () => {} },
      extractions: { find: async () => artifact, setProgress: async () => {} },
      jobs,
      extractionQueue,
    },
    log: { info: vi.fn<() => void>(), warn: vi.fn<() => void>() },
    now: () => new Date(0),
  } as unknown as Parameters<typeof createIngestionService>[0];
  const services = {
    extractor: {
      async extractText(_: object, lane: ExtractionLane) {
        lanes.push(lane);
        const error = crash(lane);
        if (error !== null) throw error;
        // As if the file needed recognition.
        return null;
      },
    },
  } as unknown as Parameters<typeof createIngestionService>[1];
  createIngestionService(core, services);
  await extractionQueue.enqueue({} as never, [artifact]);
  for (let next = queued.shift(); next !== undefined; next = queued.shift()) {
    const [queue, data] = next;
    if (queue === 'recognize-artifact') break;
    const job = { data, signal: new AbortController().signal, attempt: 1 } as Job<object>;
    await handlers.get(queue)?.(job);
  }
  return lanes;
}

const tooSlow = new ExtractionCrash('timeout');

test('short files have their own lane, and all others start in the normal one', () => {
  expect(laneOf({ fileType: 'txt', size: SHORT_FILE_BYTES })).toBe('short');
  expect(laneOf({ fileType: 'txt', size: SHORT_FILE_BYTES + 1 })).toBe('normal');
  expect(laneOf({ fileType: 'pdf', size: 10 })).toBe('normal');
});

test('a file that takes too long moves to the next lane, up to the slow one', async () => {
  const short = file('txt', 100);
  expect(await lanesOf(short, () => null)).toEqual(['short']);
  expect(await lanesOf(short, (lane) => (lane === 'short' ? tooSlow : null))).toEqual([
    'short',
    'normal',
  ]);
  expect(await lanesOf(file('pdf', 10), (lane) => (lane === 'slow' ? null : tooSlow))).toEqual([
    'normal',
    'slow',
  ]);
  await expect(lanesOf(file('pdf', 10), () => tooSlow)).rejects.toThrow('took too long');
});

test('a file that crashes its process stays in its lane', async () => {
  await expect(lanesOf(file('txt', 100), () => new ExtractionCrash('memory'))).rejects.toThrow(
    'too much memory',
  );
});
