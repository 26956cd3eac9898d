import { expect, test, vi } from 'vitest';
import { createCourtesy } from './courtesy.ts';

test('background work goes on at once when nobody waits', async () => {
  await expect(createCourtesy().stepBack(Infinity)).resolves.toBeUndefined();
});

test('background work waits for all calls under way, and not for ever', async () => {
  vi.useFakeTimers();
  try {
    const courtesy = createCourtesy();
    const [first, second] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const calls = [courtesy.serve(() => first.promise), courtesy.serve(() => second.promise)];
    const steps: string[] = [];
    const patient = courtesy.stepBack(60_000).then(() => steps.push('patient'));
    const hasty = courtesy.stepBack(100).then(() => steps.push('hasty'));
    first.resolve();
    await calls[0];
    expect(steps).toEqual([]);
    await vi.advanceTimersByTimeAsync(100);
    await hasty;
    expect(steps).toEqual(['hasty']);
    second.resolve();
    await Promise.all([calls[1], patient]);
    expect(steps).toEqual(['hasty', 'patient']);
  } finally {
    vi.useRealTimers();
  }
});

test('a call that fails no longer counts', async () => {
  const courtesy = createCourtesy();
  await expect(courtesy.serve(() => Promise.reject(new Error('no')))).rejects.toThrow('no');
  await expect(courtesy.stepBack(Infinity)).resolves.toBeUndefined();
});
