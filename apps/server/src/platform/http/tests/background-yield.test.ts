import { expect, test, vi } from 'vitest';
import { createBackgroundYield } from '../background-yield.ts';

test('background work continues immediately when no request waits', async () => {
  await expect(createBackgroundYield().yieldToRequests(Infinity)).resolves.toBeUndefined();
});

test('background work waits for running requests, up to a limit', async () => {
  vi.useFakeTimers();
  try {
    const backgroundYield = createBackgroundYield();
    const [endFirst, endSecond] = [backgroundYield.begin(), backgroundYield.begin()];
    const steps: string[] = [];
    const patient = backgroundYield.yieldToRequests(60_000).then(() => steps.push('patient'));
    const hasty = backgroundYield.yieldToRequests(100).then(() => steps.push('hasty'));
    endFirst();
    // Ending a request twice does not end another one.
    endFirst();
    expect(steps).toEqual([]);
    await vi.advanceTimersByTimeAsync(100);
    await hasty;
    expect(steps).toEqual(['hasty']);
    endSecond();
    await patient;
    expect(steps).toEqual(['hasty', 'patient']);
  } finally {
    vi.useRealTimers();
  }
});
