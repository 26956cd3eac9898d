import type { Clock } from '../clock.ts';

/** A clock that only tests advance. */
export function createManualClock() {
  let nowMs = Date.parse('2026-01-01T00:00:00Z');
  const timers = new Map<object, { at: number; run: () => void }>();
  const armed = new Map<number, PromiseWithResolvers<void>>();
  const armedFor = (milliseconds: number): PromiseWithResolvers<void> => {
    const known = armed.get(milliseconds) ?? Promise.withResolvers<void>();
    armed.set(milliseconds, known);
    return known;
  };
  const clock: Clock = {
    now: () => nowMs,
    setTimeout(run, milliseconds) {
      const timer = {};
      timers.set(timer, { at: nowMs + milliseconds, run });
      armedFor(milliseconds).resolve();
      return timer;
    },
    clearTimeout: (timer) => void timers.delete(timer as object),
  };
  return {
    ...clock,
    /** Resolves once a timer of exactly this length is set. */
    armed: (milliseconds: number): Promise<void> => armedFor(milliseconds).promise,
    pass(milliseconds: number): void {
      nowMs += milliseconds;
      for (const [timer, { at, run }] of timers) {
        if (at <= nowMs && timers.delete(timer)) run();
      }
    },
  };
}
